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
  ///   - setting: the value of the setting `sign-in-way`: the name of a way, or `automatic`.
  ///   - hasScreenReader: whether a screen reader is on, which cannot read the pages in the sign-in
  ///     window: a web view on GTK 4.8 has no accessible objects.
  public init(setting: String, hasScreenReader: Bool) {
    self = SignInWay(rawValue: setting) ?? (hasScreenReader ? .browser : .embedded)
  }
}
