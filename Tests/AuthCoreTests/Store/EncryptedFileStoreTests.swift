import AuthCore
import CurlHTTP
import FoundationEssentials
import Glibc
import TestSupport
import Testing

@Suite("The encrypted file store")
struct EncryptedFileStoreTests {
  let authority = ScriptedAuthority()
  let clock = ManualClock()
  let directory: TemporaryDirectory
  let key = Secret(Data((0..<UInt8(EncryptedFileTokenCacheStore.keySize)).map { $0 &* 7 }))
  var path: String { directory.path + "/accounts" }

  init() throws { directory = try TemporaryDirectory() }

  func newStore(key: Secret<Data>? = nil) -> EncryptedFileTokenCacheStore {
    EncryptedFileTokenCacheStore(directory: path, key: key ?? self.key)
  }

  func newRun() throws -> PublicClientApplication {
    try TestApplication.make(authority, clock: clock, store: newStore())
  }

  func signIn(_ app: PublicClientApplication, _ person: Person = .adele) async throws -> Account {
    clock.advance(by: 1)
    authority.willSignIn(person)
    return try await app.acquireToken(
      InteractiveTokenParameters(scopes: ["User.Read"], session: authority.pages)
    ).account
  }

  func record(_ id: String, _ text: String) -> StoredRecord {
    StoredRecord(id: id, contents: Secret(Data(text.utf8)))
  }

  /// The files of records.
  var files: [String] { directory.names(in: "accounts").filter { $0.hasPrefix("account.") } }

  @Test("Accounts are kept between runs, without a request")
  func nextRun() async throws {
    let account = try await signIn(newRun())
    let asked = authority.calls.count
    let next = try newRun()
    #expect(await next.accounts() == [account])
    let result = try await next.acquireTokenSilent(.init(scopes: ["User.Read"], account: account))
    #expect(result.source == .cache && authority.calls.count == asked)
    #expect(await next.storageFailure == nil)
  }

  @Test("A record ID may contain any characters, and file names contain none of them")
  func names() async throws {
    let names = ["../../escape", "a b", "𝄞", "x.a", "index"]
    for name in names { try await newStore().save(record(name, name)) }
    #expect(Set(try await newStore().load().map(\.id)) == Set(names))
    #expect(directory.names == ["accounts"])
    for name in names { try await newStore().delete(id: name) }
    #expect(try await newStore().load().isEmpty)
    #expect(files.isEmpty)
  }

  @Test("The files reveal nothing about an account")
  func encrypted() async throws {
    _ = try await signIn(newRun())
    #expect(!files.isEmpty)
    for name in directory.names(in: "accounts") {
      let bytes = try directory.read("accounts/\(name)")
      for word in ["canary", "contoso", "adele", "login", "payload"] {
        #expect(bytes.firstRange(of: Data(word.utf8)) == nil)
      }
    }
  }

  @Test("Directory and files are accessible only to their owner, and no other files remain")
  func modes() async throws {
    _ = try await signIn(newRun())
    #expect(directory.mode("accounts") == 0o700)
    for name in directory.names(in: "accounts") {
      #expect(directory.mode("accounts/\(name)") == 0o600)
      #expect(["account", "record", "lock"].contains(name.prefix { $0 != "." }))
    }
  }

  @Test("A wrong key opens nothing, changes nothing, and is not mistaken for damage")
  func otherKey() async throws {
    try await newStore().save(record("x", "1"))
    let names = directory.names(in: "accounts")
    let other = Secret(Data(repeating: 1, count: EncryptedFileTokenCacheStore.keySize))
    let store = newStore(key: other)
    for _ in 1...2 {
      let error = await #expect(throws: AuthenticationError.self) { _ = try await store.load() }
      #expect(error?.code == .storageUnavailable)
      #expect(error?.message.contains("encrypted with another key or passphrase") == true)
    }
    let error = await #expect(throws: AuthenticationError.self) {
      try await store.save(record("y", "2"))
    }
    #expect(error?.message.contains("encrypted with another key or passphrase") == true)
    #expect(directory.names(in: "accounts") == names)
    #expect(try await newStore().load() == [record("x", "1")])
  }

  @Test("A key of another size is an error of each use", arguments: [0, 31, 33])
  func keySize(size: Int) async throws {
    let store = newStore(key: Secret(Data(repeating: 1, count: size)))
    let record = self.record("x", "1")
    let uses: [@Sendable () async throws -> Void] = [
      { _ = try await store.load() }, { try await store.save(record) },
      { try await store.delete(id: "x") }, { try await store.checkWriting() },
    ]
    for use in uses {
      let error = await #expect(throws: AuthenticationError.self) { try await use() }
      #expect(error?.code == .invalidParameter)
      #expect(error?.message.contains("\(size) bytes instead of 32") == true)
    }
    #expect(directory.names.isEmpty)
  }

  @Test("A file with another key is left alone, and the others can be opened")
  func oneOfAnotherKey() async throws {
    try await newStore().save(record("x", "1"))
    let ours = directory.names(in: "accounts")
    rename(path, path + ".other")
    let other = Secret(Data(repeating: 1, count: EncryptedFileTokenCacheStore.keySize))
    try await newStore(key: other).save(record("y", "2"))
    let theirs = try #require(files.first)
    rename("\(path)/\(theirs)", "\(path).other/\(theirs)")
    rename(path, path + ".rest")
    rename(path + ".other", path)
    let store = newStore()
    #expect(try await store.load() == [record("x", "1")])
    #expect(store.warning?.message.contains("another key") == true)
    #expect(directory.names(in: "accounts") == (ours + [theirs]).sorted())
    // The name of a file is made with the key, so that it is never in the way.
    let bytes = try directory.read("accounts/\(theirs)")
    try await store.save(record("y", "3"))
    #expect(try await newStore().load().count == 2)
    #expect(try directory.read("accounts/\(theirs)") == bytes)
  }

  @Test("A file with a changed byte is set aside, and the others are used", arguments: 0..<8)
  func changedByte(part: Int) async throws {
    let store = newStore()
    try await store.save(record("y", "1"))
    let other = try #require(files.first)
    try await store.save(record("x", "new"))
    let new = try #require(files.first { $0 != other })
    var bytes = Array(try directory.read("accounts/\(new)"))
    bytes[part * (bytes.count - 1) / 7] ^= 1
    let file = open("\(path)/\(new)", O_WRONLY | O_TRUNC)
    try #require(Glibc.write(file, bytes, bytes.count) == bytes.count)
    close(file)
    let next = newStore()
    #expect(try await next.load() == [record("y", "1")])
    #expect(next.warning?.code == .storageIncomplete)
    #expect(next.warning?.message.contains("Sign in again.") == true)
    #expect(directory.names(in: "accounts").count { $0.hasPrefix("quarantine.") } == 1)
  }

  @Test("A renamed file is invalid")
  func renamed() async throws {
    for id in ["x", "y"] { try await newStore().save(record(id, id)) }
    let names = files
    rename("\(path)/\(names[0])", "\(path)/\(names[1])")
    let store = newStore()
    #expect(try await store.load().isEmpty)
    #expect(store.warning != nil)
  }

  /// What can be in place of a file, and why it is not read.
  static let strangers: [(make: @Sendable (String) -> Void, words: String)] = [
    ({ symlink($0 + ".away", $0) }, "symbolic link"),
    ({ link($0 + ".away", $0) }, "hard link"),
    ({ mkfifo($0, 0o600) }, "not a regular file"),
    ({ mkdir($0, 0o700) }, "is a directory"),
    ({ close(open($0, O_CREAT | O_WRONLY, 0o644)) }, "others can read"),
    (
      {
        close(open($0, O_CREAT | O_WRONLY, 0o600))
        truncate($0, 1 << 34)
      }, "larger than 32 MB"
    ),
  ]

  @Test(
    "A record that cannot be read is reported and left unchanged, and the others are used",
    arguments: strangers.indices)
  func notAFile(kind: Int) async throws {
    try await newStore().save(record("x", "1"))
    let name = try #require(files.first)
    try await newStore().save(record("y", "2"))
    let file = "\(path)/\(name)"
    rename(file, file + ".away")
    Self.strangers[kind].make(file)
    let names = directory.names(in: "accounts")
    for _ in 1...2 {
      let store = newStore()
      #expect(try await store.load() == [record("y", "2")])
      #expect(store.warning?.code == .storageIncomplete)
      #expect(store.warning?.message.contains("“\(file)” was refused: ") == true)
      #expect(store.warning?.message.contains(Self.strangers[kind].words) == true)
    }
    #expect(directory.names(in: "accounts") == names)
    // Once the file is what it was, so is the account.
    remove(file)
    rename(file + ".away", file)
    let store = newStore()
    #expect(try await store.load().count == 2)
    #expect(store.warning == nil)
  }

  @Test(
    "Writing a record sets aside what is in its place; removing it removes that, too",
    arguments: strangers.indices)
  func strangerIsSetAside(kind: Int) async throws {
    try await newStore().save(record("x", "1"))
    let file = "\(path)/\(try #require(files.first))"
    try await newStore().save(record("y", "2"))
    for removes in [false, true] {
      rename(file, file + ".away")
      Self.strangers[kind].make(file)
      let store = newStore()
      _ = try await store.load()
      if removes {
        try await store.delete(id: "x")
        #expect(try await newStore().load() == [record("y", "2")])
      } else {
        try await store.save(record("x", "3"))
        let kept = try await newStore().load().sorted { $0.id < $1.id }
        #expect(kept == [record("x", "3"), record("y", "2")])
        #expect(directory.names(in: "accounts").count { $0.hasPrefix("quarantine.") } == 1)
      }
      let next = newStore()
      _ = try await next.load()
      #expect(next.warning == nil)
      remove(file + ".away")
    }
  }

  @Test(
    "An index that cannot be used keeps nobody from reading, signing in and signing out",
    arguments: 0..<strangers.count + 3)
  func strangeIndex(kind: Int) async throws {
    let app = try newRun()
    let adele = try await signIn(app)
    let ben = try await signIn(app, .ben)
    for name in directory.names(in: "accounts") where name.hasPrefix("index.") {
      let file = "\(path)/\(name)"
      switch kind - Self.strangers.count {
      case 0: truncate(file, 0)
      case 1: truncate(file, 60)
      case 2: try directory.write("accounts/\(name)", "[]")
      default:
        rename(file, file + ".away")
        Self.strangers[kind].make(file)
      }
    }
    let next = try newRun()
    let result = try await next.acquireTokenSilent(.init(scopes: ["User.Read"], account: adele))
    #expect(result.source == .cache)
    #expect(await next.accounts().count == 2)
    try await next.remove(ben)
    #expect(await (try newRun()).accounts() == [adele])
    #expect(try await signIn(next, .ben) == ben)
    let last = try newRun()
    #expect(await last.accounts().count == 2)
    #expect(await last.storageFailure == nil)
  }

  @Test("Thousands of damaged records are set aside at once, and three are kept")
  func junk() async throws {
    try await newStore().save(record("x", "1"))
    for number in 1...2000 {
      let name = Data("some junk \(number + 100_000)".utf8).base64EncodedString()
      try directory.write("accounts/account.\(name.prefix { $0 != "=" })", "junk")
    }
    let store = newStore()
    #expect(try await store.load() == [record("x", "1")])
    #expect(store.warning?.message.contains("2000 accounts could not be read") == true)
    #expect(directory.names(in: "accounts").count { $0.hasPrefix("account.") } == 1)
    #expect(directory.names(in: "accounts").count { $0.hasPrefix("quarantine.") } == 3)
  }

  @Test("A directory that others can write to is rejected")
  func openDirectory() async throws {
    try await newStore().save(record("x", "1"))
    chmod(path, 0o770)
    await #expect(throws: AuthenticationError.self) { _ = try await newStore().load() }
    await #expect(throws: AuthenticationError.self) { try await newStore().save(record("x", "2")) }
    chmod(path, 0o700)
    #expect(try await newStore().load() == [record("x", "1")])
  }

  @Test(
    "All processes have the same name for a directory, in any spelling, and no other has it")
  func lockName() async throws {
    try await newStore().save(record("x", "1"))
    symlink(path, path + ".link")
    let names = [path, path + "/", path + "/../accounts", path + ".link", path + ".other"].map {
      EncryptedFileTokenCacheStore(directory: $0, key: key).lockName
    }
    #expect(names[0] != nil)
    #expect(names.dropLast().allSatisfy { $0 == names[0] })
    #expect(names[4] != names[0])
  }

  @Test("The unfinished file of a killed process is deleted when it is old enough")
  func leftovers() async throws {
    try await newStore().save(record("x", "1"))
    try directory.write("accounts/young.new", "half")
    // The last is a time that not every file system can keep.
    for (name, seconds) in [("old.new", time(nil) - 3600), ("ancient.new", Int.min)] {
      try directory.write("accounts/\(name)", "half")
      let past = timespec(tv_sec: seconds, tv_nsec: 0)
      utimensat(AT_FDCWD, "\(path)/\(name)", [past, past], 0)
    }
    #expect(try await newStore().load() == [record("x", "1")])
    #expect(directory.names(in: "accounts").filter { $0.hasSuffix(".new") } == ["young.new"])
  }

  @Test("A damaged record is reported once; signing out and wiping still work")
  func damagedAccount() async throws {
    let app = try newRun()
    let adele = try await signIn(app)
    let before = files
    let ben = try await signIn(app, .ben)
    for name in files where !before.contains(name) {
      try directory.write("accounts/\(name)", "damaged")
    }
    let next = try newRun()
    #expect(await next.accounts() == [adele])
    let warning = await next.storageFailure
    #expect(warning?.code == .storageIncomplete)
    #expect(warning?.message.contains("Sign in again.") == true)
    let again = try await signIn(next, .ben)
    #expect(again == ben)
    #expect(await next.storageFailure == nil)
    try await next.remove(adele)
    var parameters = SignOutParameters()
    parameters.wipeCacheForAllAccounts = true
    let result = try await next.signOut(ben, parameters: parameters)
    #expect(result.failures.isEmpty)
    #expect(files.isEmpty)
    #expect(!directory.names(in: "accounts").contains { $0.hasPrefix("quarantine.") })
  }

  @Test("An account that another process removes during a renewal stays removed")
  func removedElsewhere() async throws {
    let (one, other) = (try newRun(), try newRun())
    let adele = try await signIn(one)
    clock.advance(by: 3600)
    authority.next(.token) { [authority] call in
      try? await other.remove(adele)
      return authority.usualReply(to: call)
    }
    _ = try await one.acquireTokenSilent(.init(scopes: ["User.Read"], account: adele))
    #expect(await one.accounts().isEmpty)
    #expect(await (try newRun()).accounts().isEmpty)
  }
}
