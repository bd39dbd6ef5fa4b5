import CurlHTTP
import FoundationEssentials
import TestSupport
import Testing

@testable import AuthCore

/// A device code flow that has shown its code, which is valid for 15 minutes.
private struct FlowRun {
  let world: FlowWorld
  var flow: DeviceCodeFlow
  var code: DeviceCode
  var now: Date
  private var expectation: TokenGrant.Expectation?

  init(_ edit: (inout [String: JSON]) -> Void = { _ in }) throws {
    world = try FlowWorld()
    now = world.start
    flow = DeviceCodeFlow(
      client: world.client,
      parameters: DeviceCodeTokenParameters(scopes: ["User.Read"]) { _ in }, correlationID: "1")
    var answer: [String: JSON] = [
      "device_code": .string("the-device-code"), "user_code": .string("BPPVYQZMA"),
      "verification_uri": .string("https://microsoft.com/devicelogin"),
      "expires_in": .number("900"), "interval": .number("5"),
    ]
    edit(&answer)
    guard case .describeAuthority(world.client.authority) = try flow.next(.started, at: now),
      case .requestCode(let request) = try flow.next(.described(world.configuration), at: now),
      case .showCode(let code, _) = try flow.next(.codeReplied(.json(answer)), at: now)
    else { throw UnexpectedAction(description: "there is no code") }
    #expect(request.url == world.configuration.deviceAuthorizationEndpoint)
    #expect(request.form["scope"]?.contains("User.Read") == true)
    self.code = code
  }

  /// Performs the wait that `action` requests.
  mutating func wait(_ action: FlowAction) throws -> Duration {
    guard case .wait(let pause, _) = action else {
      throw UnexpectedAction(description: "\(action)")
    }
    now += Double(pause.components.seconds)
    return pause
  }

  mutating func tokenRequest() throws -> TokenRequest {
    let action = try flow.next(.waited, at: now)
    guard case .requestTokens(let request, let expectation) = action else {
      throw UnexpectedAction(description: "\(action)")
    }
    self.expectation = expectation
    return request
  }

  mutating func reply(_ reply: HTTPReply) throws -> FlowAction {
    try flow.next(reply, to: expectation, at: now)
  }
}

@Suite("The device code flow as a state machine")
struct DeviceCodeFlowTests {
  @Test("The flow polls until the user is done, at the server's interval")
  func signIn() throws {
    var run = try FlowRun()
    #expect(run.code.userCode == "BPPVYQZMA" && run.code.expiresOn == run.now + 900)
    var pauses = [try run.wait(run.flow.next(.codeShown, at: run.now))]
    for error in ["authorization_pending", "slow_down", "authorization_pending"] {
      #expect(try run.tokenRequest().form["device_code"] == "the-device-code")
      pauses.append(try run.wait(run.reply(run.world.refusal(error))))
    }
    #expect(pauses == [5, 5, 10, 10].map { .seconds($0) })
    _ = try run.tokenRequest()
    let action = try run.reply(run.world.tokens())
    guard case .keep(let grant, ["User.Read"]) = action else {
      throw UnexpectedAction(description: "\(action)")
    }
    #expect(grant.tokens == ["access-1", "refresh-1"] && grant.reason == .signIn)
  }

  @Test("Without a network, intervals double up to a minute; afterwards they are short again")
  func noNetwork() throws {
    var run = try FlowRun()
    var pauses = [try run.wait(run.flow.next(.codeShown, at: run.now))]
    for _ in 1...5 {
      _ = try run.tokenRequest()
      let lost = AuthenticationError(.networkUnavailable, "lost")
      pauses.append(try run.wait(run.flow.next(.failed(lost), at: run.now)))
    }
    _ = try run.tokenRequest()
    pauses.append(
      try run.wait(
        run.reply(run.world.refusal("authorization_pending"))))
    #expect(pauses == [5, 10, 20, 40, 60, 60, 5].map { .seconds($0) })
  }

  @Test("The last interval ends when the code expires, and polling stops")
  func expired() throws {
    var run = try FlowRun { $0["expires_in"] = .number("7") }
    #expect(try run.wait(run.flow.next(.codeShown, at: run.now)) == .seconds(5))
    _ = try run.tokenRequest()
    let pending = run.world.refusal("authorization_pending")
    #expect(try run.wait(run.reply(pending)) == .seconds(2))
    for code in [AuthenticationError.Code.deviceCodeExpired, .invalidState] {
      let error = try #require(throws: AuthenticationError.self) { try run.tokenRequest() }
      #expect(error.code == code)
    }
  }

  @Test("A final error of the server ends it")
  func refused() throws {
    var run = try FlowRun()
    _ = try run.wait(run.flow.next(.codeShown, at: run.now))
    _ = try run.tokenRequest()
    let error = try #require(throws: AuthenticationError.self) {
      try run.reply(run.world.refusal("bad_verification_code"))
    }
    #expect(error.code == .serverError)
    let second = try #require(throws: AuthenticationError.self) { try run.tokenRequest() }
    #expect(second.code == .invalidState)
  }

  @Test("A service without the endpoint is an error before anything is sent")
  func notOffered() throws {
    let world = try FlowWorld()
    var flow = DeviceCodeFlow(
      client: world.client,
      parameters: DeviceCodeTokenParameters(scopes: ["User.Read"]) { _ in }, correlationID: "1")
    _ = try flow.next(.started, at: world.start)
    var configuration = world.configuration
    configuration.deviceAuthorizationEndpoint = nil
    let error = try #require(throws: AuthenticationError.self) {
      try flow.next(.described(configuration), at: world.start)
    }
    #expect(error.step == .discovery)
  }

  @Test("There is no poll before there is a code")
  func outOfOrder() throws {
    let world = try FlowWorld()
    var flow = DeviceCodeFlow(
      client: world.client,
      parameters: DeviceCodeTokenParameters(scopes: ["User.Read"]) { _ in }, correlationID: "1")
    let token = try TokenGrant(
      checking: world.tokens(), receivedAt: world.start, against: world.expectation)
    for event: FlowEvent in [
      .described(world.configuration), .codeReplied(.json([:])), .codeShown, .waited,
      .granted(token),
    ] {
      let error = try #require(throws: AuthenticationError.self) {
        try flow.next(event, at: world.start)
      }
      #expect(error.code == .invalidState)
    }
  }
}
