import AuthCore
import EntranceKit
import FoundationEssentials

extension Connection {
  /// Where the connection's token cache is, in a sentence.
  var cachePlace: String {
    switch cache {
    case nil: "The token cache is Entrance's own."
    case .file(let path): "The token cache is the file \(path)."
    case .keyring(let item): "The token cache is the item '\(item.schema)' of the keyring."
    }
  }
}

extension AccountContents {
  /// The account and what there is of it, for people.
  var text: String {
    var text = "\(username.isEmpty ? "(no name)" : username)\n  ID: \(homeAccountID)\n"
    text += "  At: \(environment)\n"
    for app in apps {
      text += "  App \(app.clientID)\n"
      if app.hasRefreshToken {
        text += "    refresh token" + (app.familyID.map { " of family \($0)" } ?? "") + "\n"
      }
      for token in app.accessTokens {
        let kind = token.type.lowercased() == "bearer" ? "" : " (\(token.type))"
        text += "    access token\(kind) for \(token.scopes.joined(separator: " "))"
        text += ", in \(token.realm)\(token.end)\n"
      }
      for token in app.idTokens { text += "    ID token, in \(token.realm)\n" }
    }
    return text
  }

  /// The account and what there is of it, for programs.
  var members: [(name: String, value: JSON)] {
    [
      ("username", .string(username)), ("homeAccountID", .string(homeAccountID)),
      ("environment", .string(environment)),
      (
        "apps",
        .array(
          apps.map {
            Output.object([
              ("clientID", .string($0.clientID)), ("refreshToken", .bool($0.hasRefreshToken)),
              ("familyID", $0.familyID.map { .string($0) } ?? .null),
              ("accessTokens", .array($0.accessTokens.map { Output.object($0.members) })),
              (
                "idTokens",
                .array($0.idTokens.map { Output.object([("realm", .string($0.realm))]) })
              ),
            ])
          })
      ),
    ]
  }
}

extension AccountContents.Token {
  fileprivate var isExpired: Bool { expiresOn.map { $0 <= Date() } ?? true }

  fileprivate var end: String {
    guard let expiresOn else { return "" }
    return ", \(isExpired ? "expired" : "expires") \(expiresOn.formatted(.iso8601))"
  }

  fileprivate var members: [(name: String, value: JSON)] {
    [
      ("realm", .string(realm)), ("scopes", .array(scopes.map { .string($0) })),
      ("tokenType", .string(type)),
      ("expiresOn", expiresOn.map { .string($0.formatted(.iso8601)) } ?? .null),
      ("isExpired", .bool(isExpired)),
    ]
  }
}
