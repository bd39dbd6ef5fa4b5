import CurlHTTP
import FoundationEssentials
import TestSupport
import Testing

@testable import AuthCore

/// A silent flow with its account.
private struct FlowRun {
  let world: FlowWorld
  var flow: SilentFlow
  var now: Date
  private var expectation: TokenGrant.Expectation?

  /// Starts `seconds` after the account's tokens were issued, which are valid for an hour.
  init(
    after seconds: Double, _ world: FlowWorld, hasBroker: Bool = false,
    renewsDueToken: Bool = false,
    record edit: (inout AccountRecord) -> Void = { _ in },
    configure: (inout SilentTokenParameters) -> Void = { _ in }
  ) throws {
    self.world = world
    now = world.start + seconds
    var record = try Self.record(world)
    edit(&record)
    let known = KnownAccount(record)
    var parameters = SilentTokenParameters(scopes: ["User.Read"], account: known.account)
    configure(&parameters)
    flow = SilentFlow(
      client: world.client, parameters: parameters, known: known, correlationID: "1",
      hasBroker: hasBroker, renewsDueToken: renewsDueToken)
  }

  /// The record of Adele, who signed in at the start time.
  static func record(_ world: FlowWorld, serial: Int = 1) throws -> AccountRecord {
    var record = AccountRecord(
      id: "1", clientID: world.client.clientID,
      homeAccountID: HomeAccountID(
        objectID: Person.adele.objectID, tenantID: Person.adele.homeTenant),
      environment: "login.microsoftonline.com", signedInAt: world.start)
    record.merge(
      try TokenGrant(
        checking: world.tokens(serial: serial), receivedAt: world.start,
        against: TokenGrant.Expectation(
          scopes: ["User.Read"], clientID: world.client.clientID,
          authority: world.client.authority, configuration: world.configuration,
          reason: .signIn)))
    return record
  }

  /// The token request that the flow returned as `action`.
  mutating func tokenRequest(after action: FlowAction) throws -> TokenRequest {
    guard case .describeAuthority(let authority) = action,
      case .requestTokens(let request, let expectation) = try flow.next(
        .described(FlowWorld.configuration(of: authority)), at: now)
    else { throw UnexpectedAction(description: "\(action)") }
    self.expectation = expectation
    return request
  }

  mutating func start() throws -> FlowAction { try flow.next(.started, at: now) }

  mutating func reply(_ reply: HTTPReply) throws -> FlowAction {
    try flow.next(reply, to: expectation, at: now)
  }
}

@Suite("The silent flow as a state machine")
struct SilentFlowTests {
  @Test("A valid token ends it immediately")
  func cached() throws {
    var run = try FlowRun(after: 60, FlowWorld())
    let action = try run.start()
    guard case .useCached(let cached) = action else {
      throw UnexpectedAction(description: "\(action)")
    }
    #expect(cached.token.secret.exposed == "access-1" && cached.freshness == .good)
  }

  @Test("An expired token is renewed in the account's home tenant")
  func renewed() throws {
    var run = try FlowRun(after: 3601, FlowWorld())
    let request = try run.tokenRequest(after: run.start())
    #expect(request.form["refresh_token"] == "refresh-1")
    #expect(request.url.contains(Person.contoso))
    #expect(request.retry == .repeatable)
    let action = try run.reply(run.world.tokens(serial: 2))
    guard case .keep(let grant, ["User.Read"]) = action else {
      throw UnexpectedAction(description: "\(action)")
    }
    #expect(grant.tokens == ["access-2", "refresh-2"])
    #expect(grant.spentToken?.exposed == "refresh-1" && grant.reason == .renewal)
  }

  @Test("Claims and a forced renewal bypass a valid token")
  func forced() throws {
    for configure in [
      { (parameters: inout SilentTokenParameters) in parameters.forceRefresh = true },
      { $0.claims = try? ClaimsRequest(json: #"{"access_token":{"acrs":null}}"#) },
    ] {
      var run = try FlowRun(after: 60, FlowWorld(), configure: configure)
      let request = try run.tokenRequest(after: run.start())
      #expect(request.form["grant_type"] == "refresh_token")
    }
  }

  @Test("Without an account or a refresh token, interaction is required")
  func nothingKept() throws {
    let world = try FlowWorld()
    var run = try FlowRun(after: 3601, world, record: { $0.refreshToken = nil })
    let error = try #require(throws: AuthenticationError.self) {
      try run.start()
    }
    #expect(error.code == .interactionRequired)
    let parameters = SilentTokenParameters(
      scopes: ["User.Read"], account: try FlowRun.record(world).account)
    var stranger = SilentFlow(
      client: world.client, parameters: parameters, known: nil, correlationID: "1",
      hasBroker: false)
    let unknown = try #require(throws: AuthenticationError.self) {
      try stranger.next(.started, at: world.start)
    }
    #expect(unknown.code == .interactionRequired)
  }

  @Test("After a rejected refresh token, it starts over with a newer one from the store")
  func renewedElsewhere() throws {
    var run = try FlowRun(after: 3601, FlowWorld())
    _ = try run.tokenRequest(after: run.start())
    guard case .lookAtStore = try run.reply(run.world.refusal("invalid_grant")) else {
      throw UnexpectedAction(description: "the store is not looked at")
    }
    var newer = try FlowRun.record(run.world, serial: 2)
    newer.accessTokens = []
    let request = try run.tokenRequest(
      after: run.flow.next(.storeRead(KnownAccount(newer)), at: run.now))
    #expect(request.form["refresh_token"] == "refresh-2")
    // It reads the store once: the second rejection is final.
    let end = try #require(throws: AuthenticationError.self) {
      try run.reply(run.world.refusal("invalid_grant"))
    }
    #expect(end.code == .interactionRequired)
  }

  @Test(
    "A rejected refresh token is kept unless the server reports it as bad",
    arguments: [(nil, false), ("bad_token", true)])
  func refused(suberror: String?, isForgotten: Bool) throws {
    var run = try FlowRun(after: 3601, FlowWorld())
    _ = try run.tokenRequest(after: run.start())
    _ = try run.reply(run.world.refusal("invalid_grant", suberror: suberror))
    let same = KnownAccount(try FlowRun.record(run.world))
    var event = FlowEvent.storeRead(same)
    if isForgotten {
      guard
        case .forgetRefreshToken(let token, same.account) = try run.flow.next(
          event, at: run.now)
      else { throw UnexpectedAction(description: "nothing is forgotten") }
      #expect(token.exposed == "refresh-1")
      event = .tokenForgotten
    }
    let error = try #require(throws: AuthenticationError.self) {
      try run.flow.next(event, at: run.now)
    }
    #expect(error.code == .interactionRequired)
  }

  @Test("During an outage, an expired token is returned if that is enabled")
  func outage() throws {
    for isEnabled in [true, false] {
      let world = try FlowWorld { $0.extendedLifetimeEnabled = isEnabled }
      var run = try FlowRun(after: 3601, world) {
        $0.accessTokens[0].extendedExpiresOn = world.start + 7200
      }
      _ = try run.tokenRequest(after: run.start())
      let outcome = Result {
        try run.flow.next(
          .failed(AuthenticationError(.serverUnavailable, "down")), at: run.now)
      }
      switch outcome {
      case .success(.useStale(let cached, _, let reason)):
        #expect(isEnabled && cached.freshness == .extended && reason.code == .serverUnavailable)
      case .failure(let error as AuthenticationError):
        #expect(!isEnabled && error.code == .serverUnavailable)
      default: throw UnexpectedAction(description: "\(outcome)")
      }
    }
  }

  @Test("A token that is due is returned to the caller, and renewed in the background")
  func due() throws {
    for renews in [false, true] {
      let world = try FlowWorld()
      var run = try FlowRun(after: 1801, world, renewsDueToken: renews) {
        $0.accessTokens[0].refreshOn = world.start + 1800
      }
      let action = try run.start()
      switch action {
      case .useCached(let cached): #expect(!renews && cached.freshness == .due)
      case .describeAuthority:
        #expect(renews && run.flow.telemetry.reason == .proactive)
      default: throw UnexpectedAction(description: "\(action)")
      }
    }
  }

  @Test("Tokens of another account are rejected")
  func otherAccount() throws {
    var run = try FlowRun(after: 3601, FlowWorld())
    _ = try run.tokenRequest(after: run.start())
    let error = try #require(throws: AuthenticationError.self) {
      try run.reply(run.world.tokens(of: .ben))
    }
    #expect(error.code == .accountMismatch)
  }

  @Test("The broker is used for its own accounts; without it, the local tokens are used")
  func broker() throws {
    let asBrokers: (inout AccountRecord) -> Void = {
      $0.profiles[0].accountSource = AccountRecord.Profile.broker
    }
    for lost in [nil, AuthenticationError(.brokerUnavailable, "gone")] {
      var run = try FlowRun(after: 3601, FlowWorld(), hasBroker: true, record: asBrokers)
      guard case .askBroker(let question) = try run.start() else {
        throw UnexpectedAction(description: "the broker is not asked")
      }
      #expect(question.token?.exposed == "access-1" && question.isKnown)
      let request = try run.tokenRequest(
        after: run.flow.next(lost.map { .failed($0) } ?? .brokerReplied(nil), at: run.now))
      #expect(request.form["refresh_token"] == "refresh-1")
    }
    // A cancellation at the broker does not fall back to another source.
    var run = try FlowRun(after: 3601, FlowWorld(), hasBroker: true, record: asBrokers)
    _ = try run.start()
    let error = try #require(throws: AuthenticationError.self) {
      try run.flow.next(.failed(AuthenticationError(.userCanceled, "canceled")), at: run.now)
    }
    #expect(error.code == .userCanceled)
  }

  @Test("An unexpected event is an error")
  func outOfOrder() throws {
    var run = try FlowRun(after: 3601, FlowWorld())
    let token = try TokenGrant(
      checking: run.world.tokens(), receivedAt: run.now, against: run.world.expectation)
    for event: FlowEvent in [
      .granted(token), .described(run.world.configuration), .brokerReplied(nil),
      .storeRead(nil), .tokenForgotten,
    ] {
      let error = try #require(throws: AuthenticationError.self) {
        try run.flow.next(event, at: run.now)
      }
      #expect(error.code == .invalidState)
    }
  }
}
