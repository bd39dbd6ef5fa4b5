import AuthCore
import FoundationEssentials

/// Calls that need no network.
struct CacheBenchmark {
  let file: String
  let authority: Authority
  /// Two accounts that every cache of auth.py has: one with all tokens, one with no refresh token.
  let identifiers: (String, String)
  let scopes = ["Mail.Read", "User.Read"]

  init(file: String, tenant: String) throws {
    self.file = file
    authority = try Authority("https://login.microsoftonline.com/\(tenant)")
    identifiers = (
      "00000000-0000-0000-0000-000000000000.\(tenant)",
      "ffffffff-ffff-ffff-ffff-ffffffffffff.\(tenant)"
    )
  }

  func makeApplication(_ store: any TokenCacheStore) throws -> PublicClientApplication {
    PublicClientApplication(
      configuration: try PublicClientApplicationConfiguration(
        clientID: AuthBenchmark.clientID, redirectURI: RedirectURI("msauth.benchmark://auth"),
        authority: authority), store: store)
  }

  func silent() async throws {
    let app = try makeApplication(FileTokenCacheStore(path: file))
    guard let account = await app.account(identifier: identifiers.0),
      let poor = await app.account(identifier: identifiers.1)
    else { throw Unusable() }
    let exact = SilentTokenParameters(scopes: scopes, account: account)
    let subset = SilentTokenParameters(scopes: ["User.Read"], account: account)
    let nothing = SilentTokenParameters(scopes: ["Files.Read"], account: poor)
    func perCall(_ parameters: SilentTokenParameters) async -> Double {
      await median(samples: 101, count: 200) { _ = try? await app.acquireTokenSilent(parameters) }
    }
    for parameters in [exact, subset] {
      let result = try await app.acquireTokenSilent(parameters)
      guard result.source == .cache else { throw Unusable() }
    }
    let count = await app.accounts().count
    let accounts = await median(samples: 31) { _ = await app.accounts() }
    print(
      #"{"exact": \#(await perCall(exact)), "subset": \#(await perCall(subset)), "#
        + #""nothing": \#(await perCall(nothing)), "accounts": \#(accounts / Double(count))}"#)
  }

  func file() async throws {
    let read = try await median(samples: 5) {
      let app = try makeApplication(FileTokenCacheStore(path: file))
      _ = try await token(from: app)
    }
    let store = FileTokenCacheStore(path: file)
    let record = try await store.load()[0]
    var text = String(decoding: record.contents.exposed, as: UTF8.self)
    let write = try await median(samples: 5) {
      // Another token, of the same length.
      guard let old = text.firstRange(of: "\"secret\":\"")?.upperBound else { throw Unusable() }
      text.replaceSubrange(old...old, with: text[old] == "x" ? "y" : "x")
      try await store.save(StoredRecord(id: record.id, contents: Secret(Data(text.utf8))))
    }
    print(#"{"read": \#(read / 1000), "write": \#(write / 1000)}"#)
  }

  func token() async throws {
    let app = try makeApplication(FileTokenCacheStore(path: file))
    print(try await token(from: app).utf8.count)
  }

  private func token(from app: PublicClientApplication) async throws -> String {
    guard let account = await app.account(identifier: identifiers.0) else { throw Unusable() }
    let result = try await app.acquireTokenSilent(.init(scopes: scopes, account: account))
    precondition(result.source == .cache)
    return result.accessToken.exposed
  }

  /// The cache is not one of auth.py.
  struct Unusable: Error {}
}
