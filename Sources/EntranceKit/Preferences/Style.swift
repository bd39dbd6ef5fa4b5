import Localization

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
