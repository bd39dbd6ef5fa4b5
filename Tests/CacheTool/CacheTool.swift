// The auth core over a token cache in a file, for tests that share the file with another program.
//
// usage: cache-tool sign-in AUTHORITY CA_FILE CLIENT_ID FILE SCOPE   says a URL, reads the redirect
//        cache-tool silent  AUTHORITY CA_FILE CLIENT_ID FILE SCOPE
//        cache-tool renew   AUTHORITY CA_FILE CLIENT_ID FILE SCOPE   asks the server in any case
//        cache-tool crowd   AUTHORITY CA_FILE CLIENT_ID FILE SCOPE   20 silent calls at once
//        cache-tool remove  AUTHORITY CA_FILE CLIENT_ID FILE
//
// Each ends with a line of JSON; `crowd` has one for each call.

import AuthCore
import Glibc

@main
enum CacheTool {
  static func main() async throws {
    let arguments = Array(CommandLine.arguments.dropFirst())
    let authority = try Authority(
      arguments[1], kind: arguments[1].contains("/realms/") ? .oidc : nil)
    var configuration = try PublicClientApplicationConfiguration(
      clientID: arguments[3],
      redirectURI: RedirectURI("msauth.io.github.entrance.entrance://auth"), authority: authority,
      knownAuthorities: [authority])
    configuration.caFile = arguments[2]
    let app = PublicClientApplication(
      configuration: configuration, store: FileTokenCacheStore(path: arguments[4]))
    do throws(AuthenticationError) {
      switch arguments[0] {
      case "sign-in":
        print(
          try await app.acquireToken(
            InteractiveTokenParameters(scopes: [arguments[5]], session: Pages())
          ).json)
      case "silent", "renew", "crowd":
        guard let account = await app.currentAccount().current else {
          return print(#"{"error": "no account"}"#)
        }
        var parameters = SilentTokenParameters(scopes: [arguments[5]], account: account)
        parameters.forceRefresh = arguments[0] == "renew"
        let count = arguments[0] == "crowd" ? 20 : 1
        print(try await results(count, parameters, of: app).map(\.json).joined(separator: "\n"))
      default:
        for account in await app.accounts() { try await app.remove(account) }
        print("{}")
      }
      if let failure = await app.storageFailure { throw failure }
    } catch {
      print(JSON.object([.init("error", .string(error.message))]).compactText)
    }
  }

  private static func results(
    _ count: Int, _ parameters: SilentTokenParameters, of app: PublicClientApplication
  ) async throws(AuthenticationError) -> [AuthenticationResult] {
    typealias Outcome = Result<AuthenticationResult, AuthenticationError>
    let outcomes = await withTaskGroup(of: Outcome.self) { group in
      for _ in 0..<count {
        group.addTask {
          do throws(AuthenticationError) {
            return .success(try await app.acquireTokenSilent(parameters))
          } catch {
            return .failure(error)
          }
        }
      }
      return await group.reduce(into: []) { $0.append($1) }
    }
    var results: [AuthenticationResult] = []
    for outcome in outcomes { results.append(try outcome.get()) }
    return results
  }
}

extension AuthenticationResult {
  fileprivate var json: String {
    JSON.object([
      .init("source", .string(source.rawValue)),
      .init("access_token", .string(accessToken.exposed)),
      .init("username", .string(account.username)),
      .init("tenant", .string(tenantID)),
    ]).compactText
  }
}

/// A person elsewhere: is told where to go, and says where it ended.
private struct Pages: WebAuthenticationSession {
  func authenticate(
    _ request: WebAuthenticationRequest
  ) async throws(AuthenticationError) -> String {
    print(request.startURL)
    fflush(nil)
    return readLine() ?? ""
  }
}
