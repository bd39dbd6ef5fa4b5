import CurlHTTP
import FoundationEssentials
import TestSupport
import Testing

@testable import AuthCore

/// A device code flow that has shown its code, which is valid for 15 minutes.
private struct Story {
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
    guard case .wait(let pause) = action else {
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
  @Test("It polls until the user is done, at the server's interval")
  func signIn() throws {
    var story = try Story()
    #expect(story.code.userCode == "BPPVYQZMA" && story.code.expiresOn == story.now + 900)
    var pauses = [try story.wait(story.flow.next(.codeShown, at: story.now))]
    for error in ["authorization_pending", "slow_down", "authorization_pending"] {
      #expect(try story.tokenRequest().form["device_code"] == "the-device-code")
      pauses.append(try story.wait(story.reply(story.world.refusal(error))))
    }
    #expect(pauses == [5, 5, 10, 10].map { .seconds($0) })
    _ = try story.tokenRequest()
    let action = try story.reply(story.world.tokens())
    guard case .keep(let grant, ["User.Read"]) = action else {
      throw UnexpectedAction(description: "\(action)")
    }
    #expect(grant.tokens == ["access-1", "refresh-1"] && grant.reason == .signIn)
  }

  @Test("Without a network, intervals double up to a minute; afterwards they are short again")
  func noNetwork() throws {
    var story = try Story()
    var pauses = [try story.wait(story.flow.next(.codeShown, at: story.now))]
    for _ in 1...5 {
      _ = try story.tokenRequest()
      let lost = AuthenticationError(.networkUnavailable, "lost")
      pauses.append(try story.wait(story.flow.next(.failed(lost), at: story.now)))
    }
    _ = try story.tokenRequest()
    pauses.append(
      try story.wait(
        story.reply(story.world.refusal("authorization_pending"))))
    #expect(pauses == [5, 10, 20, 40, 60, 60, 5].map { .seconds($0) })
  }

  @Test("The last interval ends when the code expires, and polling stops")
  func expired() throws {
    var story = try Story { $0["expires_in"] = .number("7") }
    #expect(try story.wait(story.flow.next(.codeShown, at: story.now)) == .seconds(5))
    _ = try story.tokenRequest()
    let pending = story.world.refusal("authorization_pending")
    #expect(try story.wait(story.reply(pending)) == .seconds(2))
    for code in [AuthenticationError.Code.deviceCodeExpired, .invalidState] {
      let error = try #require(throws: AuthenticationError.self) { try story.tokenRequest() }
      #expect(error.code == code)
    }
  }

  @Test("A final error of the server ends it")
  func refused() throws {
    var story = try Story()
    _ = try story.wait(story.flow.next(.codeShown, at: story.now))
    _ = try story.tokenRequest()
    let error = try #require(throws: AuthenticationError.self) {
      try story.reply(story.world.refusal("bad_verification_code"))
    }
    #expect(error.code == .serverError)
    let second = try #require(throws: AuthenticationError.self) { try story.tokenRequest() }
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
