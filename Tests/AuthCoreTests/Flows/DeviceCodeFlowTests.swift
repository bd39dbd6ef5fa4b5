import CurlHTTP
import FoundationEssentials
import TestSupport
import Testing

@testable import AuthCore

/// A device code flow that has shown its code, which is good for fifteen minutes.
private struct Story {
  let world: FlowWorld
  var flow: DeviceCodeFlow
  var code: DeviceCode
  var now: Date

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
    guard case .describeAuthority(world.client.authority) = try flow.start(),
      case .requestCode(let request) = try flow.described(world.configuration),
      case .showCode(let code) = try flow.codeReplied(.json(answer), at: now)
    else { throw UnexpectedAction(description: "there is no code") }
    #expect(request.url == world.configuration.deviceAuthorizationEndpoint)
    #expect(request.form["scope"]?.contains("User.Read") == true)
    self.code = code
  }

  /// Lets the pause pass that `action` asks for.
  mutating func wait(_ action: DeviceCodeFlow.Action) throws -> Duration {
    guard case .wait(let pause) = action else {
      throw UnexpectedAction(description: "\(action)")
    }
    now += Double(pause.components.seconds)
    return pause
  }

  mutating func tokenRequest() throws -> TokenRequest {
    let action = try flow.waited(at: now)
    guard case .requestTokens(let request) = action else {
      throw UnexpectedAction(description: "\(action)")
    }
    return request
  }
}

@Suite("The device code flow, driven by hand")
struct DeviceCodeFlowTests {
  @Test("It asks until the person is done, and as often as the server wants")
  func signIn() throws {
    var story = try Story()
    #expect(story.code.userCode == "BPPVYQZMA" && story.code.expiresOn == story.now + 900)
    var pauses = [try story.wait(story.flow.shown(at: story.now))]
    for error in ["authorization_pending", "slow_down", "authorization_pending"] {
      #expect(try story.tokenRequest().form["device_code"] == "the-device-code")
      pauses.append(
        try story.wait(story.flow.replied(story.world.refusal(error), at: story.now)))
    }
    #expect(pauses == [5, 5, 10, 10].map { .seconds($0) })
    let action = try story.flow.replied(story.world.tokens(), at: story.now)
    guard case .finish(let grant) = action else {
      throw UnexpectedAction(description: "\(action)")
    }
    #expect(grant.tokens == ["access-1", "refresh-1"] && grant.isInteractive)
  }

  @Test("Without a network the pauses double up to a minute, and are short again with it")
  func noNetwork() throws {
    var story = try Story()
    var pauses = [try story.wait(story.flow.shown(at: story.now))]
    for _ in 1...5 {
      _ = try story.tokenRequest()
      let lost = AuthenticationError(.networkUnavailable, "lost")
      pauses.append(try story.wait(story.flow.failed(lost, at: story.now)))
    }
    _ = try story.tokenRequest()
    pauses.append(
      try story.wait(
        story.flow.replied(story.world.refusal("authorization_pending"), at: story.now)))
    #expect(pauses == [5, 10, 20, 40, 60, 60, 5].map { .seconds($0) })
  }

  @Test("The last pause ends with the code, and then nothing more is asked")
  func expired() throws {
    var story = try Story { $0["expires_in"] = .number("7") }
    #expect(try story.wait(story.flow.shown(at: story.now)) == .seconds(5))
    _ = try story.tokenRequest()
    let pending = story.world.refusal("authorization_pending")
    #expect(try story.wait(story.flow.replied(pending, at: story.now)) == .seconds(2))
    for code in [AuthenticationError.Code.deviceCodeExpired, .invalidState] {
      let error = try #require(throws: AuthenticationError.self) { try story.tokenRequest() }
      #expect(error.code == code)
    }
  }

  @Test("What the server says for good ends it")
  func refused() throws {
    var story = try Story()
    _ = try story.wait(story.flow.shown(at: story.now))
    _ = try story.tokenRequest()
    let error = try #require(throws: AuthenticationError.self) {
      try story.flow.replied(story.world.refusal("bad_verification_code"), at: story.now)
    }
    #expect(error.code == .serverError)
    let second = try #require(throws: AuthenticationError.self) { try story.tokenRequest() }
    #expect(second.code == .invalidState)
  }

  @Test("A service that has no endpoint for it says so before anything is asked")
  func notOffered() throws {
    let world = try FlowWorld()
    var flow = DeviceCodeFlow(
      client: world.client,
      parameters: DeviceCodeTokenParameters(scopes: ["User.Read"]) { _ in }, correlationID: "1")
    _ = try flow.start()
    var configuration = world.configuration
    configuration.deviceAuthorizationEndpoint = nil
    let error = try #require(throws: AuthenticationError.self) {
      try flow.described(configuration)
    }
    #expect(error.step == .discovery)
  }

  @Test("Nothing is asked before there is a code")
  func outOfOrder() throws {
    let world = try FlowWorld()
    var flow = DeviceCodeFlow(
      client: world.client,
      parameters: DeviceCodeTokenParameters(scopes: ["User.Read"]) { _ in }, correlationID: "1")
    for attempt in [
      { _ = try flow.described(world.configuration) },
      { _ = try flow.codeReplied(.json([:]), at: world.start) },
      { _ = try flow.shown(at: world.start) },
      { _ = try flow.waited(at: world.start) },
      { _ = try flow.replied(world.tokens(), at: world.start) },
    ] {
      let error = try #require(throws: AuthenticationError.self) { try attempt() }
      #expect(error.code == .invalidState)
    }
  }
}
