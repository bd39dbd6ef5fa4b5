import AuthCore
import Foundation
import IdentityBroker
import TestSupport
import Testing

/// How a broker that cannot remove accounts says so: as Microsoft's newest would, which has no such
/// method, and as Himmelblau does.
private let refusals: [StandIn.Answer] = [
  .error("org.freedesktop.DBus.Error.UnknownMethod", "No such method “removeAccount”"),
  .error("org.freedesktop.DBus.Error.NotSupported", "words"),
  .error("org.freedesktop.DBus.Error.Failed", "Not implemented"),
  .text(#"{"error":{"context":"Not implemented","status":0}}"#),
]

@Suite("Signing out with a broker")
struct BrokerSignOutTests {
  @Test("The account is removed from the broker", arguments: StandIn.Dialect.allCases)
  func removal(_ dialect: StandIn.Dialect) async throws {
    let world = try await AppWorld(dialect)
    let known = try await world.brokerAccount()
    let account = try await world.signIn { $0.account = known }.account
    _ = try await world.standIn.calledMethods()
    let result = try await world.app.signOut(account)
    #expect(result.removal == .done)
    #expect(result.broker == .done)
    #expect(result.failures.isEmpty)
    #expect(try await world.standIn.calledMethods().last == "removeAccount")
    #expect(await world.app.currentAccount().current == nil)
    #expect(world.store.load().isEmpty)
    // A broker that has removed the account decides itself when it lists it again.
    #expect(await world.app.accounts().isEmpty == (dialect == .himmelblau))
  }

  @Test(
    "With a broker that cannot remove it, the account stays signed out until it signs in again",
    .serialized, arguments: refusals)
  func staysSignedOut(_ refusal: StandIn.Answer) async throws {
    let world = try await AppWorld()
    try await world.standIn.setReplies(of: .removeAccount, to: refusal)
    let account = try await world.signIn().account
    #expect(try await world.app.signOut(account).failures.isEmpty)
    for app in [world.app, try world.nextRun()] {
      #expect(await app.accounts().isEmpty)
      #expect(await app.account(identifier: account.id) == nil)
      #expect(await app.brokerFailure == nil)
      let error = await #expect(throws: AuthenticationError.self) {
        try await app.acquireTokenSilent(.init(scopes: AppWorld.scopes, account: account))
      }
      #expect(error?.code == .interactionRequired)
    }
    let methods = try await world.standIn.calledMethods()
    #expect(!methods.contains("acquireTokenSilently"))

    let next = try world.nextRun()
    let parameters = InteractiveTokenParameters(
      scopes: AppWorld.scopes, session: world.authority.pages)
    #expect(try await next.acquireToken(parameters).account == account)
    #expect(await next.accounts() == [account])
    world.clock.advance(by: 3400)
    let silent = SilentTokenParameters(scopes: AppWorld.scopes, account: account)
    #expect(try await next.acquireTokenSilent(silent).source == .broker)
    // Signed in again for the other process too, whose data of the account is gone.
    #expect(await world.app.accounts() == [account])
  }

  @Test("A process that knew the account gets no token after another has signed it out")
  func otherProcess() async throws {
    let world = try await AppWorld(.himmelblau)
    let account = try await world.brokerAccount()
    let next = try world.nextRun()
    #expect(try await next.signOut(account).failures.isEmpty)
    await #expect(throws: AuthenticationError.self) {
      try await world.app.acquireTokenSilent(.init(scopes: AppWorld.scopes, account: account))
    }
    #expect(!(try await world.standIn.calledMethods().contains("acquireTokenSilently")))
  }

  @Test("Only this account is signed out, and only of this app")
  func othersStay() async throws {
    let world = try await BrokerWorld(.himmelblau)
    let account = try #require(
      await world.broker.accounts(clientID: clientID, correlationID: correlationID)?.first)
    var other = account
    other.homeAccountID = HomeAccountID(objectID: tenant, tenantID: tenant)
    let otherApp = "11111111-2222-3333-4444-555555555555"
    for (account, app) in [(account, otherApp), (other, clientID)] {
      #expect(
        try await world.broker.remove(account, clientID: app, correlationID: correlationID) != nil)
    }
    #expect(
      try await world.broker.accounts(clientID: clientID, correlationID: correlationID)
        == [account])
    #expect(
      try await world.broker.accounts(clientID: otherApp, correlationID: correlationID) == [])
    #expect(try await world.broker.acquireTokenSilently(request(account)) != nil)
  }

  @Test("An account signs out while the broker is away, too")
  func away() async throws {
    let world = try await AppWorld()
    let account = try await world.signIn().account
    world.standIn.end()
    #expect(try await world.app.signOut(account).failures.isEmpty)
    let back = try await StandIn(.native, on: world.bus)
    #expect(await world.app.accounts().isEmpty)
    back.end()
  }

  @Test("A broker that fails is reported, and asked again")
  func failing() async throws {
    let world = try await AppWorld()
    let account = try await world.signIn().account
    try await world.standIn.setReplies(
      of: .removeAccount, to: .error("org.freedesktop.DBus.Error.Failed", "broken"), .usual)
    let result = try await world.app.signOut(account)
    #expect(result.broker.error?.code == .brokerUnavailable)
    #expect(await world.app.accounts() == [account])
    var parameters = SignOutParameters()
    parameters.earlier = result
    #expect(try await world.app.signOut(account, parameters: parameters).failures.isEmpty)
  }

  @Test("A sign-out that cannot be remembered beyond this run is reported")
  func unwritable() async throws {
    let world = try await AppWorld(.himmelblau)
    let account = try await world.brokerAccount()
    try Data().write(to: world.bus.folder.appending(path: "signed-out"))
    let result = try await world.app.signOut(account)
    #expect(result.broker.error?.code == .storageUnavailable)
    #expect(result.broker.error?.message.contains(world.bus.folder.path) == true)
    #expect(await world.app.accounts().isEmpty)
  }
}
