import AuthCore
import Connections
import FoundationEssentials

extension AccountSummary {
  /// The account and what there is of it, for people.
  var lines: [String] {
    var lines = [
      username.isEmpty ? "(no name)" : username, "  ID: \(homeAccountID)", "  At: \(environment)",
    ]
    for app in apps {
      lines.append("  App \(app.clientID)")
      if app.hasRefreshToken {
        lines.append("    refresh token" + (app.familyID.map { " of family \($0)" } ?? ""))
      }
      for token in app.accessTokens {
        let kind = token.type.lowercased() == "bearer" ? "" : " (\(token.type))"
        let scopes = token.scopes.joined(separator: " ")
        lines.append("    access token\(kind) for \(scopes), in \(token.realm)\(token.end)")
      }
      lines += app.idTokens.map { "    ID token, in \($0.realm)" }
    }
    return lines
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

extension AccountSummary.Token {
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
