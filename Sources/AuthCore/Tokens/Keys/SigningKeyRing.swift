import FoundationEssentials

/// The signing keys of authorities, and the checks made with them (OpenID Connect Core 1.0,
/// sections 3.1.3.7 and 10.1).
///
/// Keys are fetched while the user signs in, so that they are available when the tokens arrive.
/// They are kept for a day; an ID token that none of them verifies causes a new fetch, because an
/// authority can change its keys at any time.
actor SigningKeyRing {
  private let network: Network
  private let runtime: Runtime
  private var known: [String: (keys: SigningKeys, expiresOn: Date)] = [:]
  private let fetches = SharedWork<String, Result<SigningKeys, AuthenticationError>>()
  /// When keys were last fetched again because of a token that they did not verify.
  private var renewals: [String: Date] = [:]

  /// How long keys are used, in seconds.
  static let lifetime = 24.0 * 3600
  /// The minimum time between fetches because of such tokens, in seconds, so that forged ones
  /// cannot cause many requests.
  static let renewalInterval = 300.0

  init(network: Network, runtime: Runtime) {
    self.network = network
    self.runtime = runtime
  }

  /// Starts fetching the keys at `url`, unless they are cached.
  ///
  /// Failures are ignored: ``check(_:keysAt:_:)`` tries again.
  func prefetch(_ url: String, _ correlationID: String) {
    guard current(url) == nil else { return }
    Task { _ = try? await fetchedKeys(url, correlationID) }
  }

  /// Throws unless the authority whose keys are at `url` signed `token`.
  ///
  /// - Throws: ``AuthenticationError``: ``AuthenticationError/Code/invalidIDToken`` when it did
  ///   not, and any other when the keys are unavailable.
  func check(
    _ token: IDToken, keysAt url: String, _ correlationID: String
  ) async throws(AuthenticationError) {
    var keys: SigningKeys
    if let current = current(url) {
      keys = current
    } else {
      keys = try await fetchedKeys(url, correlationID)
    }
    let refusal: AuthenticationError
    do throws(AuthenticationError) {
      return try await keys.check(token)
    } catch {
      refusal = error
    }
    guard mayRenew(url) else { throw refusal }
    do throws(AuthenticationError) {
      keys = try await fetchedKeys(url, correlationID)
    } catch {
      // Without new keys, a known key's judgment stands.
      throw keys.know(token) ? refusal : error
    }
    renewals[url] = runtime.now()
    try await keys.check(token)
  }

  /// Whether the keys at hand show that the authority whose keys are at `url` signed `token`;
  /// nothing is fetched.
  func verifies(_ token: IDToken, keysAt url: String) async -> Bool {
    guard let keys = current(url) else { return false }
    do throws(AuthenticationError) {
      try await keys.check(token)
      return true
    } catch {
      return false
    }
  }

  private func current(_ url: String) -> SigningKeys? {
    guard let known = known[url], runtime.now() < known.expiresOn else { return nil }
    return known.keys
  }

  private func mayRenew(_ url: String) -> Bool {
    guard let last = renewals[url] else { return true }
    let now = runtime.now()
    // Setting the clock back must not extend the pause.
    return now < last || now >= last + Self.renewalInterval
  }

  /// The keys at `url`, from the fetch in progress or a new one.
  private func fetchedKeys(
    _ url: String, _ correlationID: String
  ) async throws(AuthenticationError) -> SigningKeys {
    try await fetches.success(of: url, step: .discovery) { [self] in
      await fetched(url, correlationID)
    }
  }

  private func fetched(
    _ url: String, _ correlationID: String
  ) async -> Result<SigningKeys, AuthenticationError> {
    do throws(AuthenticationError) {
      let keys = try SigningKeys(await network.get(url, correlationID))
      known[url] = (keys, runtime.now() + Self.lifetime)
      return .success(keys)
    } catch {
      return .failure(error)
    }
  }
}
