import AuthCore
import CurlHTTP
import FoundationEssentials
import TestSupport

/// A provider that records its calls.
final class ScriptedProvider: ExternalAccountProvider {
  private struct State {
    var accounts: [ExternalAccount] = []
    var news: [String] = []
    var fails = false
    /// The user name of an account that is not removed.
    var refused: String?
  }

  private let state = LockedValue(State())

  init(_ accounts: [ExternalAccount] = []) {
    state.withLock { $0.accounts = accounts }
  }

  func fail() { state.withLock { $0.fails = true } }

  /// Fails to remove one account from now on; nil for none.
  func refuse(_ person: Person?) { state.withLock { $0.refused = person?.username } }

  /// The calls since the last time.
  func takeNews() -> [String] {
    state.withLock { state in
      defer { state.news = [] }
      return state.news
    }
  }

  func accounts() throws(AuthenticationError) -> [ExternalAccount] {
    try note(nil)
    return state.withLock { $0.accounts }
  }

  func update(_ account: Account) throws(AuthenticationError) {
    try note("update \(account.username)")
  }

  func remove(_ account: Account, wipesAccount: Bool) throws(AuthenticationError) {
    try note("\(wipesAccount ? "wipe" : "remove") \(account.username)", of: account.username)
  }

  private func note(
    _ text: String?, of removed: String? = nil
  ) throws(AuthenticationError) {
    let fails = state.withLock { state in
      if let text { state.news.append(text) }
      return state.fails || removed != nil && removed == state.refused
    }
    if fails { throw AuthenticationError(.serverUnavailable, "The other program is away.") }
  }

  func app(
    _ authority: ScriptedAuthority, store: any TokenCacheStore = MemoryTokenCacheStore()
  ) throws -> PublicClientApplication {
    try Self.app([self], authority, store: store)
  }

  static func app(
    _ providers: [ScriptedProvider], _ authority: ScriptedAuthority, store: any TokenCacheStore
  ) throws -> PublicClientApplication {
    PublicClientApplication(
      configuration: try TestApplication.configuration(), store: store,
      externalAccountProviders: providers, runtime: Runtime(transport: authority))
  }
}
