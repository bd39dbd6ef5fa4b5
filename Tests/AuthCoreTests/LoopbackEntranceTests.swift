import AuthCore
import FoundationEssentials
import Glibc
import TestSupport
import Testing

/// All users of this computer can read the URL that the browser is started with, in the process
/// list.
@Suite("The start URL of the browser", .timeLimit(.minutes(5)))
struct LoopbackEntranceTests {
  @Test(
    "The start URL reveals nothing of the sign-in, and redirects to the first page once",
    arguments: ["http://localhost", "http://127.0.0.1/back", TestApplication.redirectURI])
  func once(redirectURI: String) async throws {
    let pending = try await PendingLoopback(redirectURI: redirectURI)
    let opened = pending.opened
    #expect(!opened.contains("right") && !opened.contains("?") && !opened.contains("login"))
    let path = opened.split(separator: "/").last ?? ""
    #expect(path.utf8.count >= 22, "128 bits in base64url")
    if pending.request.redirectURI.isLoopback {
      #expect(opened == "http://\(pending.authority)/\(path)")
    } else {
      #expect(opened.hasPrefix("http://127.0.0.1:"))
    }

    let first = await LoopbackClient.visit(opened)
    #expect(first.status == 302)
    #expect(first.fields["location"] == pending.request.startURL)
    #expect(first.fields["cache-control"] == "no-store")
    #expect(first.fields["referrer-policy"] == "no-referrer")

    let second = await LoopbackClient.visit(opened)
    #expect(second.status == 410)
    #expect(second.fields["location"] == nil && !second.body.contains("right"))
    #expect(second.body.contains("start again"))
    pending.result.cancel()
    _ = await pending.result.value
  }

  @Test("Each sign-in has its own start URL")
  func random() async throws {
    var paths: Set<String> = []
    for _ in 0..<3 {
      let pending = try await PendingLoopback()
      paths.insert(String(pending.opened.split(separator: "/").last ?? ""))
      try await pending.finish()
    }
    #expect(paths.count == 3)
  }

  @Test(
    "Only a browser's request uses it up",
    arguments: [
      ("HEAD PATH HTTP/1.1\r\nHost: HOST\r\n\r\n", 405),
      ("POST PATH HTTP/1.1\r\nHost: HOST\r\nContent-Length: 0\r\n\r\n", 405),
      ("GET PATH HTTP/1.1\r\nHost: evil.example\r\n\r\n", 403),
      ("GET PATH/ HTTP/1.1\r\nHost: HOST\r\n\r\n", 404),
      ("GET PATHx HTTP/1.1\r\nHost: HOST\r\n\r\n", 404),
      ("GET //PATH HTTP/1.1\r\nHost: HOST\r\n\r\n", 404),
    ])
  func strangers(request: String, status: Int) async throws {
    let pending = try await PendingLoopback()
    let path = "/" + (pending.opened.split(separator: "/").last ?? "")
    let reply = try await pending.send(request.replacing("PATH", with: path))
    #expect(reply.status == status)
    #expect(reply.fields["location"] == nil && !reply.body.contains("right"))
    #expect(try await LoopbackClient.firstPage(at: pending.opened) == pending.request.startURL)
    try await pending.finish()
  }

  @Test("A start page whose URL could add header lines is not opened")
  func splitting() async throws {
    let request = WebAuthenticationRequest(
      startURL: "https://login.example/?state=s\r\nSet-Cookie: a=b",
      redirectURI: try RedirectURI("http://localhost"))
    let error = await #expect(throws: AuthenticationError.self) {
      try await SystemBrowserSession { _ in }.authenticate(request)
    }
    #expect(error?.code == .webAuthenticationFailed)
  }
}

/// Another user can learn the start URL from the process list, and the `state` from the browser.
@Suite(
  "Other users at the listener", .timeLimit(.minutes(5)),
  .enabled(if: geteuid() == 0, "only root can be someone else"))
struct LoopbackOtherUserTests {
  /// The user "nobody" of most systems.
  private static let nobody: uid_t = 65534

  private static func reply(
    to request: String, of pending: PendingLoopback, at address: String
  ) async throws -> LoopbackClient.Reply {
    let client = try #require(
      LoopbackClient.connecting(as: nobody, to: pending.port, at: address))
    client.send(request.replacing("HOST", with: pending.authority))
    return await client.reply()
  }

  @Test(
    "Another user's redirect with the right state is refused, and the user's own is still awaited",
    arguments: [
      "GET /?code=theirs&state=right HTTP/1.1\r\nHost: HOST\r\n\r\n",
      "GET /?error=access_denied&state=right HTTP/1.1\r\nHost: HOST\r\n\r\n",
      "POST / HTTP/1.1\r\nHost: HOST\r\nContent-Type: application/x-www-form-urlencoded\r\n"
        + "Content-Length: 23\r\n\r\ncode=theirs&state=right",
    ], ["127.0.0.1", "::1"])
  func redirect(request: String, address: String) async throws {
    let pending = try await PendingLoopback()
    let reply = try await Self.reply(to: request, of: pending, at: address)
    #expect(reply.status == 403)
    #expect(!reply.body.contains("theirs"))
    #expect(await pending.isServed)
    try await pending.finish()
  }

  @Test("Another user does not get the first page, and does not use up its address")
  func start() async throws {
    let pending = try await PendingLoopback()
    let path = "/" + (pending.opened.split(separator: "/").last ?? "")
    let reply = try await Self.reply(
      to: "GET \(path) HTTP/1.1\r\nHost: HOST\r\n\r\n", of: pending, at: "127.0.0.1")
    #expect(reply.status == 403)
    #expect(reply.fields["location"] == nil)
    #expect(try await LoopbackClient.firstPage(at: pending.opened) == pending.request.startURL)
    try await pending.finish()
  }
}

/// Any program on this computer can connect to the listener, and send anything.
@Suite("Other programs at the listener", .timeLimit(.minutes(5)))
struct LoopbackAbuseTests {
  /// Numbers that are the same in each run (Knuth, MMIX).
  private struct Noise: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return state ^ state >> 29
    }
  }

  @Test("No input ends the wait or crashes the program", arguments: 0..<8)
  func mutations(seed: UInt64) async throws {
    let pending = try await PendingLoopback()
    let seeds = [
      "GET /?code=c&state=wrong HTTP/1.1\r\nHost: HOST\r\nAccept: */*\r\n\r\n",
      "POST / HTTP/1.1\r\nHost: HOST\r\nContent-Type: application/x-www-form-urlencoded\r\n"
        + "Content-Length: 18\r\n\r\ncode=c&state=wrong",
    ]
    let pieces = [
      "\r\n", "\r\n\r\n", "\r", "\n", " ", ":", "\0", "%", "é", "\u{301}", "\u{85}", "HTTP/1.1",
      "Content-Length: 99999999999999999999", "/", "?", "#", "",
    ].map { Array($0.utf8) }
    var noise = Noise(state: seed)
    for _ in 0..<150 {
      var bytes = Array(
        try #require(seeds.randomElement(using: &noise)).replacing("HOST", with: pending.authority)
          .utf8)
      for _ in 0..<Int.random(in: 1...6, using: &noise) {
        let start = Int.random(in: 0...bytes.count, using: &noise)
        let end = min(bytes.count, start + Int.random(in: 0...40, using: &noise))
        bytes.replaceSubrange(start..<end, with: try #require(pieces.randomElement(using: &noise)))
      }
      let client = try #require(LoopbackClient(port: pending.port))
      client.send(bytes)
      client.finishSending()
      #expect(await client.reply().status != 200)
    }
    try await pending.finish()
  }

  @Test("After many concurrent sign-ins end, none of their listeners is open")
  func crowd() async throws {
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<20 {
        group.addTask {
          for _ in 0..<10 {
            let pending = try await PendingLoopback()
            pending.result.cancel()
            _ = await pending.result.value
            #expect(await !pending.isServed)
          }
        }
      }
      try await group.waitForAll()
    }
  }

  @Test("Without free file descriptors, the listener waits without using the CPU")
  func descriptors() async throws {
    await #expect(processExitsWith: .success) {
      let pending = try await PendingLoopback()
      // libdispatch needs descriptors for its first timer, and aborts when there are none.
      try await Task.sleep(for: .milliseconds(100))
      var limit = rlimit(rlim_cur: 256, rlim_max: 256)
      setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
      var fillers: [Int32] = []
      while true {
        let file = open("/dev/null", O_RDONLY)
        guard file >= 0 else { break }
        fillers.append(file)
      }
      close(fillers.removeLast())
      let client = try #require(LoopbackClient(port: pending.port))
      client.send("GET / HTTP/1.1\r\nHost: \(pending.authority)\r\n\r\n")
      // The CPU time of this process, which a busy loop would increase.
      let before = clock()
      try await Task.sleep(for: .seconds(1))
      #expect(Double(clock() - before) / 1_000_000 < 0.5)

      for file in fillers { close(file) }
      #expect(await client.reply().status == 400)
      try await pending.finish()
    }
  }
}
