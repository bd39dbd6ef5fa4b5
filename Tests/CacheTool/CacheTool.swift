// Runs the auth core with a token cache, for tests that share the cache with another program.
//
// usage: cache-tool sign-in AUTHORITY CA_FILE CLIENT_ID CACHE SCOPE   prints a URL, reads the redirect
//        cache-tool silent  AUTHORITY CA_FILE CLIENT_ID CACHE SCOPE
//        cache-tool renew   AUTHORITY CA_FILE CLIENT_ID CACHE SCOPE   always sends a request
//        cache-tool crowd   AUTHORITY CA_FILE CLIENT_ID CACHE SCOPE   20 concurrent silent calls
//        cache-tool remove  AUTHORITY CA_FILE CLIENT_ID CACHE
//        cache-tool write   NAME SECONDS CLIENT_ID CACHE
//        cache-tool read    ACCOUNT COUNT CLIENT_ID CACHE
//
// CACHE is a file, or the member "cache" of a connection. Each command ends with a line of JSON;
// 'crowd' prints one for each call. 'write' stores one new account after the other, and prints the
// ID of each one that was stored. 'read' opens the cache anew for each read, and counts the reads
// without the account, and those that failed.

import AuthCore
import Connections
import FoundationEssentials
import Glibc
import SecretStore

@main
enum CacheTool {
  static func main() async throws {
    let arguments = Array(CommandLine.arguments.dropFirst())
    let store = try store(arguments[4])
    if arguments[0] == "write" {
      return try await write(
        arguments[1], for: .seconds(Int(arguments[2]) ?? 0), clientID: arguments[3], to: store)
    }
    if arguments[0] == "read" {
      return await read(arguments[1], Int(arguments[2]) ?? 0, from: arguments[4])
    }
    let authority = try Authority(
      arguments[1], kind: arguments[1].contains("/realms/") ? .oidc : nil)
    var configuration = try PublicClientApplicationConfiguration(
      clientID: arguments[3],
      redirectURI: RedirectURI("msauth.io.github.entrance.entrance://auth"), authority: authority,
      knownAuthorities: [authority])
    configuration.caFile = arguments[2]
    let app = PublicClientApplication(
      configuration: configuration, store: store)
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

  private static func store(_ cache: String) throws -> any TokenCacheStore {
    guard cache.hasPrefix("{") else { return FileTokenCacheStore(path: cache) }
    let text =
      #"""
      {"version": 1, "apps": [{
        "name": "x", "clientID": "11111111-2222-3333-4444-555555555555", "cache": \#(cache)}]}
      """#
    guard let location = try ConnectionFile.parse(text.utf8).first?.cache else {
      return MemoryTokenCacheStore()
    }
    return location.store
  }

  /// Stores new accounts for a while.
  private static func write(
    _ name: String, for duration: Duration, clientID: String, to store: any TokenCacheStore
  ) async throws {
    let end = ContinuousClock.now + duration
    var (number, refused) = (0, 0)
    while ContinuousClock.now < end {
      number += 1
      let account = "\(name)-\(number).f3a8c5d2-7b1e-4c69-9d04-5e2b8a7c1f60"
      let owner = #"""
        "home_account_id": "\#(account)", "environment": "login.microsoftonline.com"
        """#
      let text = #"""
        {"Account": {"a": {\#(owner), "realm": "f3a8c5d2-7b1e-4c69-9d04-5e2b8a7c1f60",
          "local_account_id": "\#(name)", "username": "\#(name)", "authority_type": "MSSTS"}},
        "RefreshToken": {"r": {\#(owner), "client_id": "\#(clientID)", "secret": "RT",
          "credential_type": "RefreshToken"}}}
        """#
      do throws(AuthenticationError) {
        // Like the auth core.
        if store.hasChanged { _ = try await store.load() }
        try await store.save(StoredRecord(id: account, contents: Secret(Data(text.utf8))))
        print(account)
      } catch {
        refused += 1
        print("refused: \(error.message)")
      }
      fflush(nil)
      try await Task.sleep(for: .milliseconds(100))
    }
    print(#"{"refused": \#(refused)}"#)
  }

  private static func read(_ account: String, _ count: Int, from path: String) async {
    var (missing, refused) = (0, 0)
    for _ in 0..<count {
      do throws(AuthenticationError) {
        let records = try await FileTokenCacheStore(path: path).load()
        if !records.contains(where: { $0.id.hasPrefix("\(account) ") }) { missing += 1 }
      } catch {
        refused += 1
      }
    }
    print(#"{"reads": \#(count), "missing": \#(missing), "refused": \#(refused)}"#)
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

/// Pages in another process: prints the URL, and reads the redirect.
private struct Pages: WebAuthenticationSession {
  func authenticate(
    _ request: WebAuthenticationRequest
  ) async throws(AuthenticationError) -> String {
    print(request.startURL)
    fflush(nil)
    return readLine() ?? ""
  }
}
