import Localization
import Logging

/// Which lines of the sign-in library the log shows, with MSAL's names.
public enum LogLevel: String, PreferenceChoice {
  /// None.
  case nothing
  /// Requests that failed.
  case errors
  /// Problems that do not stop the work, too.
  case warnings
  /// Steps that take time, too.
  case info
  /// Details between the steps, too.
  case verbose

  /// The level in words.
  public var label: String {
    switch self {
    case .nothing: tr("Nothing")
    case .errors: tr("Errors")
    case .warnings: tr("Warnings")
    case .info: tr("Info")
    case .verbose: tr("Verbose")
    }
  }

  /// The level of the library's log, which has no line at its highest level.
  var logger: Logger.Level {
    switch self {
    case .nothing: .critical
    case .errors: .error
    case .warnings: .warning
    case .info: .info
    case .verbose: .debug
    }
  }
}
