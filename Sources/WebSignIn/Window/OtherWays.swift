/// Other ways to sign in that the sign-in window offers.
///
/// When the user chooses one, its closure is called, and the session ends as if the user had
/// canceled it; the caller then starts the other way.
public struct OtherWays: Sendable {
  /// The user wants to use the system browser; nil when it is not available.
  public var useBrowser: (@MainActor () -> Void)?
  /// The user wants to enter a code on another device; nil when that is not available.
  public var useCode: (@MainActor () -> Void)?

  /// Offers these ways.
  public nonisolated init(
    useBrowser: (@MainActor () -> Void)? = nil, useCode: (@MainActor () -> Void)? = nil
  ) {
    self.useBrowser = useBrowser
    self.useCode = useCode
  }
}
