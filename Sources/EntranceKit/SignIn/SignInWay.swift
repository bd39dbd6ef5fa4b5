/// A way to sign in.
///
/// An enum, because each has its own window or dialog.
public enum SignInWay: String, Sendable, CaseIterable {
  /// The sign-in window of this program.
  case embedded
  /// The user's browser.
  case browser
  /// A code that is entered in a browser, on this or another device.
  case code

  /// The way to try first.
  ///
  /// - Parameters:
  ///   - preference: what the user prefers.
  ///   - isUnreadable: whether a screen reader is on that cannot read the pages in the sign-in
  ///     window.
  public init(_ preference: PreferredSignInWay, isUnreadable: Bool) {
    switch preference {
    case .automatic: self = isUnreadable ? .browser : .embedded
    case .embedded: self = .embedded
    case .browser: self = .browser
    case .code: self = .code
    }
  }
}
