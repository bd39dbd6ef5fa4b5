import Localization

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
    case .shortened: tr("Short")
    case .full: tr("In full")
    }
  }
}
