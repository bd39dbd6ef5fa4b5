import AuthCore
import CurlHTTP
import FoundationEssentials
import Glibc
import TestSupport
import Testing

@Suite("The file store")
struct FileStoreTests {
  let authority = ScriptedAuthority()
  let clock = ManualClock()
  let directory: TemporaryDirectory
  var path: String { directory.path + "/cache.json" }

  init() throws {
    directory = try TemporaryDirectory()
  }

  func newRun(
    tenant: String = "common", clientID: String = TestApplication.clientID
  ) throws -> PublicClientApplication {
    PublicClientApplication(
      configuration: try PublicClientApplicationConfiguration(
        clientID: clientID, redirectURI: RedirectURI(TestApplication.redirectURI),
        authority: Authority("https://login.microsoftonline.com/\(tenant)")),
      store: FileTokenCacheStore(path: path),
      runtime: Runtime(now: { [clock] in clock.now }, sleep: { _ in }, transport: authority))
  }

  @discardableResult
  func signIn(
    _ app: PublicClientApplication, _ person: Person = .adele, scopes: [String] = ["User.Read"]
  ) async throws -> Account {
    clock.advance(by: 1)
    authority.willSignIn(person)
    return try await app.acquireToken(
      InteractiveTokenParameters(scopes: scopes, session: authority.pages)
    ).account
  }

  func content() throws -> JSON { try JSON(parsing: directory.read("cache.json")) }

  func entries(_ section: String) throws -> [JSON.Member] {
    try content()[section]?.object ?? []
  }

  // MARK: - Keeping accounts

  @Test("Accounts are kept between runs, without a request")
  func nextRun() async throws {
    let account = try await signIn(newRun())
    let asked = authority.calls.count
    let next = try newRun()
    #expect(await next.accounts() == [account])
    #expect(try await next.silently(account).accessToken.exposed == "access-canary-1")
    #expect(await next.storageFailure == nil)
    #expect(authority.calls.count == asked)
  }

  @Test("File and directory are accessible only to their owner, and no other files remain")
  func modes() async throws {
    let path = directory.path + "/new/deep/cache.json"
    let store = FileTokenCacheStore(path: path)
    #expect(try await store.load().isEmpty)
    #expect(directory.names == [])
    let app = try TestApplication.make(authority, clock: clock, store: store)
    try await signIn(app)
    #expect(directory.mode("new/deep/cache.json") == 0o600)
    #expect(directory.mode("new/deep") == 0o700)
    #expect(directory.names(in: "new/deep") == ["cache.json"])
  }

  @Test("Removing the last account leaves no token in the file")
  func remove() async throws {
    let app = try newRun()
    let adele = try await signIn(app)
    let ben = try await signIn(app, .ben)
    try await app.remove(adele)
    #expect(try entries("Account").count == 1)
    #expect(await (try newRun()).accounts() == [ben])
    try await app.remove(ben)
    let text = String(decoding: try directory.read("cache.json"), as: UTF8.self)
    #expect(!text.contains("canary") && !text.contains("contoso.example"))
    #expect(await (try newRun()).accounts().isEmpty)
  }

  @Test("What a killed process left of a write is removed by the next one, unless it is new")
  func unfinished() async throws {
    let app = try newRun()
    let adele = try await signIn(app)
    let old = timespec(tv_sec: time(nil) - 120, tv_nsec: 0)
    let strangers = ["cache.json.4711.x.new", "cache.json.new", "other.json.4711.1.new"]
    for name in ["cache.json.4711.1.new"] + strangers {
      try directory.write(name, "refresh-canary")
      utimensat(AT_FDCWD, "\(directory.path)/\(name)", [old, old], 0)
    }
    try directory.write("cache.json.4711.2.new", "refresh-canary")
    clock.advance(by: 3600)
    _ = try await app.silently(adele)
    #expect(directory.names == ["cache.json", "cache.json.4711.2.new"] + strangers)
  }

  @Test("A renewed refresh token replaces the old one")
  func renewal() async throws {
    let app = try newRun()
    let account = try await signIn(app)
    clock.advance(by: 3600)
    _ = try await app.silently(account)
    #expect(try entries("RefreshToken").map { $0.value["secret"]?.string } == ["refresh-canary-2"])
    #expect(try entries("AccessToken").map { $0.value["secret"]?.string } == ["access-canary-2"])
  }

  // MARK: - Sharing the file

  @Test("Another program's change is detected")
  func noticed() async throws {
    let (one, other) = (try newRun(), try newRun())
    #expect(await one.accounts().isEmpty)
    let adele = try await signIn(other)
    #expect(await one.accounts() == [adele])
    #expect(try await one.silently(adele).source == .cache)
    try await other.remove(adele)
    #expect(await one.accounts().isEmpty)
    let error = await #expect(throws: AuthenticationError.self) {
      try await one.silently(adele)
    }
    #expect(error?.code == .interactionRequired)
  }

  @Test("Two programs that write in turn keep each other's changes")
  func inTurn() async throws {
    let (one, other) = (try newRun(), try newRun())
    let adele = try await signIn(one)
    let ben = try await signIn(other, .ben)
    try await signIn(one, .adele, scopes: ["Mail.Read"])
    try await signIn(other, .adele, scopes: ["Files.Read"])
    for app in [one, other, try newRun()] {
      #expect(Set(await app.accounts()) == [adele, ben])
      for scope in ["User.Read", "Mail.Read", "Files.Read"] {
        #expect(try await app.silently(adele, scopes: [scope]).source == .cache)
      }
    }
  }

  @Test("Two apps share an account; each removes only its own tokens")
  func twoApps() async throws {
    let (one, other) = (try newRun(), try newRun(clientID: "other-app"))
    let adele = try await signIn(one)
    #expect(await other.accounts().isEmpty)
    try await signIn(other)
    #expect(try entries("Account").count == 1)
    try await one.remove(adele)
    #expect(await (try newRun()).accounts().isEmpty)
    #expect(await (try newRun(clientID: "other-app")).accounts() == [adele])
  }

  @Test("Many concurrent programs: no account is lost")
  func manyAtOnce() async throws {
    let people = (0..<12).map { number in
      Person(
        username: "\(number)@contoso.example", name: "\(number)",
        objectID: "9f4880d8-80ba-4c40-97bc-\(100_000_000_000 + number)", tenant: Person.contoso)
    }
    await withTaskGroup(of: Void.self) { group in
      for person in people {
        group.addTask {
          let own = ScriptedAuthority()
          own.willSignIn(person)
          let app = try? TestApplication.make(
            own, clock: clock, store: FileTokenCacheStore(path: path))
          _ = try? await app?.acquireToken(
            InteractiveTokenParameters(scopes: ["User.Read"], session: own.pages))
        }
      }
    }
    #expect(
      Set(await (try newRun()).accounts().map(\.username)) == Set(people.map(\.username)))
    #expect(directory.names == ["cache.json"])
  }

  // MARK: - Invalid files

  @Test("An empty file is an empty cache", arguments: ["", " \n", "{}", "\u{FEFF}{}"])
  func empty(text: String) async throws {
    try directory.write("cache.json", text)
    let app = try newRun()
    #expect(await app.accounts().isEmpty)
    #expect(await app.storageFailure == nil)
    let account = try await signIn(app)
    #expect(await (try newRun()).accounts() == [account])
    #expect(directory.names == ["cache.json"])
  }

  @Test("A file that others could read or write is rejected and left unchanged")
  func tooOpen() async throws {
    try await signIn(newRun())
    let before = try directory.read("cache.json")
    for mode: mode_t in [0o640, 0o604, 0o620, 0o602] {
      chmod(path, mode)
      let app = try newRun()
      #expect(await app.accounts().isEmpty)
      #expect(await app.storageFailure?.message.contains("others can read or write it") == true)
      try await signIn(app)
      #expect(try directory.read("cache.json") == before)
    }
    chmod(path, 0o600)
    #expect(await (try newRun()).accounts().count == 1)
  }

  @Test("A link, a pipe, a directory or a second hard link is rejected")
  func notAFile() async throws {
    try await signIn(newRun())
    let kinds: [(make: @Sendable (String) -> Void, words: String)] = [
      ({ symlink($0 + "/cache.json", $0 + "/other.json") }, "symbolic link"),
      ({ link($0 + "/cache.json", $0 + "/other.json") }, "hard link"),
      ({ mkfifo($0 + "/other.json", 0o600) }, "not a regular file"),
      ({ mkdir($0 + "/other.json", 0o700) }, "is a directory"),
    ]
    for kind in kinds {
      kind.make(directory.path)
      let store = FileTokenCacheStore(path: directory.path + "/other.json")
      let error = await #expect(throws: AuthenticationError.self) { try await store.load() }
      #expect(error?.code == .storageUnavailable)
      #expect(error?.message.contains(kind.words) == true)
      Glibc.remove(directory.path + "/other.json")
    }
  }

  @Test("A directory that others can write to is rejected")
  func openDirectory() async throws {
    chmod(directory.path, 0o777)
    let app = try newRun()
    try await signIn(app)
    #expect(await app.storageFailure?.message.contains("others can write to its directory") == true)
    #expect(directory.names == [])
    chmod(directory.path, 0o700)
    _ = await app.accounts()
    #expect(await app.storageFailure == nil)
    #expect(directory.names == ["cache.json"])
  }

  @Test("A new run does not read a cache in a directory that others can write to")
  func openDirectoryRead() async throws {
    try await signIn(newRun())
    for mode: mode_t in [0o777, 0o722, 0o770, 0o1777] {
      chmod(directory.path, mode)
      let store = FileTokenCacheStore(path: directory.path + "/cache.json")
      let error = await #expect(throws: AuthenticationError.self) { try await store.load() }
      #expect(error?.code == .storageUnavailable)
      #expect(error?.message.contains("run 'chmod go-w' on it") == true)
    }
    chmod(directory.path, 0o755)
    #expect(
      try await FileTokenCacheStore(path: directory.path + "/cache.json").load().count == 1)
  }

  // MARK: - The lock

  @Test(
    "The lock of a program that has ended is taken over",
    arguments: ["%d x", "{%d} x", "\u{FEFF}%d x"])
  func leftover(text: String) async throws {
    // The ID of a process that has ended.
    var process = pid_t()
    var arguments: [UnsafeMutablePointer<CChar>?] = [strdup("true"), nil]
    defer { free(arguments[0]) }
    try #require(posix_spawnp(&process, "true", nil, nil, &arguments, environ) == 0)
    waitpid(process, nil, 0)
    try directory.write("cache.json.lockfile", text.replacing("%d", with: "\(process)"))
    let app = try newRun()
    try await signIn(app)
    #expect(await app.storageFailure == nil)
    #expect(directory.names == ["cache.json"])
  }

  @Test("The lock file of no known program is taken over, however old it is")
  func ancientLock() async throws {
    try directory.write("cache.json.lockfile", "")
    // A time that not every file system can keep.
    let past = timespec(tv_sec: Int.min, tv_nsec: 0)
    utimensat(AT_FDCWD, path + ".lockfile", [past, past], 0)
    let app = try newRun()
    try await signIn(app)
    #expect(await app.storageFailure == nil)
    #expect(directory.names == ["cache.json"])
  }

  @Test(
    "While another program holds the lock, nothing is written; it is done later")
  func held() async throws {
    // The parent process runs, and holds no lock except for the file, like MSAL Python.
    try directory.write("cache.json.lockfile", "\(getppid()) python")
    let app = try newRun()
    let account = try await signIn(app)
    #expect(await app.storageFailure?.message.contains("another program has held its lock") == true)
    #expect(directory.names == ["cache.json.lockfile"])
    unlink(path + ".lockfile")
    #expect(await app.accounts() == [account])
    #expect(await app.storageFailure == nil)
    #expect(directory.names == ["cache.json"])
  }
}
