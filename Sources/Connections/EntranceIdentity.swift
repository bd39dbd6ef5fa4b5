import AuthCore

/// By which names Entrance is known, and where it keeps what is the person's.
///
/// Its app and its command line have all of it in common, and so share connections and accounts.
public enum EntranceIdentity {
  /// The application ID: the app's name on the session bus, that of its settings and of its items in the
  /// keyring.
  public static let applicationID = "io.github.entrance.Entrance"

  /// What people call it.
  public static let name = "Entrance"

  /// The redirect URI that the app answers to.
  public static let redirectURI = "msauth.io.github.entrance.entrance://auth"

  /// The path of the person's connections, `$XDG_CONFIG_HOME/entrance/connections.json`.
  public static var connectionsPath: String {
    "\(HomeDirectory.base("XDG_CONFIG_HOME", orHome: ".config"))/entrance/connections.json"
  }

  /// The directory of accounts that are kept in files, `$XDG_STATE_HOME/entrance`.
  public static var stateDirectory: String {
    "\(HomeDirectory.base("XDG_STATE_HOME", orHome: ".local/state"))/entrance"
  }
}
