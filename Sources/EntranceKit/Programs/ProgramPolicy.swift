import Localization

/// Which programs get tokens: a preference, which an administrator can lock.
public enum ProgramPolicy: String, PreferenceChoice {
  /// All but those that the person denied; what each got is noted.
  case allow
  /// Those that the person allowed; a new one asks.
  case ask
  /// None; the person still gets them at a terminal.
  case deny

  /// The name of the preference in the settings.
  public static let key = Preferences.Key.programPolicy.rawValue

  /// The policy in words.
  public var label: String {
    switch self {
    case .allow: tr("Allow unless denied")
    case .ask: tr("Ask first")
    case .deny: tr("Deny all")
    }
  }
}
