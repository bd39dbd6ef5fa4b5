import AuthCore
import FoundationEssentials
import TestSupport
import Testing

#if DESKTOP
  import SecretStore
#endif

@Suite("The examples of 'Keeping tokens' and 'Share a cache with other MSALs'")
struct StoreExamples {
  let authority = ScriptedAuthority()

  @Test func failure() async throws {
    let configuration = try TestApplication.configuration()
    let store = ScriptedStore()
    store.fail(.load)

    let app = PublicClientApplication(configuration: configuration, store: store)
    let accounts = await app.accounts()
    if let failure = await app.storageFailure {
      print(failure.message)
    }

    #expect(accounts.isEmpty)
    #expect(await app.storageFailure?.code == .storageUnavailable)
  }

  @Test func notKept() async throws {
    let store = ScriptedStore()
    let clock = ManualClock()
    let app = try TestApplication.make(authority, clock: clock, store: store)
    let account = try await app.acquireToken(
      .init(scopes: ["User.Read"], session: authority.pages)
    ).account
    clock.advance(by: 3600)
    store.fail(.save)

    let result = try await app.acquireTokenSilent(
      SilentTokenParameters(scopes: ["User.Read"], account: account))
    if let failure = result.storageFailure {
      print("The new tokens could not be kept. \(failure.message)")
    }

    #expect(result.storageFailure?.code == .storageUnavailable)
  }

  @Test func file() async throws {
    let configuration = try TestApplication.configuration()
    let temporary = try TemporaryDirectory()
    let directory = temporary.path

    let store = FileTokenCacheStore(path: "\(directory)/tokens.json")
    let app = PublicClientApplication(configuration: configuration, store: store)

    #expect(await app.accounts().isEmpty)
  }

  @Test func encryptedFiles() async throws {
    let configuration = try TestApplication.configuration()
    let temporary = try TemporaryDirectory()
    let directory = temporary.path
    let key = Secret(Data(repeating: 1, count: EncryptedFileTokenCacheStore.keySize))

    let store = EncryptedFileTokenCacheStore(directory: "\(directory)/accounts", key: key)
    let app = PublicClientApplication(configuration: configuration, store: store)

    #expect(await app.accounts().isEmpty)
    #expect(await app.storageFailure == nil)
  }

  @Test func chosen() async throws {
    let configuration = try TestApplication.configuration()
    let temporary = try TemporaryDirectory()
    let directory = temporary.path
    func askForPassphrase() -> String { "correct horse battery staple" }

    let store = ChosenStore(setting: .encryptedFile, directory: directory)
    let app = PublicClientApplication(configuration: configuration, store: store)
    if await store.choice.passphrase != .notNeeded {
      try await store.unlock(with: Secret(askForPassphrase()))
    }
    print(await store.choice.sentence)

    #expect(await app.accounts().isEmpty)
    #expect(await app.storageFailure == nil)
    #expect(await store.choice.kind == .encryptedFile)
  }

  #if DESKTOP
    @Test func keyring() throws {
      let configuration = try TestApplication.configuration()

      let store = SecretServiceStore(application: "com.example.app", label: "Sign-in of Example")
      let app = PublicClientApplication(configuration: configuration, store: store)

      #expect(app.configuration == configuration)
    }
  #endif

  @Test func sharedFile() async throws {
    let configuration = try TestApplication.configuration()
    let temporary = try TemporaryDirectory()
    let directory = temporary.path

    let store = FileTokenCacheStore(path: "\(directory)/cache.json")
    let app = PublicClientApplication(configuration: configuration, store: store)

    #expect(await app.accounts().isEmpty)
  }

  #if DESKTOP
    /// Compiled only: it would read the keyring of whoever runs the tests.
    func preset() async throws {
      let configuration = try TestApplication.configuration()

      if let location = TokenCacheLocation.preset("azure-identity") {
        let app = PublicClientApplication(configuration: configuration, store: location.store)
        print(await app.accounts().map(\.username))
      }
    }

    @Test func encrypted() throws {
      let configuration = try TestApplication.configuration()
      let directory = "/tmp"

      let location = TokenCacheLocation.msalExtensions(path: "\(directory)/cache.bin")
      let app = PublicClientApplication(configuration: configuration, store: location.store)

      #expect(app.configuration == configuration)
      let item = try #require(location.keyringItem)
      // Computed with sha256sum.
      #expect(
        item.schema == "b3f23a4c712bbe3e9e599487f1baf058f0ef5edd7626b1b3adb000a8f8138ac7")
    }

    @Test func item() throws {
      let configuration = try TestApplication.configuration()
      let directory = "/tmp"

      let item = SharedKeyringItem(
        schema: "com.contoso.devtools.tokencache", ignoresSchema: true,
        attributes: ["Version": "1", "ProductGroup": "MyApps"],
        label: "MSAL token cache for all Contoso dev tool apps.", encoding: .base64,
        signalFile: "\(directory)/msal.cache")
      let app = PublicClientApplication(
        configuration: configuration, store: KeyringTokenCacheStore(item))

      #expect(app.configuration == configuration)
    }
  #endif

  @Test func ofOnesOwn() async throws {
    let store = DatabaseStore(database: Database())
    let app = try TestApplication.make(authority, store: store)
    let account = try await app.acquireToken(
      InteractiveTokenParameters(scopes: ["User.Read"], session: authority.pages)
    ).account

    let nextRun = try TestApplication.make(authority, store: store)
    #expect(await nextRun.accounts() == [account])
    try await nextRun.remove(account)
    #expect(await store.load().isEmpty)
  }
}

/// Keeps the records in a table of the app's encrypted database.
actor DatabaseStore: TokenCacheStore {
  private var database: Database

  init(database: Database) { self.database = database }

  func load() -> [StoredRecord] {
    database.rows(of: "tokens").map { StoredRecord(id: $0.key, contents: Secret($0.value)) }
  }

  func save(_ record: StoredRecord) {
    database.set(record.contents.exposed, for: record.id, in: "tokens")
  }

  func delete(id: String) {
    database.remove(id, from: "tokens")
  }
}

/// What a database does for ``DatabaseStore``.
struct Database {
  private var tables: [String: [String: Data]] = [:]

  func rows(of table: String) -> [String: Data] { tables[table] ?? [:] }
  mutating func set(_ data: Data, for key: String, in table: String) {
    tables[table, default: [:]][key] = data
  }
  mutating func remove(_ key: String, from table: String) { tables[table]?[key] = nil }
}
