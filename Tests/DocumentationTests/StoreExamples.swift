import AuthCore
import FoundationEssentials
import TestSupport
import Testing

#if DESKTOP
  import SecretStore
#endif

@Suite("The examples of 'Keeping tokens'")
struct StoreExamples {
  let authority = ScriptedAuthority()

  @Test func failure() async throws {
    let configuration = try TestApplication.configuration()
    let store = SwitchedStore()
    store.fail(.load)

    let app = PublicClientApplication(configuration: configuration, store: store)
    let accounts = await app.accounts()
    if let failure = await app.storageFailure {
      print(failure.message)
    }

    #expect(accounts.isEmpty)
    #expect(await app.storageFailure?.code == .storageUnavailable)
  }

  @Test func file() async throws {
    let configuration = try TestApplication.configuration()
    let temporary = try TemporaryDirectory()
    let directory = temporary.path

    let store = FileTokenCacheStore(path: "\(directory)/tokens.json")
    let app = PublicClientApplication(configuration: configuration, store: store)

    #expect(await app.accounts().isEmpty)
  }

  #if DESKTOP
    @Test func keyring() throws {
      let configuration = try TestApplication.configuration()

      let store = SecretServiceStore(application: "com.example.app", label: "Sign-in of Example")
      let app = PublicClientApplication(configuration: configuration, store: store)

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

/// Keeps the records in a table of the app's own, encrypted database.
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
