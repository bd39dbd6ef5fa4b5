import AuthCore
import Foundation
import IdentityBroker
import Testing
import TestSupport

private let graph = AppWorld.scopes

private typealias World = AppWorld

private func failure(_ status: Int) -> StandIn.Answer {
  .text(#"{"brokerTokenResponse":{"error":{"context":"words","status":\#(status)}}}"#)
}

@Suite("An app with a broker")
struct BrokerSignInTests {
  @Test("A failing broker is distinguished from one without accounts")
  func failingAccounts() async throws {
    let world = try await World()
    try await world.standIn.setReplies(
      of: .getAccounts, to: .error("org.freedesktop.DBus.Error.Failed", "broken"), .leave, .usual)
    #expect(await world.app.brokerFailure == nil)
    for _ in 0..<2 {
      #expect(await world.app.accounts().isEmpty)
      #expect(await world.app.brokerFailure?.code == .brokerUnavailable)
    }
    let again = try await StandIn(.native, on: world.bus)
    #expect(await world.app.accounts().map(\.id) == [Person.adele.identifier])
    #expect(await world.app.brokerFailure == nil)
    again.end()
  }

  @Test(
    "A new account's token is no sign-in, and replaces no one on a shared device")
  func silentIsNoSignIn() async throws {
    let world = try await World()
    let store = MemoryTokenCacheStore()
    var configuration = try TestApplication.configuration()
    configuration.isBrokerRedirectURIRegistered = true
    configuration.isSharedDevice = true
    let app = PublicClientApplication(
      configuration: configuration, store: store,
      broker: LinuxIdentityBroker(address: world.bus.address),
      runtime: Runtime(
        now: { [clock = world.clock] in clock.now }, sleep: { _ in }, transport: world.authority))
    try await world.standIn.setReplies(
      of: .acquireTokenInteractively, to: failure(BrokerError.Status.fallbackToNativeMsal.rawValue))
    world.authority.willSignIn(.ben)
    _ = try await app.acquireToken(
      InteractiveTokenParameters(scopes: graph, session: world.authority.pages))
    let accounts = await app.accounts()
    let adele = try #require(accounts.first { $0.id == Person.adele.identifier })
    let result = try await app.acquireTokenSilent(.init(scopes: graph, account: adele))
    #expect(result.accessToken.exposed == "broker-canary-1")
    #expect(
      Set(await app.accounts().map(\.id)) == [Person.ben.identifier, Person.adele.identifier])
    // It is cached: the next call needs no request.
    #expect(
      try await app.acquireTokenSilent(.init(scopes: graph, account: adele)).source == .cache)
  }

  @Test("An expired token is rejected")
  func expired() async throws {
    let world = try await World()
    let account = try await world.brokerAccount()
    let answer = #"{"brokerTokenResponse":{"accessToken":"old","expiresOn":1500000000000}}"#
    try await world.standIn.setReplies(of: .acquireTokenSilently, to: .text(answer))
    let error = await #expect(throws: AuthenticationError.self) {
      try await world.app.acquireTokenSilent(.init(scopes: graph, account: account))
    }
    #expect(error?.code == .invalidResponse)
  }

  @Test(
    "The broker's accounts are listed, and nobody is signed in yet",
    arguments: StandIn.Dialect.allCases)
  func accounts(_ dialect: StandIn.Dialect) async throws {
    let world = try await World(dialect)
    let accounts = await world.app.accounts()
    #expect(accounts.map(\.id) == [Person.adele.identifier])
    #expect(accounts.map(\.isFromBroker) == [true])
    #expect(accounts.map(\.username) == ["adele@contoso.example"])
    #expect(accounts.map(\.name) == ["Adele Vance"])
    #expect(accounts.map(\.environment) == ["login.microsoftonline.com"])
    #expect(await world.app.accounts(username: "ADELE@contoso.example") == accounts)
    #expect(await world.app.accounts(username: "ben@contoso.example").isEmpty)
    #expect(await world.app.currentAccount().current == nil)
    #expect(world.authority.calls.isEmpty)
  }

  @Test("A silent request gets a token from the broker once, and again after it expires")
  func silent() async throws {
    let world = try await World()
    let account = try await world.brokerAccount()
    let parameters = SilentTokenParameters(scopes: graph, account: account)
    let first = try await world.app.acquireTokenSilent(parameters)
    #expect(first.accessToken.exposed == "broker-canary-1")
    #expect(first.source == .broker)
    #expect(first.expiresOn == Date(timeIntervalSince1970: 1_800_003_600))
    #expect(first.account.isFromBroker)
    #expect(first.tenantID == Person.contoso)
    #expect(first.idToken != nil)

    let call = try await world.standIn.call()
    #expect(call.method == "acquireTokenSilently")
    let sent = call.request["authParameters"] as? NSDictionary
    #expect(sent?["authorizationType"] as? Int == 1)
    #expect(
      sent?["authority"] as? String == "https://login.microsoftonline.com/\(Person.contoso)")
    #expect(sent?["requestedScopes"] as? [String] == graph)
    let sentAccount = sent?["account"] as? NSDictionary
    #expect(sentAccount?["environment"] as? String == "login.windows.net")
    #expect(sentAccount?["passwordExpiry"] as? Int == 0)

    // It has signed in here, and the token is in the store.
    #expect(await world.app.currentAccount().current == account)
    #expect(try await world.app.acquireTokenSilent(parameters).source == .cache)
    let next = try world.nextRun()
    #expect(try await next.acquireTokenSilent(parameters).source == .cache)
    #expect(try await world.standIn.calledMethods().isEmpty)

    world.clock.advance(by: 3400)
    let again = try await next.acquireTokenSilent(parameters)
    #expect(again.accessToken.exposed == "broker-canary-2")
    #expect(again.source == .broker)
    #expect(try await world.standIn.calledMethods() == ["getAccounts", "acquireTokenSilently"])
    #expect(world.authority.calls.isEmpty)
  }

  @Test("An invalid token is named in the request, and replaced")
  func renewal() async throws {
    let world = try await World()
    let account = try await world.brokerAccount()
    var parameters = SilentTokenParameters(scopes: graph, account: account)
    _ = try await world.app.acquireTokenSilent(parameters)
    parameters.claims = try ClaimsRequest(json: #"{"access_token":{"acrs":{"value":"c1"}}}"#)
    let result = try await world.app.acquireTokenSilent(parameters)
    #expect(result.accessToken.exposed == "broker-canary-2")
    _ = try await world.standIn.call()
    let sent = try await world.standIn.call().request["authParameters"] as? NSDictionary
    #expect(sent?["accessTokenToRenew"] as? String == "broker-canary-1")
    #expect(sent?["decodedClaims"] as? String == #"{"access_token":{"acrs":{"value":"c1"}}}"#)
  }

  @Test("A rejected request is an error, and another account's token is not stored")
  func refusals() async throws {
    let world = try await World()
    let account = try await world.brokerAccount()
    let parameters = SilentTokenParameters(scopes: graph, account: account)
    try await world.standIn.setReplies(of: .acquireTokenSilently, to: failure(2))
    var error = await #expect(throws: AuthenticationError.self) {
      try await world.app.acquireTokenSilent(parameters)
    }
    #expect(error?.code == .interactionRequired)
    #expect(error?.brokerError?.status == 2)

    let ben = Base64URL.encode(
      #"{"uid":"\#(Person.ben.objectID)","utid":"\#(Person.contoso)"}"#.utf8)
    try await world.standIn.setReplies(
      of: .acquireTokenSilently,
      to: .text(#"{"brokerTokenResponse":{"accessToken":"bens-canary","clientInfo":"\#(ben)"}}"#))
    error = await #expect(throws: AuthenticationError.self) {
      try await world.app.acquireTokenSilent(parameters)
    }
    #expect(error?.code == .accountMismatch)

    let header = #"{"alg":"RS256"}"#
    let token = [header, #"{"aud":"another-app"}"#, "x"].map { Base64URL.encode($0.utf8) }
    try await world.standIn.setReplies(
      of: .acquireTokenSilently,
      to: .text(
        #"{"brokerTokenResponse":{"accessToken":"a","idToken":"\#(token.joined(separator: "."))"}}"#
      ))
    error = await #expect(throws: AuthenticationError.self) {
      try await world.app.acquireTokenSilent(parameters)
    }
    #expect(error?.code == .invalidIDToken)
    #expect(world.store.load().isEmpty)
    #expect(world.authority.calls.isEmpty)
  }

  @Test(
    "The broker signs in without the app's pages", arguments: [StandIn.Dialect.java, .native])
  func interactive(_ dialect: StandIn.Dialect) async throws {
    let world = try await World(dialect)
    let result = try await world.signIn()
    #expect(result.accessToken.exposed == "broker-canary-1")
    #expect(result.source == .broker)
    #expect(result.account.id == Person.adele.identifier)
    #expect(result.account.username == "adele@contoso.example")
    #expect(result.account.name == "Adele Vance")
    #expect(result.account.isFromBroker)
    #expect(await world.app.currentAccount().current == result.account)
    #expect(world.authority.pagesShown.isEmpty)
    #expect(world.authority.calls.isEmpty)
    let call = try await world.standIn.call()
    #expect(call.method == "acquireTokenInteractively")
    let sent = call.request["authParameters"] as? NSDictionary
    #expect(sent?["prompt"] as? String == "select_account")
    #expect(sent?["account"] == nil)
    #expect(sent?["username"] == nil)
  }

  @Test("Without a prompt, a known account is tried without interaction first")
  func silentFirst() async throws {
    let world = try await World()
    let account = try await world.brokerAccount()
    let parameters: (inout InteractiveTokenParameters) -> Void = {
      $0.prompt = .promptIfNecessary
      $0.account = account
    }
    try await world.signIn(parameters)
    #expect(try await world.standIn.calledMethods() == ["acquireTokenSilently"])
    try await world.standIn.setReplies(of: .acquireTokenSilently, to: failure(2))
    try await world.signIn(parameters)
    #expect(
      try await world.standIn.calledMethods() == [
        "acquireTokenSilently", "acquireTokenInteractively",
      ])
  }

  @Test("A user who cancels in the broker's window is not asked again")
  func givenUp() async throws {
    let world = try await World()
    try await world.standIn.setReplies(of: .acquireTokenInteractively, to: failure(7))
    let error = await #expect(throws: AuthenticationError.self) { try await world.signIn() }
    #expect(error?.code == .userCanceled)
    #expect(world.authority.pagesShown.isEmpty)
  }

  @Test("When the broker cannot sign in, the app's pages are used", arguments: [false, true])
  func pagesInstead(_ isBroken: Bool) async throws {
    let world = try await World()
    let answer =
      isBroken ? .error("org.freedesktop.DBus.Error.Failed", "no display") : failure(20)
    try await world.standIn.setReplies(of: .acquireTokenInteractively, to: answer)
    let result = try await world.signIn()
    #expect(result.source == .server)
    #expect(!result.account.isFromBroker)
    // A broker that fails is not asked for cookies either.
    #expect(world.authority.pagesShown.first?.cookies.isEmpty == isBroken)
  }

  @Test(
    "A computer whose broker cannot serve it, such as one not enrolled, uses the app's pages",
    .serialized, arguments: [9, 17, 18, 19, 20, 21, 22, 23], [false, true])
  func unenrolled(_ status: Int, _ isRegistered: Bool) async throws {
    let world = try await World(isRegistered: isRegistered)
    let unable = StandIn.Answer.text(#"{"error":{"context":"words","status":\#(status)}}"#)
    for method in StandIn.Method.allCases where method != .getLinuxBrokerVersion {
      try await world.standIn.setReplies(of: method, to: unable)
    }
    #expect(await world.app.accounts().isEmpty)
    #expect(await world.app.brokerFailure == nil)
    let account = try await world.signIn().account
    #expect(!account.isFromBroker)
    #expect(world.authority.pagesShown.map(\.cookies.isEmpty) == [true])
    world.clock.advance(by: 4000)
    let parameters = SilentTokenParameters(scopes: graph, account: account)
    #expect(try await world.app.acquireTokenSilent(parameters).source == .server)
  }

  @Test(
    "When the broker can no longer serve its account, the user has to sign in",
    arguments: [17, 18, 19, 20])
  func noLongerEnrolled(_ status: Int) async throws {
    let world = try await World()
    let account = try await world.signIn().account
    world.clock.advance(by: 4000)
    try await world.standIn.setReplies(of: .acquireTokenSilently, to: failure(status))
    try await world.standIn.setReplies(of: .acquireTokenInteractively, to: failure(status))
    let error = await #expect(throws: AuthenticationError.self) {
      try await world.app.acquireTokenSilent(.init(scopes: graph, account: account))
    }
    #expect(error?.code == .interactionRequired)
    #expect(try await world.signIn { $0.account = account }.source == .server)
  }

  @Test("The broker ignores some prompts, so the app's pages do what they ask for")
  func promptsOfPages() async throws {
    let world = try await World()
    for prompt in [Prompt.login, .consent, .create] {
      let result = try await world.signIn { $0.prompt = prompt }
      #expect(result.source == .server)
      let page = try #require(world.authority.pagesShown.last)
      #expect(page.startURL.contains("prompt=\(prompt)"))
      #expect(!page.cookies.isEmpty)
    }
    #expect(
      try await world.standIn.calledMethods().contains("acquireTokenInteractively") == false)
  }

  @Test("The broker gets the app's window, and no hint that Microsoft's client rejects")
  func window() async throws {
    let world = try await World()
    try await world.signIn {
      $0.parentWindow = .wayland(exportedHandle: "handle")
      $0.domainHint = "contoso.example"
    }
    let request = try await world.standIn.call().request
    #expect(request["parentWindowExportedHandle"] as? String == "handle")
    let parameters = request["authParameters"] as? NSDictionary
    #expect(parameters?["additionalQueryParametersForAuthorization"] as? NSDictionary == [:])
  }

  @Test("An account that also signed in here does not depend on the broker")
  func bothWays() async throws {
    let world = try await World()
    try await world.signIn { $0.prompt = .create }
    let account = try await world.signIn().account
    #expect(account.isFromBroker)
    world.clock.advance(by: 4000)
    try await world.standIn.setReplies(of: .acquireTokenSilently, to: failure(0))
    let parameters = SilentTokenParameters(scopes: graph, account: account)
    #expect(try await world.app.acquireTokenSilent(parameters).source == .server)
  }

  @Test(
    "If the broker may not acquire tokens, it provides cookies for the pages",
    arguments: StandIn.Dialect.allCases)
  func cookies(_ dialect: StandIn.Dialect) async throws {
    let world = try await World(dialect, isRegistered: false)
    #expect(await world.app.accounts().isEmpty)
    let result = try await world.signIn()
    #expect(result.source == .server)
    #expect(!result.account.isFromBroker)
    let page = try #require(world.authority.pagesShown.first)
    #expect(
      page.cookies.first
        == WebCookie(
          name: "x-ms-RefreshTokenCredential", value: Secret("cookie-canary.of.adele"),
          host: "login.microsoftonline.com"))
    #expect(page.cookies.count == (dialect == .native ? 2 : 1))
    #expect(try await world.standIn.call().method == "getAccounts")
    let call = try await world.standIn.call()
    #expect(call.method == "acquirePrtSsoCookie")
    #expect(call.request["ssoUrl"] as? String == page.startURL)
    #expect(!"\(page)".contains("canary"))
  }

  @Test("Unknown users and other clouds get no cookies")
  func noCookies() async throws {
    let world = try await World(isRegistered: false)
    try await world.signIn { $0.loginHint = "ben@contoso.example" }
    #expect(try await world.standIn.calledMethods() == ["getAccounts"])
    try await world.signIn { $0.loginHint = "Adele@Contoso.example" }
    #expect(world.authority.pagesShown.map(\.cookies.isEmpty) == [true, false])

    let elsewhere = try await World(
      isRegistered: false, authority: "https://login.microsoftonline.us/common",
      host: "login.microsoftonline.us")
    try await elsewhere.signIn()
    #expect(elsewhere.authority.pagesShown.map(\.cookies.isEmpty) == [true])
    #expect(try await elsewhere.standIn.calledMethods().contains("acquirePrtSsoCookie") == false)
  }

  @Test("Pages work without cookies when the broker fails")
  func failingCookies() async throws {
    let world = try await World(isRegistered: false)
    try await world.standIn.setReplies(of: .acquirePrtSsoCookie, to: .text("{"), .leave)
    for _ in 1...2 { #expect(try await world.signIn().source == .server) }
    #expect(world.authority.pagesShown.map(\.cookies.isEmpty) == [true, true])
    // The broker is gone by now.
    #expect(try await world.signIn().source == .server)
  }

  @Test("An account that is not from the broker is not removed there")
  func signOutHere() async throws {
    let world = try await World()
    let account = try await world.signIn { $0.prompt = .create }.account
    _ = try await world.standIn.calledMethods()
    #expect(try await world.app.signOut(account).broker == .notAsked)
    #expect(try await world.standIn.calledMethods().isEmpty)
  }

  @Test("Without a broker nothing changes")
  func noBroker() async throws {
    let bus = try TestBus()
    let authority = ScriptedAuthority()
    let app = try World.app(
      bus, store: MemoryTokenCacheStore(), clock: ManualClock(), authority: authority,
      isRegistered: true)
    #expect(await app.accounts().isEmpty)
    let result = try await app.acquireToken(
      InteractiveTokenParameters(scopes: graph, session: authority.pages))
    #expect(result.source == .server)
    #expect(authority.pagesShown.map(\.cookies.isEmpty) == [true])
    #expect(try await app.brokerVersion() == nil)
    #expect(try await app.signOut(result.account).failures.isEmpty)
  }
}
