/// The broker of an app, and what it told so far.
///
/// It is asked by nobody on the way to a cached token.
actor BrokerSession {
  /// The broker.
  nonisolated let broker: any TokenBroker
  /// Whether it may get tokens for the app, or just cookies for the app's own pages.
  nonisolated let givesTokens: Bool
  private let clientID: String
  private var known: [BrokerAccount] = []
  /// Why it did not tell its accounts when it was last asked; nil when it did.
  private(set) var failure: AuthenticationError?

  /// Makes a session; nil without a way to a broker.
  init?(_ broker: (any TokenBroker)?, client: PublicClientApplicationConfiguration) {
    guard let broker else { return nil }
    self.broker = broker
    givesTokens = client.isBrokerRedirectURIRegistered && Self.serves(client.authority)
    clientID = client.clientID
  }

  /// Whether a broker knows accounts of `authority`: they are Microsoft Entra ID's.
  static func serves(_ authority: Authority) -> Bool {
    authority.kind == .entra && KnownClouds.contains(authority.environment)
  }

  /// The broker's accounts; those that it told before when it does not answer, see ``failure``.
  func accounts(_ correlationID: String) async -> [BrokerAccount] {
    do throws(AuthenticationError) {
      known = try await broker.accounts(clientID: clientID, correlationID: correlationID) ?? []
      failure = nil
    } catch {
      failure = error
    }
    return known
  }

  /// The broker's account with an ID; nil when it has none, or there is no broker.
  func account(
    _ id: HomeAccountID, _ correlationID: String
  ) async throws(AuthenticationError) -> BrokerAccount? {
    if let account = known.first(where: { $0.homeAccountID == id }) { return account }
    known = try await broker.accounts(clientID: clientID, correlationID: correlationID) ?? []
    return known.first { $0.homeAccountID == id }
  }

  /// Takes an account away from the app; nothing happens where the broker does not have it.
  func remove(_ id: HomeAccountID, _ correlationID: String) async throws(AuthenticationError) {
    guard let account = try await account(id, correlationID) else { return }
    _ = try await broker.remove(account, clientID: clientID, correlationID: correlationID)
    known.removeAll { $0.homeAccountID == id }
  }
}
