import AuthCore
import Glibc
package import Sentences

/// Entrance's names, and the paths of the user's data.
///
/// The app and the command line use the same ones, and so share connections and accounts.
public enum EntranceIdentity {
  /// The application ID: also the app's name on the session bus, and the ID of its settings and
  /// keyring items.
  public static let applicationID = "io.github.entrance.Entrance"

  /// The name shown to people.
  public static let name = "Entrance"

  /// The project's address: the repository that the application ID stands for.
  package static let website = "https://github.com/entrance/entrance"

  /// The address where apps are registered, in the Microsoft Entra admin center.
  package static let portal =
    "https://entra.microsoft.com/#view/Microsoft_AAD_RegisteredApps/ApplicationsListBlade"

  /// The app's redirect URI.
  public static let redirectURI = "msauth.io.github.entrance.entrance://auth"

  /// The path of the user's apps, `$XDG_CONFIG_HOME/entrance/apps.json`;
  /// `connections.json`, its earlier name, where only that one exists.
  public static var connectionsPath: String {
    let directory = "\(HomeDirectory.base("XDG_CONFIG_HOME", orHome: ".config"))/entrance"
    let (path, earlierPath) = ("\(directory)/apps.json", "\(directory)/connections.json")
    return access(path, F_OK) != 0 && access(earlierPath, F_OK) == 0 ? earlierPath : path
  }

  /// The directory of what can be fetched again, `$XDG_CACHE_HOME/entrance`.
  public static var cacheDirectory: String {
    "\(HomeDirectory.base("XDG_CACHE_HOME", orHome: ".cache"))/entrance"
  }

  /// The path of the list of what each program was given.
  public static var programsPath: String { "\(stateDirectory)/programs.json" }

  /// The directory of accounts kept in files, `$XDG_STATE_HOME/entrance`.
  public static var stateDirectory: String {
    "\(HomeDirectory.base("XDG_STATE_HOME", orHome: ".local/state"))/entrance"
  }

  /// What to do about a passphrase of the accounts in files that was forgotten.
  package static var forgottenPassphrase: Sentence {
    Sentence(
      "If you forgot it, run 'mv \"{directory}\" \"{directory}.old\"' and sign in again.",
      ["directory": stateDirectory])
  }
}
