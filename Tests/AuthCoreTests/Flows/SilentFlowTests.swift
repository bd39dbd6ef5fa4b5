import CurlHTTP
import FoundationEssentials
import TestSupport
import Testing

@testable import AuthCore

/// A silent flow, and the account that it is for.
private struct Story {
  let world: FlowWorld
  var flow: SilentFlow
  var now: Date

  /// Begins `seconds` after the account's tokens came, which live for an hour.
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

  /// The record of Adele, who signed in as the world began.
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
          isInteractive: true)))
    return record
  }

  /// The request for new tokens, which the flow has come to with `action`.
  mutating func tokenRequest(after action: SilentFlow.Action) throws -> TokenRequest {
    guard case .describeAuthority(let authority) = action,
      case .requestTokens(let request) = try flow.described(FlowWorld.configuration(of: authority))
    else { throw UnexpectedAction(description: "\(action)") }
    return request
  }
}

@Suite("The silent flow, driven by hand")
struct SilentFlowTests {
  @Test("A token that is good still ends it at once")
  func cached() throws {
    var story = try Story(after: 60, FlowWorld())
    let action = try story.flow.start(at: story.now)
    guard case .useCached(let cached) = action else {
      throw UnexpectedAction(description: "\(action)")
    }
    #expect(cached.token.secret.exposed == "access-1" && cached.standing == .good)
  }

  @Test("A token that has run out is renewed, at the account's own tenant")
  func renewed() throws {
    var story = try Story(after: 3601, FlowWorld())
    let request = try story.tokenRequest(after: story.flow.start(at: story.now))
    #expect(request.form["refresh_token"] == "refresh-1")
    #expect(request.url.contains(Person.contoso))
    #expect(request.retry == .repeatable)
    let action = try story.flow.replied(story.world.tokens(serial: 2), at: story.now)
    guard case .finish(let grant) = action else {
      throw UnexpectedAction(description: "\(action)")
    }
    #expect(grant.tokens == ["access-2", "refresh-2"])
    #expect(grant.spentToken?.exposed == "refresh-1" && !grant.isInteractive)
  }

  @Test("Claims, and the wish for it, pass over a token that is good")
  func forced() throws {
    for configure in [
      { (parameters: inout SilentTokenParameters) in parameters.forceRefresh = true },
      { $0.claims = try? ClaimsRequest(json: #"{"access_token":{"acrs":null}}"#) },
    ] {
      var story = try Story(after: 60, FlowWorld(), configure: configure)
      let request = try story.tokenRequest(after: story.flow.start(at: story.now))
      #expect(request.form["grant_type"] == "refresh_token")
    }
  }

  @Test("Only the person can go on without an account, or without anything to renew it with")
  func nothingKept() throws {
    let world = try FlowWorld()
    var story = try Story(after: 3601, world, record: { $0.refreshToken = nil })
    let error = try #require(throws: AuthenticationError.self) {
      try story.flow.start(at: story.now)
    }
    #expect(error.code == .interactionRequired)
    let parameters = SilentTokenParameters(
      scopes: ["User.Read"], account: try Story.record(world).account)
    var stranger = SilentFlow(
      client: world.client, parameters: parameters, known: nil, correlationID: "1",
      hasBroker: false)
    let unknown = try #require(throws: AuthenticationError.self) {
      try stranger.start(at: world.start)
    }
    #expect(unknown.code == .interactionRequired)
  }

  @Test("A refused token: another process may have a newer one, with which it begins anew")
  func renewedElsewhere() throws {
    var story = try Story(after: 3601, FlowWorld())
    _ = try story.tokenRequest(after: story.flow.start(at: story.now))
    let refusal = try #require(throws: AuthenticationError.self) {
      try story.flow.replied(story.world.refusal("invalid_grant"), at: story.now)
    }
    guard case .lookAtStore = try story.flow.failed(refusal) else {
      throw UnexpectedAction(description: "the store is not looked at")
    }
    var newer = try Story.record(story.world, serial: 2)
    newer.accessTokens = []
    let request = try story.tokenRequest(
      after: story.flow.looked(at: KnownAccount(newer), at: story.now))
    #expect(request.form["refresh_token"] == "refresh-2")
    // It looks once: the second refusal is the last.
    let second = try #require(throws: AuthenticationError.self) {
      try story.flow.replied(story.world.refusal("invalid_grant"), at: story.now)
    }
    let end = try #require(throws: AuthenticationError.self) { try story.flow.failed(second) }
    #expect(end.code == .interactionRequired)
  }

  @Test(
    "A refused token that is the only one stays, unless the server says that it is bad",
    arguments: [(nil, false), ("bad_token", true)])
  func refused(suberror: String?, isForgotten: Bool) throws {
    var story = try Story(after: 3601, FlowWorld())
    _ = try story.tokenRequest(after: story.flow.start(at: story.now))
    let refusal = try #require(throws: AuthenticationError.self) {
      try story.flow.replied(
        story.world.refusal("invalid_grant", suberror: suberror), at: story.now)
    }
    _ = try story.flow.failed(refusal)
    let same = KnownAccount(try Story.record(story.world))
    let outcome = Result { try story.flow.looked(at: same, at: story.now) }
    switch outcome {
    case .success(.forgetRefreshToken(let token, _)):
      #expect(isForgotten && token.exposed == "refresh-1")
    case .failure(let error as AuthenticationError):
      #expect(!isForgotten && error.code == .interactionRequired)
    default: throw UnexpectedAction(description: "\(outcome)")
    }
  }

  @Test("During an outage, what is good for one serves: the old token, where that is switched on")
  func outage() throws {
    for isEnabled in [true, false] {
      let world = try FlowWorld { $0.extendedLifetimeEnabled = isEnabled }
      var story = try Story(after: 3601, world) {
        $0.accessTokens[0].extendedExpiresOn = world.start + 7200
      }
      _ = try story.tokenRequest(after: story.flow.start(at: story.now))
      let outcome = Result {
        try story.flow.failed(AuthenticationError(.serverUnavailable, "down"))
      }
      switch outcome {
      case .success(.useCached(let cached)): #expect(isEnabled && cached.standing == .extended)
      case .failure(let error as AuthenticationError):
        #expect(!isEnabled && error.code == .serverUnavailable)
      default: throw UnexpectedAction(description: "\(outcome)")
      }
    }
  }

  @Test("A token that is due serves who waits, and is renewed for who does not")
  func due() throws {
    for renews in [false, true] {
      let world = try FlowWorld()
      var story = try Story(after: 1801, world, renewsDueToken: renews) {
        $0.accessTokens[0].refreshOn = world.start + 1800
      }
      let action = try story.flow.start(at: story.now)
      switch action {
      case .useCached(let cached): #expect(!renews && cached.standing == .due)
      case .describeAuthority:
        #expect(renews && story.flow.refreshReason == .proactive)
      default: throw UnexpectedAction(description: "\(action)")
      }
    }
  }

  @Test("Tokens of another account are not taken")
  func otherAccount() throws {
    var story = try Story(after: 3601, FlowWorld())
    _ = try story.tokenRequest(after: story.flow.start(at: story.now))
    let error = try #require(throws: AuthenticationError.self) {
      try story.flow.replied(story.world.tokens(of: .ben), at: story.now)
    }
    #expect(error.code == .accountMismatch)
  }

  @Test("The broker is asked for its own accounts; without it, what is kept here serves")
  func broker() throws {
    let asBrokers: (inout AccountRecord) -> Void = {
      $0.profiles[0].accountSource = AccountRecord.Profile.broker
    }
    for lost in [nil, AuthenticationError(.brokerUnavailable, "gone")] {
      var story = try Story(after: 3601, FlowWorld(), hasBroker: true, record: asBrokers)
      guard case .askBroker(let old) = try story.flow.start(at: story.now) else {
        throw UnexpectedAction(description: "the broker is not asked")
      }
      #expect(old?.exposed == "access-1")
      let request = try story.tokenRequest(
        after: lost.map { try story.flow.failed($0) } ?? story.flow.brokerReplied(nil))
      #expect(request.form["refresh_token"] == "refresh-1")
    }
    // Who gave up there did not ask for a token from elsewhere.
    var story = try Story(after: 3601, FlowWorld(), hasBroker: true, record: asBrokers)
    _ = try story.flow.start(at: story.now)
    let error = try #require(throws: AuthenticationError.self) {
      try story.flow.failed(AuthenticationError(.userCanceled, "canceled"))
    }
    #expect(error.code == .userCanceled)
  }

  @Test("An answer that nobody waits for is none")
  func outOfOrder() throws {
    var story = try Story(after: 3601, FlowWorld())
    for attempt in [
      { _ = try story.flow.replied(story.world.tokens(), at: story.now) },
      { _ = try story.flow.described(story.world.configuration) },
      { _ = try story.flow.brokerReplied(nil) },
      { _ = try story.flow.looked(at: nil, at: story.now) },
    ] {
      let error = try #require(throws: AuthenticationError.self) { try attempt() }
      #expect(error.code == .invalidState)
    }
  }
}
