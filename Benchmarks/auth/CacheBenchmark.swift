import AuthCore
import BenchmarkSupport
import FoundationEssentials

/// Calls that need no network.
struct CacheBenchmark {
  let file: String
  let authority: Authority
  /// An account that every cache of auth.py has.
  let identifier: String
  let scopes = ["Mail.Read", "User.Read"]

  init(file: String, tenant: String) throws {
    self.file = file
    authority = try Authority("https://login.microsoftonline.com/\(tenant)")
    identifier = "00000000-0000-0000-0000-000000000000.\(tenant)"
  }

  func makeApplication(_ store: any TokenCacheStore) throws -> PublicClientApplication {
    PublicClientApplication(
      configuration: try PublicClientApplicationConfiguration(
        clientID: AuthBenchmark.clientID, redirectURI: RedirectURI("msauth.benchmark://auth"),
        authority: authority), store: store)
  }

  func silent() async throws {
    let memory = MemoryTokenCacheStore()
    for record in try await FileTokenCacheStore(path: file).load() { memory.save(record) }
    let (own, shared) = (
      try makeApplication(memory), try makeApplication(FileTokenCacheStore(path: file))
    )
    let accounts = await own.accounts()
    _ = await shared.accounts()
    guard let account = accounts.first(where: { $0.id == identifier }) else { throw Unusable() }
    let exact = SilentTokenParameters(scopes: scopes, account: account)
    let subset = SilentTokenParameters(scopes: ["User.Read"], account: account)
    for app in [own, shared] {
      for parameters in [exact, subset] {
        let result = try await app.acquireTokenSilent(parameters)
        guard result.source == .cache else { throw Unusable() }
      }
    }
    func ask(
      _ app: PublicClientApplication, _ parameters: SilentTokenParameters
    ) -> (Int) async throws -> Void {
      { count in for _ in 0..<count { _ = try await app.acquireTokenSilent(parameters) } }
    }
    let times = try await inTurn(
      samples: 101, count: 200, ask(own, exact), ask(own, subset), ask(shared, exact))
    print(#"{"exact": \#(times[0]), "subset": \#(times[1]), "shared": \#(times[2])}"#)
  }

  func file(samples: Int) async throws {
    let read = try await inTurn(samples: samples) { _ in
      let app = try makeApplication(FileTokenCacheStore(path: file))
      _ = try await token(from: app)
    }[0]
    let store = FileTokenCacheStore(path: file)
    let record = try await store.load()[0]
    var text = String(decoding: record.contents.exposed, as: UTF8.self)
    let write = try await inTurn(samples: samples) { _ in
      // Another token, of the same length.
      guard let old = text.firstRange(of: "\"secret\":\"")?.upperBound else { throw Unusable() }
      text.replaceSubrange(old...old, with: text[old] == "x" ? "y" : "x")
      try await store.save(StoredRecord(id: record.id, contents: Secret(Data(text.utf8))))
    }[0]
    print(#"{"read": \#(read / 1000), "write": \#(write / 1000)}"#)
  }

  func token() async throws {
    let app = try makeApplication(FileTokenCacheStore(path: file))
    print(try await token(from: app).utf8.count)
  }

  private func token(from app: PublicClientApplication) async throws -> String {
    guard let account = await app.account(identifier: identifier) else { throw Unusable() }
    let result = try await app.acquireTokenSilent(.init(scopes: scopes, account: account))
    precondition(result.source == .cache)
    return result.accessToken.exposed
  }

  /// The cache is not one of auth.py.
  struct Unusable: Error {}
}
