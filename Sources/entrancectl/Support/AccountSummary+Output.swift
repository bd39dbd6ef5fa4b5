import AuthCore
import Connections
import FoundationEssentials
import Sentences

extension AccountSummary {
  /// The account and what there is of it, for people.
  var lines: [Line] {
    var lines = [
      Line(username.isEmpty ? Sentence("(no name)") : Sentence(verbatim: username)),
      Line(Sentence("ID: {id}", ["id": homeAccountID]), behind: "  "),
      Line(Sentence("At: {host}", ["host": environment]), behind: "  "),
    ]
    for app in apps {
      lines.append(Line(Sentence("App {id}", ["id": app.clientID]), behind: "  "))
      var tokens: [Sentence] = []
      if app.hasRefreshToken {
        tokens.append(
          app.familyID.map { Sentence("refresh token of family {family}", ["family": $0]) }
            ?? Sentence("refresh token"))
      }
      tokens += app.accessTokens.map(\.sentence)
      tokens += app.idTokens.map { Sentence("ID token, in {tenant}", ["tenant": $0.realm]) }
      lines += tokens.map { Line($0, behind: "    ") }
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

  /// Its purpose and its expiry.
  fileprivate var sentence: Sentence {
    let what = Sentence(
      "access token for {scopes}, in {tenant}",
      [
        "scopes": scopes.joined(separator: " "),
        "tenant": type.lowercased() == "bearer" ? realm : "\(realm) (\(type))",
      ])
    guard let expiresOn else { return what }
    let time = expiresOn.formatted(.iso8601)
    return isExpired
      ? Sentence("{token}, expired {time}", ["token": what, "time": time])
      : Sentence("{token}, expires {time}", ["token": what, "time": time])
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
