import Localization

/// Which way to sign in is tried first.
public enum PreferredSignInWay: String, PreferenceChoice {
  /// The one that fits: the window, or the browser if a screen reader cannot read the window's pages.
  case automatic
  /// A window of this program.
  case embedded
  /// The system's browser.
  case browser
  /// A code that is entered on another device.
  case code

  /// The way in words.
  public var label: String {
    switch self {
    case .automatic: tr("Automatic")
    case .embedded: tr("Window")
    case .browser: tr("Browser")
    case .code: tr("Code")
    }
  }
}
