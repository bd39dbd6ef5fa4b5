import CurlHTTP
import Dispatch
import FoundationEssentials
import HTTPTypes
import IdentityEmulator
import TestSupport
import Testing

/// The emulator's functions for tests in the same process.
struct EmulatorTests {
  /// The value of a parameter in the query of `url`.
  private func parameter(_ name: String, in url: String) -> String? {
    url.split(separator: "?").last?.split(separator: "&")
      .first { $0.hasPrefix(name + "=") }?.dropFirst(name.count + 1).description
  }

  private func signIn(_ emulator: Emulator, _ client: Client) async throws -> TokenReply {
    let redirect = try await emulator.signIn(
      "adele@contoso.example", at: client.authorizationURL())
    let code = try #require(parameter("code", in: redirect))
    return try TokenReply(try await client.redeem(code))
  }

  // MARK: Start and stop

  @Test func `Stopping frees the port and removes the CA's directory`() async throws {
    let first = Emulator()
    let running = try await first.start()
    #expect(FileManager.default.fileExists(atPath: running.caFile))
    await first.stop()
    #expect(!FileManager.default.fileExists(atPath: running.caFile))
    let directory = running.caFile.dropLast("/ca.pem".count)
    #expect(!FileManager.default.fileExists(atPath: String(directory)))

    var configuration = EmulatorConfiguration()
    configuration.port = running.port
    try await withEmulator(configuration) { _, client in
      #expect(client.running.port == running.port)
    }
  }

  @Test(.timeLimit(.minutes(5)))
  func `A connection in use does not delay the stop`() async throws {
    let emulator = Emulator()
    let client = Client(try await emulator.start())
    await emulator.setDelay(.seconds(60), route: "/v1.0/me")
    let call = Task { try await client.get("/v1.0/me") }
    while await emulator.requestCounts["GET /v1.0/me"] == nil {
      try Task.checkCancellation()
      await Task.yield()
    }

    let time = await ContinuousClock().measure { await emulator.stop() }
    #expect(time < .seconds(30))
    await #expect(throws: HTTPError.self) { try await call.value }
  }

  @Test(.timeLimit(.minutes(5)))
  func `Connections that have just begun are closed too`() async throws {
    for _ in 1...5 {
      let emulator = Emulator()
      let client = Client(try await emulator.start())
      let calls = (1...10).map { _ in Task { try await client.get("/v1.0/me") } }
      await emulator.stop()
      for call in calls { _ = await call.result }
    }
  }

  /// Some connections are in the system's queue then, some are being set up, and some have just
  /// been closed by the other side.
  @Test(.timeLimit(.minutes(5)))
  func `A stop during new connections ends, and so do they`() async throws {
    for _ in 1...20 {
      let emulator = Emulator()
      let port = try await emulator.start().port
      let (isOver, count) = (LockedValue(false), LockedValue(0))
      try await withThrowingTaskGroup(of: Void.self) { group in
        for number in 0..<4 {
          group.addTask {
            var kept: [LoopbackClient] = []
            while !isOver.withLock({ $0 }) {
              guard let client = await Self.connection(to: UInt16(port)) else { break }
              count.withLock { $0 += 1 }
              if number == 0 { client.send("GET / HTTP/1.1\r\n\r\n") }
              // Half of them stay open without sending anything.
              if number % 2 == 0 { kept.append(client) }
              kept = kept.suffix(50)
            }
            for client in kept { #expect(await client.reply().status == nil) }
          }
        }
        while count.withLock({ $0 }) < 20, !Task.isCancelled { await Task.yield() }
        await emulator.stop()
        isOver.withLock { $0 = true }
        try await group.waitForAll()
      }
    }
  }

  /// A connection to `port`; nil when nobody listens there.
  ///
  /// Connecting may have to wait, and does not hold up a thread of the emulator.
  private static func connection(to port: UInt16) async -> LoopbackClient? {
    // ThreadSanitizer does not see that a continuation that is resumed at once hands over a value.
    let made = LockedValue<LoopbackClient?>(nil)
    await DispatchQueue(label: "connection").run {
      made.withLock { $0 = LoopbackClient(port: port) }
    }
    return made.withLock { $0 }
  }

  @Test func `A second start is an error`() async throws {
    try await withEmulator { emulator, _ in
      await #expect(throws: Emulator.StartError.self) { _ = try await emulator.start() }
    }
  }

  @Test func `A port in use is an error that names it`() async throws {
    try await withEmulator { _, client in
      var configuration = EmulatorConfiguration()
      configuration.port = client.running.port
      let second = Emulator(configuration: configuration)
      let error = await #expect(throws: Emulator.StartError.self) { _ = try await second.start() }
      guard case .cannotListen(let port, _) = error else {
        Issue.record("another error: \(String(describing: error))")
        return
      }
      #expect(port == client.running.port)
    }
  }

  @Test func `Without its CA, or with another run's CA, the emulator is not trusted`()
    async throws
  {
    try await withEmulator { _, client in
      try await withEmulator { _, other in
        let request = HTTPRequest(
          method: .get, scheme: "https", authority: "localhost:\(client.running.port)",
          path: "/v1.0/me")
        for configuration in [
          CurlClient.Configuration(), CurlClient.Configuration(caFile: other.running.caFile),
        ] {
          let error = await #expect(throws: HTTPError.self) {
            try await CurlClient(configuration).execute(request)
          }
          #expect(error?.code == .tlsFailure)
        }
      }
    }
  }

  // MARK: Signing in

  @Test func `A scripted sign-in ends with a code that is valid once`() async throws {
    try await withEmulator { emulator, client in
      let redirect = try await emulator.signIn(
        "adele@contoso.example", at: client.authorizationURL())
      #expect(redirect.hasPrefix("\(Client.redirectURI)?code="))
      #expect(parameter("state", in: redirect) == "xyz")

      let code = try #require(parameter("code", in: redirect))
      let tokens = try TokenReply(try await client.redeem(code))
      let me = try await client.get("/v1.0/me", token: tokens.accessToken)
      #expect(me.response.status == .ok)
      #expect(String(decoding: me.body, as: UTF8.self).contains("\"Adele Vance\""))
      #expect(try TokenReply(try await client.redeem(code)).error == "invalid_grant")
    }
  }

  @Test func `A scripted sign-in returns errors for the application`() async throws {
    try await withEmulator { emulator, client in
      let redirect = try await emulator.signIn(
        "adele@contoso.example", at: client.authorizationURL(extra: "&prompt=none"))
      #expect(parameter("error", in: redirect) == "login_required")
    }
  }

  @Test func `A scripted sign-in throws errors for the user`() async throws {
    try await withEmulator { emulator, client in
      let error = await #expect(throws: Emulator.SignInRefused.self) {
        try await emulator.signIn(
          "adele@contoso.example", at: client.authorizationURL(tenant: "fabrikam.example"))
      }
      #expect(error?.message.hasPrefix("AADSTS50020: ") == true)
    }
  }

  // MARK: Faults on demand

  @Test func `Expired access tokens are rejected until they are refreshed`() async throws {
    try await withEmulator { emulator, client in
      let tokens = try await signIn(emulator, client)
      let accessToken = try #require(tokens.accessToken)
      await emulator.expireAccessTokens()
      let refused = try await client.get("/v1.0/me", token: accessToken)
      #expect(refused.response.status == .unauthorized)

      let fresh = try TokenReply(try await client.refresh(try #require(tokens.refreshToken)))
      let me = try await client.get("/v1.0/me", token: fresh.accessToken)
      #expect(me.response.status == .ok)
    }
  }

  @Test func `Revoked refresh tokens require a new sign-in`() async throws {
    try await withEmulator { emulator, client in
      let tokens = try await signIn(emulator, client)
      try await emulator.revokeRefreshTokens(of: "adele@contoso.example")
      let refused = try TokenReply(try await client.refresh(try #require(tokens.refreshToken)))
      #expect(refused.error == "invalid_grant")
      #expect(refused.suberror == "bad_token")
      let again = try await signIn(emulator, client)
      #expect(
        try TokenReply(try await client.refresh(try #require(again.refreshToken))).error == nil)
    }
  }

  @Test func `A prepared reply is used once, instead of the real one`() async throws {
    try await withEmulator { emulator, client in
      let tokens = try await signIn(emulator, client)
      let refreshToken = try #require(tokens.refreshToken)
      await emulator.prepareTokenReply(CannedReply(status: 503, headers: ["Retry-After": "2"]))
      let refused = try await client.refresh(refreshToken)
      #expect(refused.response.status == .serviceUnavailable)
      #expect(refused.response.headerFields[.retryAfter] == "2")
      #expect(refused.body.isEmpty)
      #expect(try await client.refresh(refreshToken).response.status == .ok)
    }
  }

  @Test func `A fault is active until it is turned off`() async throws {
    var configuration = EmulatorConfiguration()
    configuration.faults = ["no-refresh-token"]
    try await withEmulator(configuration) { emulator, client in
      for _ in 1...2 {
        let tokens = try await signIn(emulator, client)
        #expect(tokens.refreshToken == nil)
      }
      await emulator.setFaults([])
      let tokens = try await signIn(emulator, client)
      #expect(tokens.refreshToken != nil)
    }
  }

  @Test func `Every fault has a unique name and a description`() {
    #expect(Set(Fault.all.map(\.name)).count == Fault.all.count)
    for fault in Fault.all {
      #expect(Fault(named: fault.name) == fault)
      #expect(fault.name.allSatisfy { $0.isLowercase || $0.isNumber || $0 == "-" })
      #expect(!fault.meaning.isEmpty && !fault.meaning.hasPrefix(" "))
    }
    #expect(Fault(named: "wrong-isuer") == nil)
    #expect(Fault.names(like: "wrong-isuer").first == "wrong-issuer")
    #expect(Set(Fault.names(like: "jwks")).isSuperset(of: ["jwks-garbage", "jwks-unavailable"]))
    #expect(Fault.names(like: "token-502").contains("token-503"))
  }

  @Test func `A literal that names no fault ends the program with its name`() async throws {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      let fault: Fault = "wrong-isuer"
      print(fault)
    }
    let said = String(decoding: try #require(result?.standardErrorContent), as: UTF8.self)
    #expect(said.contains("There is no fault 'wrong-isuer'. Did you mean one of wrong-issuer,"))
  }

  // MARK: Control

  @Test func `What is prepared before the start is there after it`() async throws {
    let emulator = Emulator()
    await emulator.setFaults(["no-refresh-token"])
    await emulator.prepareTokenReply(CannedReply(status: 503))
    await emulator.setTokenLifetime(7)
    try await emulator.addFile("Plan.txt", Data("1".utf8))
    #expect(await emulator.file("Plan.txt") == Data("1".utf8))

    let client = Client(try await emulator.start())
    let redirect = try await emulator.signIn(
      "adele@contoso.example", at: client.authorizationURL())
    let code = try #require(parameter("code", in: redirect))
    #expect(try await client.redeem(code).response.status == .serviceUnavailable)
    let reply = try await client.redeem(code)
    #expect(String(decoding: reply.body, as: UTF8.self).contains("\"expires_in\":7,"))
    let tokens = try TokenReply(reply)
    #expect(tokens.accessToken != nil && tokens.refreshToken == nil)
    await emulator.stop()
    #expect(await emulator.requestCounts == ["POST /{tenant}/oauth2/v2.0/token": 2])
  }

  @Test func `What a control cannot do is an error with a reason`() async throws {
    let emulator = Emulator()
    let nobody = "nobody@contoso.example"
    let missing = await #expect(throws: Emulator.ControlError.self) {
      try await emulator.addFile("a", Data(), of: nobody)
    }
    #expect(missing?.message == "There is no user 'nobody@contoso.example'.")
    await #expect(throws: Emulator.ControlError.self) { try await emulator.deleteUser(nobody) }
    await #expect(throws: Emulator.ControlError.self) {
      try await emulator.revokeRefreshTokens(of: nobody)
    }
    await #expect(throws: Emulator.ControlError.self) {
      try await emulator.addFile("Read me.txt/a", Data())
    }
    let refused = await #expect(throws: Emulator.SignInRefused.self) {
      try await emulator.enterDeviceCode("BCDFGHJKL", as: "adele@contoso.example")
    }
    #expect(refused?.message == "The emulator does not run.")
  }

  @Test(arguments: [
    ("token-lifetime", "seconds", "9223372036854775807"), ("delay", "milliseconds", "-1"),
    ("next-token-reply", "status", "1000"), ("next-token-reply", "status", "1e3"),
  ])
  func `An invalid number is rejected, and changes nothing`(
    path: String, field: String, value: String
  ) async throws {
    var configuration = EmulatorConfiguration()
    configuration.isControlEnabled = true
    try await withEmulator(configuration) { emulator, client in
      let reply = try await client.post("/control/\(path)", form: "\(field)=\(value)")
      #expect(reply.response.status == .badRequest)
      #expect(try await signIn(emulator, client).accessToken != nil)
    }
  }

  // MARK: Records

  @Test func `Requests are counted by route and recorded completely`() async throws {
    try await withEmulator { emulator, client in
      let tokens = try await signIn(emulator, client)
      let accessToken = try #require(tokens.accessToken)
      _ = try await client.get("/v1.0/me?$select=id", token: accessToken)
      #expect(
        await emulator.requestCounts == [
          "POST /{tenant}/oauth2/v2.0/token": 1, "GET /v1.0/me": 1,
        ])

      let request = try #require(await emulator.requests.last)
      #expect(request.query == "$select=id")
      #expect(request.headers[.authorization] == "Bearer \(accessToken)")
      #expect(request.description == "GET /v1.0/me 200")

      await emulator.forgetRequests()
      #expect(await emulator.requests.isEmpty)
    }
  }

  @Test func `All requests are counted, and the last ones kept`() async throws {
    try await withEmulator { emulator, client in
      let body = String(repeating: "x", count: 1 << 20)
      for _ in 1...20 { _ = try await client.post("/common/oauth2/v2.0/token", form: body) }
      let requests = await emulator.requests
      #expect((10..<20).contains(requests.count))
      #expect(requests.last?.body == body)
      #expect(await emulator.requestCounts == ["POST /{tenant}/oauth2/v2.0/token": 20])

      await emulator.forgetRequests()
      #expect(await emulator.requestCounts.isEmpty)
      _ = try await client.get("/devicelogin")
      #expect(await emulator.requests.map(\.path) == ["/devicelogin"])
    }
  }

  @Test func `The log contains no secret`() async throws {
    let (lines, continuation) = AsyncStream<String>.makeStream()
    var configuration = EmulatorConfiguration()
    configuration.log = { continuation.yield($0) }
    try await withEmulator(configuration) { emulator, client in
      _ = try await signIn(emulator, client)
    }
    continuation.finish()
    #expect(
      await lines.reduce(into: []) { $0.append($1) } == ["POST /common/oauth2/v2.0/token 200"])
  }
}
