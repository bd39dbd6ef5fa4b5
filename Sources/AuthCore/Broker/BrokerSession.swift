/// The app's broker, and the accounts that it returned last.
///
/// A cached token is found without calling it.
actor BrokerSession {
  /// The broker.
  nonisolated let broker: any TokenBroker
  /// Whether it may acquire tokens for the app, or only cookies for the app's own pages.
  nonisolated let givesTokens: Bool
  private let clientID: String
  private var known: [BrokerAccount] = []
  /// Why the last call for its accounts failed; nil when it succeeded.
  private(set) var failure: AuthenticationError?

  /// Creates a session; nil without a broker.
  init?(_ broker: (any TokenBroker)?, client: PublicClientApplicationConfiguration) {
    guard let broker else { return nil }
    self.broker = broker
    givesTokens = client.isBrokerRedirectURIRegistered && Self.serves(client.authority)
    clientID = client.clientID
  }

  /// Whether a broker has accounts of `authority`: only those of Microsoft Entra ID.
  static func serves(_ authority: Authority) -> Bool {
    authority.kind == .entra && KnownClouds.contains(authority.environment)
  }

  /// The broker's accounts; the previous ones when the call fails, see ``failure``.
  func accounts(_ correlationID: String) async -> [BrokerAccount] {
    do throws(AuthenticationError) {
      known = try await broker.accounts(clientID: clientID, correlationID: correlationID) ?? []
      failure = nil
    } catch let error where error.needsPages {
      // A broker that is not enrolled has no accounts, and that is no failure.
      (known, failure) = ([], nil)
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

  /// Removes an account from the app; does nothing when the broker does not have it.
  func remove(_ id: HomeAccountID, _ correlationID: String) async throws(AuthenticationError) {
    var listed: [BrokerAccount]? = known
    if !known.contains(where: { $0.homeAccountID == id }) {
      do throws(AuthenticationError) {
        listed = try await broker.accounts(clientID: clientID, correlationID: correlationID)
      } catch let error where error.needsPages {
        listed = nil
      }
    }
    // A broker that is away, or not enrolled, may list it later.
    let account =
      listed == nil ? BrokerAccount(id) : listed?.first { $0.homeAccountID == id }
    guard let account else { return }
    _ = try await broker.remove(account, clientID: clientID, correlationID: correlationID)
    known.removeAll { $0.homeAccountID == id }
  }
}

extension BrokerAccount {
  /// An account of which only the ID is known.
  fileprivate init(_ id: HomeAccountID) {
    self.init(
      homeAccountID: id, environment: nil, tenantID: id.tenantID, localAccountID: id.objectID,
      username: "", name: nil, original: ["homeAccountId": .string("\(id)")])
  }
}
