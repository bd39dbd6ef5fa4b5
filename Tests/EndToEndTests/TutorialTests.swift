import Foundation
import IdentityEmulator
import Testing

@Suite("The program of the article 'Sign in from a Swift command line'")
struct TutorialTests {
  /// The program, which is built in the same directory as the tests.
  static let program = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
    .deletingLastPathComponent().appending(path: "SignIn")

  /// Runs the program against the emulator; `see` is called with each line as it is printed.
  func run(
    _ world: World, home: URL, authority: String? = nil,
    see: @Sendable (String) async -> Void = { _ in }
  ) async throws -> (lines: [String], errors: String, status: Int32) {
    let process = Process()
    process.executableURL = Self.program
    process.environment = [
      "AUTHORITY": authority ?? world.running.authority, "API": "\(world.running.baseURL)/v1.0/me",
      "CA_FILE": world.running.caFile, "CLIENT_ID": ClientRegistration.demo.clientID,
      "HOME": home.path, "PATH": "/usr/bin:/bin",
      // Memory that it still has at its end is not a leak.
      "ASAN_OPTIONS": "detect_leaks=0",
    ]
    let output = Pipe()
    let errors = Pipe()
    process.standardOutput = output
    process.standardError = errors
    try process.run()
    var lines: [String] = []
    for await line in Self.lines(of: output.fileHandleForReading) {
      lines.append(line)
      await see(line)
    }
    // The text is short enough for the pipe, so the program does not wait for a reader.
    let words = errors.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return (lines, String(decoding: words, as: UTF8.self), process.terminationStatus)
  }

  private static func lines(of file: FileHandle) -> AsyncStream<String> {
    let (lines, continuation) = AsyncStream<String>.makeStream()
    Thread.detachNewThread {
      var rest = Data()
      while case let more = file.availableData, !more.isEmpty {
        rest += more
        while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
          continuation.yield(String(decoding: rest[..<end], as: UTF8.self))
          rest = Data(rest[(end + 1)...])
        }
      }
      continuation.finish()
    }
    return lines
  }

  @Test(
    "The tutorial shows a code, greets Adele, uses the account, and asks again when it has expired")
  func signIn() async throws {
    var configuration = EmulatorConfiguration()
    configuration.deviceCodeInterval = 1
    let home = URL.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: home, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: home) }

    try await World.with(configuration) { world in
      let first = try await run(world, home: home) { await Self.enterCode(in: $0, world) }
      #expect(first.lines.count == 2)
      #expect(first.errors.isEmpty)
      #expect(first.lines.last == "Hello, Adele Vance.")
      #expect(first.status == 0)

      await world.emulator.forgetRequests()
      let second = try await run(world, home: home)
      #expect(second.lines == ["Hello, Adele Vance."])
      #expect(second.status == 0)
      #expect(await world.emulator.requestCounts.keys.sorted() == ["GET /v1.0/me"])

      // The sign-in has ended, and there is no valid token.
      try await world.emulator.revokeRefreshTokens(of: "adele@contoso.example")
      let file = home.appending(path: ".sign-in-tokens.json")
      var cache = try #require(
        JSONSerialization.jsonObject(with: Data(contentsOf: file)) as? [String: Any])
      cache["AccessToken"] = [String: Any]()
      try JSONSerialization.data(withJSONObject: cache).write(to: file)
      let third = try await run(world, home: home) { await Self.enterCode(in: $0, world) }
      #expect(third.lines.count == 2 && third.errors.isEmpty)
      #expect(third.lines.last == "Hello, Adele Vance.")
      #expect(third.status == 0)
    }
  }

  /// Enters the code that a line shows, if it shows one.
  private static func enterCode(in line: String, _ world: World) async {
    let message = /open (\S+) in a browser and enter the code (\S+)\./
    guard let match = line.firstMatch(of: message) else { return }
    _ = await DeviceCodeTests.enter(String(match.2), at: String(match.1), world)
  }

  @Test("An error is shown as a sentence on standard error")
  func mistake() async throws {
    try await World.with { world in
      for authority in ["http://login.microsoftonline.com/common", "https://localhost:1/common"] {
        let run = try await run(world, home: .temporaryDirectory, authority: authority)
        #expect(run.status == 1)
        #expect(run.lines.isEmpty)
        #expect(run.errors.hasPrefix("It did not work: "))
        #expect(run.errors.hasSuffix(".\n") && run.errors.count { $0 == "\n" } == 1)
      }
    }
  }
}
