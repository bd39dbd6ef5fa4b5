import AuthCore
import Foundation
import IdentityBroker
import TestSupport
import Testing

private let failed = "org.freedesktop.DBus.Error.Failed"

/// What brokers do otherwise than an app asks: Himmelblau's words and numbers are those of its
/// `src/daemon/src/broker.rs` and `src/broker/src/main.rs`.
@Suite("What a broker leaves to the app")
struct BrokerDifferenceTests {
  // MARK: - Accounts

  @Test("A user of the computer without an account at the broker is no failure")
  func noAccount() async throws {
    let world = try await AppWorld(.himmelblau)
    try await world.standIn.setReplies(
      of: .getAccounts, to: .error(failed, "Unable to find account"))
    #expect(await world.app.accounts().isEmpty)
    #expect(await world.app.brokerFailure == nil)
    try await world.standIn.setReplies(
      of: .getAccounts, to: .error(failed, "Unable to load account"))
    #expect(await world.app.accounts().isEmpty)
    #expect(await world.app.brokerFailure?.code == .brokerUnavailable)
  }

  @Test(
    "A broker that cannot ask for the account lends its cookies to the pages, which can",
    arguments: [
      .usual, .error(failed, "Missing account username in request"), .text(""),
    ] as [StandIn.Answer])
  func unnamedAccount(_ answer: StandIn.Answer) async throws {
    let world = try await AppWorld(.himmelblau)
    try await world.standIn.setReplies(of: .acquireTokenInteractively, to: answer)
    #expect(try await world.signIn().source == .server)
    let cookies = try #require(world.authority.pagesShown.first).cookies
    #expect(cookies.map(\.value.exposed) == ["cookie-canary.of.adele"])
  }

  @Test("With a named account, such a broker signs in")
  func namedAccount() async throws {
    let world = try await AppWorld(.himmelblau)
    let account = try await world.brokerAccount()
    let result = try await world.signIn { $0.account = account }
    #expect(result.source == .broker && result.account == account)
    #expect(world.authority.pagesShown.isEmpty)
    // Empty text is an error like any other then.
    try await world.standIn.setReplies(of: .acquireTokenInteractively, to: .text(""))
    #expect(try await world.signIn { $0.account = account }.source == .server)
    #expect(world.authority.pagesShown.map(\.cookies.isEmpty) == [true])
  }

  // MARK: - Tenants

  /// A silent request for a token of a tenant.
  private func silent(in tenant: String, _ account: Account) throws -> SilentTokenParameters {
    var parameters = SilentTokenParameters(scopes: AppWorld.scopes, account: account)
    parameters.authority = try Authority("https://login.microsoftonline.com/\(tenant)")
    return parameters
  }

  @Test(
    "A token of another tenant than the requested one is not kept",
    arguments: StandIn.Dialect.allCases)
  func otherTenant(_ dialect: StandIn.Dialect) async throws {
    let world = try await AppWorld(dialect)
    let account = try await world.brokerAccount()
    let parameters = try silent(in: Person.fabrikam, account)
    let error = await #expect(throws: AuthenticationError.self) {
      try await world.app.acquireTokenSilent(parameters)
    }
    #expect(error?.code == .interactionRequired)
    #expect(try await world.standIn.calledMethods() == ["acquireTokenSilently"])
    #expect(world.store.load().isEmpty)
  }

  @Test("The app's own refresh token gets the token of the requested tenant")
  func ownRefreshToken() async throws {
    let world = try await AppWorld()
    try await world.signIn { $0.prompt = .create }
    let account = try await world.signIn().account
    #expect(account.isFromBroker)
    world.authority.willSignIn(Person.adele.asGuest(in: Person.fabrikam, objectID: Person.contoso))
    let parameters = try silent(in: Person.fabrikam, account)
    let result = try await world.app.acquireTokenSilent(parameters)
    #expect(result.source == .server && result.tenantID == Person.fabrikam)
  }

  @Test("For personal accounts, a work account of the broker does not do")
  func consumers() async throws {
    let world = try await AppWorld()
    world.authority.willSignIn(.megan)
    let consumers = try Authority("https://login.microsoftonline.com/consumers")
    let result = try await world.signIn { $0.authority = consumers }
    #expect(result.source == .server && result.account.id == Person.megan.identifier)
  }

  @Test(
    "The cache has the token of a tenant that the authority names",
    arguments: StandIn.Dialect.allCases)
  func namedTenant(_ dialect: StandIn.Dialect) async throws {
    let world = try await AppWorld(dialect)
    let account = try await world.brokerAccount()
    let parameters = try silent(in: "contoso.example", account)
    #expect(try await world.app.acquireTokenSilent(parameters).source == .broker)
    #expect(try await world.app.acquireTokenSilent(parameters).source == .cache)
    // Only a token without the ID of its tenant makes it necessary to ask for that.
    #expect(world.authority.count(.configuration) == (dialect == .himmelblau ? 1 : 0))
  }

  @Test("A name of another tenant is no reason to use a token, nor is one whose tenant is unknown")
  func otherNamedTenant() async throws {
    let world = try await AppWorld(.himmelblau)
    let account = try await world.brokerAccount()
    let parameters = try silent(in: "fabrikam.example", account)
    world.authority.edit(.configuration) {
      $0["issuer"] = .string("https://login.microsoftonline.com/\(Person.fabrikam)/v2.0")
    }
    // A request is repeated once.
    world.authority.next(.configuration, times: 2, status: 503, "")
    for code in [AuthenticationError.Code.serverUnavailable, .interactionRequired] {
      let error = await #expect(throws: AuthenticationError.self) {
        try await world.app.acquireTokenSilent(parameters)
      }
      #expect(error?.code == code)
      #expect(world.store.load().isEmpty)
    }
  }

  // MARK: - Lifetimes

  @Test(
    "The lifetime that Himmelblau up to 3.1.12 adds in the wrong unit is read as what it is",
    arguments: [
      // Seconds added to milliseconds, with the extended lifetime in seconds.
      (1_800_000_003_599, 1_800_003_599, 3599), (1_800_000_003_599, 1_800_086_400, 3599),
      (1_800_000_086_399, 1_800_003_599, 3599),
      // Later versions, and Microsoft's brokers.
      (1_800_003_599_000, 1_800_003_599, 3599), (1_800_003_599_000, 1_800_086_400, 3599),
      (1_800_000_003_599, 1_800_003_599_000, 3),
    ])
  func lifetime(expiresOn: Int, extendedExpiresOn: Int, seconds: Int) async throws {
    let world = try await AppWorld(.himmelblau)
    let account = try await world.brokerAccount()
    try await world.standIn.setReplies(
      of: .acquireTokenSilently,
      to: .text(
        #"{"brokerTokenResponse":{"accessToken":"canary","expiresOn":\#(expiresOn),"#
          + #""extendedExpiresOn":\#(extendedExpiresOn)}}"#))
    let parameters = SilentTokenParameters(scopes: AppWorld.scopes, account: account)
    let result = try await world.app.acquireTokenSilent(parameters)
    #expect(result.expiresOn == world.clock.now + TimeInterval(seconds))
    if seconds == 3599 {
      world.clock.advance(by: 600)
      #expect(try await world.app.acquireTokenSilent(parameters).source == .cache)
    }
  }
}

extension BrokerSignInTests {
  @Test("The broker's version is available, or the error that prevents it")
  func version() async throws {
    let world = try await AppWorld()
    #expect(try await world.app.brokerVersion() == "3.0.1")
    try await world.standIn.setReplies(of: .getLinuxBrokerVersion, to: .text("{"))
    let error = await #expect(throws: AuthenticationError.self) {
      try await world.app.brokerVersion()
    }
    #expect(error?.code == .invalidResponse)
    world.standIn.end()
    #expect(try await world.app.brokerVersion() == nil)
  }
}
