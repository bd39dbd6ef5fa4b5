import AuthCore
import Dispatch
import FoundationEssentials
import Glibc
import TestSupport
import Testing

/// A file that other programs write, or that is not a token cache.
@Suite("Reading a shared file")
struct SharedFileTests {
  let authority = ScriptedAuthority()
  let clock = ManualClock()
  let directory: TemporaryDirectory
  var path: String { directory.path + "/cache.json" }

  init() throws {
    directory = try TemporaryDirectory()
  }

  func newRun() throws -> PublicClientApplication {
    try TestApplication.make(authority, clock: clock, store: FileTokenCacheStore(path: path))
  }

  func signIn(_ app: PublicClientApplication, _ person: Person) async throws {
    clock.advance(by: 1)
    authority.willSignIn(person)
    _ = try await app.acquireToken(
      InteractiveTokenParameters(scopes: ["User.Read"], session: authority.pages))
  }

  /// Files that a user may name by mistake.
  static let strangers: [String: [UInt8]] = [
    "a private key": Array(
      "-----BEGIN OPENSSH PRIVATE KEY-----\nb3BlbnNzaC1rZXktdjE\n-----END OPENSSH PRIVATE KEY-----\n"
        .utf8),
    "a cache in UTF-16": Peer.java.text.utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] },
    "a cache in base64": Array(Data(Peer.java.text.utf8).base64EncodedString().utf8),
    "a section that is null": Array(#"{"AccessToken": null}"#.utf8),
    "a section that is a list": Array(#"{"AccessToken": []}"#.utf8),
    "another program's settings": Array(#"{"version": 1, "apps": []}"#.utf8),
    "a list": Array("[]".utf8),
    "half a cache": Array(Peer.java.text.utf8.prefix(700)),
    "zeros": [UInt8](repeating: 0, count: 4096),
  ]

  @Test("A file that is replaced while it is opened can be read")
  func replaced() async throws {
    let directory = try TemporaryDirectory()
    try directory.write("cache.json", "{}")
    let path = "\(directory.path)/cache.json"
    let program = BusyProgram { [directory] in
      try? directory.write("new.json", "{}")
      rename("\(directory.path)/new.json", path)
    }
    defer { program.stop() }
    for _ in 0..<300 {
      #expect(try await FileTokenCacheStore(path: path).load().isEmpty)
    }
  }

  @Test("A cache larger than any real one is refused at once, with its name, and left unchanged")
  func terabytes() async throws {
    try directory.write("cache.json", "{}")
    let sizes = [off_t(1) << 42, off_t(1) << 40, off_t(1) << 34]
    _ = try #require(sizes.first { truncate(path, $0) == 0 })
    let before = fileState(of: path)
    let start = ContinuousClock.now
    let app = try newRun()
    #expect(await app.accounts().isEmpty)
    let failure = await app.storageFailure
    #expect(failure?.code == .storageUnavailable)
    #expect(failure?.message.contains("“\(path)” was not used: it is larger than") == true)
    #expect(ContinuousClock.now - start < .seconds(30))
    #expect(fileState(of: path) == before)
  }

  @Test(
    "A file that is no token cache is rejected and left unchanged",
    arguments: strangers.keys.sorted())
  func stranger(kind: String) async throws {
    let bytes = try #require(Self.strangers[kind])
    try directory.write("cache.json", "")
    try Data(bytes).write(to: URL(filePath: path))
    let before = (fileState(of: path), fileState(of: directory.path))
    let app = try newRun()
    #expect(await app.accounts().isEmpty)
    let failure = await app.storageFailure
    #expect(failure?.code == .storageUnavailable)
    #expect(failure?.message.contains("it is not a token cache") == true)
    #expect(failure?.message.contains("was not changed") == true)
    #expect((fileState(of: path), fileState(of: directory.path)) == before)
    // A sign-in does not overwrite it either.
    try await signIn(app, .adele)
    #expect(await app.accounts().map(\.username) == [Person.adele.username])
    #expect(await app.storageFailure?.code == .storageUnavailable)
    #expect(fileState(of: path) == before.0)
    #expect(directory.names == ["cache.json"])
  }

  @Test("Reading changes nothing", arguments: ["", "{}", Peer.python.text, Peer.dotNET.text])
  func noTrace(text: String) async throws {
    try directory.write("cache.json", text)
    let before = (fileState(of: path), fileState(of: directory.path))
    _ = try await FileTokenCacheStore(path: path).load()
    _ = try await UnifiedCache(of: FileTokenCacheStore(path: path))
    #expect((fileState(of: path), fileState(of: directory.path)) == before)
  }

  @Test("A cache that another program corrupts is repaired by the next write, and copied")
  func spoilt() async throws {
    let app = try newRun()
    try await signIn(app, .adele)
    let torn = "{\"AccessToken\": {\"half"
    try directory.write("cache.json", torn)
    #expect(await app.accounts().map(\.username) == [Person.adele.username])
    #expect(directory.names == ["cache.json"], "reading did nothing")
    try await signIn(app, .ben)
    let names = await (try newRun()).accounts().map(\.username)
    #expect(names == [Person.ben.username, Person.adele.username])
    let copies = directory.names.filter { $0.contains(".corrupt-") }
    #expect(copies.count == 1)
    #expect(try directory.read(try #require(copies.first)) == Data(torn.utf8))
    #expect(directory.mode(try #require(copies.first)) == 0o600)
  }

  @Test("While a program truncates and rewrites the file, every read is correct")
  func truncating() async throws {
    let text = Peer.python.text
    try directory.write("cache.json", text)
    let program = BusyProgram { [path] in
      // Like MSAL Python with msal-extensions: a lock file with the ID of a running process, and a
      // cache that is written in place.
      let lock = open("\(path).lockfile", O_CREAT | O_EXCL | O_WRONLY, 0o600)
      guard lock >= 0 else { return }
      put("\(getppid()) python", to: lock)
      let file = open(path, O_WRONLY | O_TRUNC)
      usleep(2000)
      for half in [text.utf8.prefix(900), text.utf8.dropFirst(900)] {
        put(String(decoding: half, as: UTF8.self), to: file)
        usleep(1000)
      }
      close(file)
      unlink("\(path).lockfile")
      close(lock)
      usleep(3000)
    }
    defer { program.stop() }
    var wrong = 0
    for _ in 0..<200 {
      let app = try newRun()
      if await app.accounts().count != 1 { wrong += 1 }
    }
    #expect(wrong == 0)
  }

  @Test("While a program without a lock empties and fills the file, every read is correct")
  func truncatingWithoutLock() async throws {
    let text = Peer.python.text
    try directory.write("cache.json", text)
    let program = BusyProgram { [path] in
      let file = open(path, O_WRONLY | O_TRUNC)
      // As a program that loses the processor.
      usleep(150_000)
      put(text, to: file)
      close(file)
      usleep(50_000)
    }
    defer { program.stop() }
    var wrong = 0
    for _ in 0..<20 where await (try newRun()).accounts().count != 1 { wrong += 1 }
    #expect(wrong == 0)
  }

  @Test("A write waits for a program without a lock that has emptied the file")
  func writingMeanwhile() async throws {
    try await signIn(try newRun(), .adele)
    let text = String(decoding: try directory.read("cache.json"), as: UTF8.self)
    let app = try newRun()
    #expect(await app.accounts().count == 1)
    let file = open(path, O_WRONLY | O_TRUNC)
    let (program, ending) = AsyncStream.makeStream(of: Void.self)
    // Not a task: other tests may keep the threads of those busy for longer than is waited.
    DispatchQueue(label: "program").asyncAfter(deadline: .now() + 0.3) {
      put(text, to: file)
      close(file)
      ending.finish()
    }
    try await signIn(app, .ben)
    for await _ in program {}
    #expect(await (try newRun()).accounts().count == 2)
  }

  @Test("An empty file counts as empty: an old one at once, a new one after some time")
  func emptyFile() async throws {
    func timeToLoad() async throws -> Duration {
      let start = ContinuousClock.now
      #expect(try await FileTokenCacheStore(path: path).load().isEmpty)
      return ContinuousClock.now - start
    }
    try directory.write("cache.json", "")
    let new = try await timeToLoad()
    #expect(new > .seconds(1))
    let past = timespec(tv_sec: time(nil) - 10, tv_nsec: 0)
    utimensat(AT_FDCWD, path, [past, past], 0)
    // Other programs can hold up one attempt.
    var old = new
    for _ in 1...3 { old = try await min(old, timeToLoad()) }
    #expect(old < new)
  }

  @Test("An empty file counts as an empty cache when nobody holds the lock")
  func emptyUnderLock() async throws {
    try directory.write("cache.json", "")
    // The parent process runs, and holds no lock except for the file, like MSAL Python.
    try directory.write("cache.json.lockfile", "\(getppid()) python")
    let error = await #expect(throws: AuthenticationError.self) {
      try await FileTokenCacheStore(path: path).load()
    }
    #expect(error?.message.contains("another program keeps changing it") == true)
    unlink(path + ".lockfile")
    #expect(try await FileTokenCacheStore(path: path).load().isEmpty)
  }
}

/// Writes `text`, which is short.
private func put(_ text: String, to file: Int32) {
  _ = write(file, text, text.utf8.count)
}
