import AuthCore

/// The demo: a connection to an `identity-emulator` that runs on this machine.
public enum DemoConnection {
  /// The name of the demo connection.
  public static let name = "Demo"

  /// Parses the first line that `identity-emulator` prints.
  ///
  /// - Returns: the connection; nil for any other line.
  public static func parse(_ line: String) -> Connection? {
    guard let json = try? JSON(parsing: line.utf8), let clientID = json["clientID"]?.string,
      let authority = json["authority"]?.string.flatMap({ try? Authority($0) }),
      let redirectURI = json["redirectURI"]?.string.flatMap({ try? RedirectURI($0) }),
      let caFile = json["caFile"]?.string, let api = json["graph"]?.string,
      let application = try? PublicClientApplicationConfiguration(
        clientID: clientID, redirectURI: redirectURI, authority: authority,
        knownAuthorities: [authority], caFile: caFile)
    else { return nil }
    var connection = Connection(
      name: name, application: application,
      scopes: Connection.defaultScopes(of: authority.kind, clientID: clientID), api: api)
    connection.isDemo = true
    return connection
  }
}
