import Localization

/// A preference with a few values, each with a short label.
public protocol PreferenceChoice: RawRepresentable<String>, CaseIterable, Sendable, Equatable {
  /// The value in words: short, so that a narrow window shows all of it.
  @MainActor var label: String { get }
}

/// Light or dark.
public enum Style: String, PreferenceChoice {
  /// As the desktop is set.
  case system
  /// Light.
  case light
  /// Dark.
  case dark

  /// The style in words.
  public var label: String {
    switch self {
    case .system: tr("System")
    case .light: tr("Light")
    case .dark: tr("Dark")
    }
  }
}

/// How the log shows tokens.
public enum TokenDisplay: String, PreferenceChoice {
  /// Nothing of them.
  case hidden
  /// Their start and length.
  case shortened
  /// All of them.
  case full

  /// The value in words.
  public var label: String {
    switch self {
    case .hidden: tr("Hidden")
    case .shortened: tr("Shortened")
    case .full: tr("Full")
    }
  }
}

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
