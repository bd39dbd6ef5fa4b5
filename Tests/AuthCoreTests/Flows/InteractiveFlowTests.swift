import CurlHTTP
import FoundationEssentials
import HTTPTypes
import TestSupport
import Testing

@testable import AuthCore

/// An interactive flow whose pages are shown.
private struct FlowRun {
  let world: FlowWorld
  var flow: InteractiveFlow
  var shown: WebAuthenticationRequest
  private var expectation: TokenGrant.Expectation?

  /// Runs the flow until the pages.
  init(
    _ world: FlowWorld, configure: (inout InteractiveTokenParameters) -> Void = { _ in }
  ) throws {
    self.world = world
    var parameters = InteractiveTokenParameters(
      scopes: ["User.Read"], session: ScriptedPages { _ in "" })
    configure(&parameters)
    flow = InteractiveFlow(
      client: world.client, parameters: parameters, correlationID: "1",
      randomBytes: FlowWorld.bytes)
    guard
      case .describeAuthority(world.client.authority) = try flow.next(.started, at: world.start),
      case .showPages(let pages, _) = try flow.next(
        .described(world.configuration), at: world.start)
    else { throw UnexpectedAction(description: "there are no pages") }
    shown = pages
  }

  /// The parameter of the authorization request called `name`.
  func parameter(_ name: String) -> String {
    let query = shown.startURL.split(separator: "?", maxSplits: 1).last ?? ""
    return FormEncoding.parse(query)?.first { $0.name == name }?.value ?? ""
  }

  /// The redirect with the response to the request.
  func redirect(_ more: String = "") -> String {
    "\(world.client.redirectURI)?code=the-code&state=\(parameter("state"))\(more)"
  }

  mutating func tokenRequest(_ url: String) throws -> TokenRequest {
    try tokenRequest(.redirected(url))
  }

  mutating func tokenRequest(_ event: FlowEvent) throws -> TokenRequest {
    let action = try flow.next(event, at: world.start + 60)
    guard case .requestTokens(let request, let expectation) = action else {
      throw UnexpectedAction(description: "\(action)")
    }
    self.expectation = expectation
    return request
  }

  mutating func grant(_ reply: HTTPReply) throws -> TokenGrant {
    let action = try flow.next(reply, to: expectation, at: world.start + 61)
    guard case .keep(let grant, ["User.Read"]) = action else {
      throw UnexpectedAction(description: "\(action)")
    }
    return grant
  }
}

@Suite("The interactive flow as a state machine")
struct InteractiveFlowTests {
  @Test("From discovery and pages to checked tokens")
  func signIn() throws {
    var run = try FlowRun(FlowWorld())
    #expect(run.shown.startURL.hasPrefix(run.world.configuration.authorizationEndpoint + "?"))
    let request = try run.tokenRequest(run.redirect())
    #expect(request.url == run.world.configuration.tokenEndpoint)
    #expect(request.form["code"] == "the-code")
    #expect(request.form["code_verifier"] == Base64URL.encode(FlowWorld.bytes(32)))
    #expect(request.retry == .onlyOnce, "a code can be redeemed once")
    let grant = try run.grant(run.world.tokens(nonce: run.parameter("nonce")))
    #expect(grant.tokens == ["access-1", "refresh-1"])
    #expect(grant.homeAccountID.description == Person.adele.identifier)
    #expect(grant.reason == .signIn && grant.spentToken == nil)
    #expect(grant.expiresOn == run.world.start + 61 + 3600)
  }

  @Test("The pages open only once: a second discovery event is unexpected")
  func describedTwice() throws {
    var run = try FlowRun(FlowWorld())
    let error = try #require(throws: AuthenticationError.self) {
      try run.flow.next(.described(run.world.configuration), at: run.world.start)
    }
    #expect(error.code == .invalidState)
    #expect(throws: Never.self) { try run.tokenRequest(run.redirect()) }
  }

  @Test("Only one redirect is accepted: after a wrong one, the right one is rejected")
  func wrongThenRight() throws {
    var run = try FlowRun(FlowWorld())
    for url in ["\(run.world.client.redirectURI)?code=c&state=other", run.redirect()] {
      let error = try #require(throws: AuthenticationError.self) { try run.tokenRequest(url) }
      #expect(error.code == .invalidState && error.step == .authorization)
    }
  }

  @Test("A redirect is accepted for 15 minutes after the pages open")
  func late() throws {
    for (seconds, isTaken) in [(899.0, true), (900.0, false)] {
      var run = try FlowRun(FlowWorld())
      let url = run.redirect()
      let action = try? run.flow.next(.redirected(url), at: run.world.start + seconds)
      #expect((action != nil) == isTaken)
    }
  }

  @Test("A session in the browser waits no longer than its response would be accepted")
  func sessionLimit() async {
    #expect(await SystemBrowserSession(limit: .seconds(3600)).limit == .seconds(900))
    #expect(await SystemBrowserSession(limit: .seconds(60)).limit == .seconds(60))
    #expect(await SystemBrowserSession().limit == .seconds(900))
  }

  @Test(
    "A URL that comes before a request is forgotten in time, and one that answers none at once",
    .timeLimit(.minutes(1)))
  func earlyURL() async {
    let url = "\(TestApplication.redirectURI)?code=c"
    let session = SystemBrowserSession(limit: .milliseconds(20))
    #expect(await !session.resume(with: url))
    #expect(await session.earlyURL == nil)
    #expect(await !session.resume(with: "\(url)&state=s"))
    while await session.earlyURL != nil, !Task.isCancelled { await Task.yield() }
    #expect(await session.earlyURL == nil)
    let patient = SystemBrowserSession()
    #expect(await !patient.resume(with: "\(url)&state=s"))
    #expect(await patient.earlyURL == "\(url)&state=s")
  }

  @Test("A declined consent ends it, with the server's error")
  func refused() throws {
    var run = try FlowRun(FlowWorld())
    let url = "\(run.world.client.redirectURI)?error=access_denied&error_subcode=cancel"
    let error = try #require(throws: AuthenticationError.self) {
      try run.tokenRequest("\(url)&state=\(run.parameter("state"))")
    }
    #expect(error.code == .userCanceled && error.oauthError == "access_denied")
  }

  @Test("For an account in another cloud, that cloud's metadata is fetched first")
  func otherCloud() throws {
    var run = try FlowRun(FlowWorld { $0.multipleCloudsSupported = true })
    let host = "login.microsoftonline.us"
    let action = try run.flow.next(
      .redirected(run.redirect("&cloud_instance_host_name=\(host)")), at: run.world.start)
    guard case .describeAuthority(let cloud) = action else {
      throw UnexpectedAction(description: "\(action)")
    }
    #expect(cloud.environment == host)
    let request = try run.tokenRequest(
      .described(FlowWorld.configuration(of: cloud)))
    #expect(request.url.hasPrefix("https://\(host)/"))
    #expect(request.form["code"] == "the-code")
    let grant = try run.grant(
      run.world.tokens(nonce: run.parameter("nonce"), host: host))
    #expect(grant.authority == cloud)
  }

  @Test("Without multiple clouds, no other cloud gets the code")
  func cloudNotAskedFor() throws {
    var run = try FlowRun(FlowWorld())
    let request = try run.tokenRequest(
      run.redirect("&cloud_instance_host_name=login.microsoftonline.us"))
    #expect(request.url == run.world.configuration.tokenEndpoint)
  }

  @Test("A bound token is requested with the thumbprint of a key")
  func bound() throws {
    var run = try FlowRun(FlowWorld()) {
      $0.authenticationScheme = .proofOfPossession(
        httpMethod: .get, url: "https://api.contoso.example/")
    }
    let request = try run.tokenRequest(run.redirect())
    #expect(request.form["token_type"] == "pop" && request.form["req_cnf"] != nil)
    let error = try #require(throws: AuthenticationError.self) {
      try run.grant(run.world.tokens(nonce: run.parameter("nonce")))
    }
    #expect(error.code == .invalidResponse, "a bearer token is not the requested type")
  }

  @Test("Tokens for another request, or none, end it; a second response is rejected")
  func noTokens() throws {
    for (reply, code) in [
      (\FlowWorld.otherNonce, AuthenticationError.Code.invalidIDToken),
      (\FlowWorld.usedCode, .interactionRequired),
    ] {
      var run = try FlowRun(FlowWorld())
      _ = try run.tokenRequest(run.redirect())
      let error = try #require(throws: AuthenticationError.self) {
        try run.grant(run.world[keyPath: reply])
      }
      #expect(error.code == code && error.step == .token)
      let second = try #require(throws: AuthenticationError.self) {
        try run.grant(run.world.tokens(nonce: run.parameter("nonce")))
      }
      #expect(second.code == .invalidState)
    }
  }

  @Test("No event is accepted before the pages")
  func outOfOrder() throws {
    let world = try FlowWorld()
    let parameters = InteractiveTokenParameters(
      scopes: ["User.Read"], session: ScriptedPages { _ in "" })
    var flow = InteractiveFlow(
      client: world.client, parameters: parameters, correlationID: "1",
      randomBytes: FlowWorld.bytes)
    let token = try TokenGrant(
      checking: world.tokens(), receivedAt: world.start, against: world.expectation)
    for event: FlowEvent in [
      .redirected("\(world.client.redirectURI)?code=c"), .granted(token), .cookies([]),
    ] {
      let error = try #require(throws: AuthenticationError.self) {
        try flow.next(event, at: world.start)
      }
      #expect(error.code == .invalidState)
    }
  }

  @Test("The broker's cookies are requested before the pages open, and passed to them")
  func cookies() throws {
    let world = try FlowWorld()
    let parameters = InteractiveTokenParameters(
      scopes: ["User.Read"], session: ScriptedPages { _ in "" })
    var flow = InteractiveFlow(
      client: world.client, parameters: parameters, correlationID: "1", hasCookies: true,
      randomBytes: FlowWorld.bytes)
    _ = try flow.next(.started, at: world.start)
    guard
      case .requestCookies(let asked, _) = try flow.next(
        .described(world.configuration), at: world.start),
      case .showPages(let shown, _) = try flow.next(
        .cookies([WebCookie(name: "c", value: Secret("1"), host: "a.example")]), at: world.start)
    else { throw UnexpectedAction(description: "there are no pages") }
    #expect(asked.startURL == shown.startURL && asked.cookies.isEmpty)
    #expect(shown.cookies.map(\.name) == ["c"])
  }
}

extension FlowWorld {
  fileprivate var otherNonce: HTTPReply { tokens(nonce: "other") }
  fileprivate var usedCode: HTTPReply { refusal("invalid_grant") }
}
