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
  var json: JSON {
    [
      "username": JSON(username), "homeAccountID": JSON(homeAccountID),
      "environment": JSON(environment), "apps": .array(apps.map(\.json)),
    ]
  }
}

extension AccountSummary.App {
  fileprivate var json: JSON {
    [
      "clientID": JSON(clientID), "refreshToken": .bool(hasRefreshToken),
      "familyID": JSON(familyID), "accessTokens": .array(accessTokens.map(\.json)),
      "idTokens": .array(idTokens.map { ["realm": JSON($0.realm)] }),
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

  fileprivate var json: JSON {
    [
      "realm": JSON(realm), "scopes": JSON(scopes), "tokenType": JSON(type),
      "expiresOn": JSON(expiresOn), "isExpired": .bool(isExpired),
    ]
  }
}
