import FoundationEssentials

/// The signing keys of authorities, and the checks made with them (OpenID Connect Core 1.0,
/// sections 3.1.3.7 and 10.1).
///
/// Keys are fetched while the user signs in, so that they are available when the tokens arrive.
/// They are kept for a day; an ID token that none of them verifies causes a new fetch, because an
/// authority can change its keys at any time.
actor SigningKeyRing {
  private let clientID: String
  private let network: Network
  private let runtime: Runtime
  private var known: [String: (keys: SigningKeySet, askedOn: Date)] = [:]
  private let fetches = SharedWork<String, Result<SigningKeySet, AuthenticationError>>()
  /// When keys were last fetched again because of a token that they did not verify, by the URL that
  /// was fetched.
  private var renewals: [String: Date] = [:]

  /// How long keys are used, in seconds.
  static let lifetime = 24.0 * 3600
  /// The minimum time between fetches from a URL because of such tokens of renewals, in seconds: a
  /// program may repeat a refused renewal at once.
  ///
  /// A sign-in does not wait for it: the person would be refused although everything is right, and
  /// causes few requests.
  private static let renewalInterval = 10.0

  init(clientID: String, network: Network, runtime: Runtime) {
    self.clientID = clientID
    self.network = network
    self.runtime = runtime
  }

  /// Starts fetching the keys at `url`, unless they are cached.
  ///
  /// Failures are ignored: ``check(_:keysAt:for:_:)`` tries again.
  func prefetch(_ url: String, _ correlationID: String) {
    guard current(url) == nil else { return }
    Task { _ = try? await fetchedKeys(url, correlationID) }
  }

  /// Throws unless the authority whose keys are at `url` signed `token`, which was acquired for
  /// `reason`.
  ///
  /// - Throws: ``AuthenticationError``: ``AuthenticationError/Code/invalidIDToken`` when it did
  ///   not, and any other when the keys are unavailable.
  func check(
    _ token: IDToken, keysAt url: String, for reason: TokenGrant.Reason, _ correlationID: String
  ) async throws(AuthenticationError) {
    if await verifies(token, keysAt: url) { return }
    let keys: SigningKeySet
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
    var failure: AuthenticationError?
    let appURL = keys.know(token) ? nil : appKeysURL(for: token, at: url)
    for place in [appURL, url].compactMap(\.self) where reason == .signIn || mayRenew(place) {
      do throws(AuthenticationError) {
        let fetched = try await fetchedKeys(place, correlationID)
        renewals[place] = runtime.now()
        if (try? await fetched.check(token)) != nil { return }
      } catch let error where error.code == .invalidResponse && place != url {
        // Not every service has keys of apps.
      } catch {
        failure = error
      }
    }
    // Without new keys, a known key's judgment stands.
    throw keys.know(token) ? refusal : failure ?? refusal
  }

  /// Whether the keys at hand show that the authority whose keys are at `url` signed `token`;
  /// nothing is fetched.
  func verifies(_ token: IDToken, keysAt url: String) async -> Bool {
    for url in [url, appKeysURL(for: token, at: url)].compactMap(\.self) {
      if let keys = current(url), (try? await keys.check(token)) != nil { return true }
    }
    return false
  }

  /// Whether the keys at `url` include that of `token` now; nil when they cannot be fetched within
  /// three seconds.
  ///
  /// They are requested once, and not kept.
  func stillKnow(_ token: IDToken, keysAt url: String, _ correlationID: String) async -> Bool? {
    guard
      let reply = try? await network.get(
        url, correlationID, limit: .seconds(3), retry: .never),
      let keys = try? SigningKeySet(reply)
    else { return nil }
    return keys.know(token)
  }

  /// The URL of the keys for ID tokens of this app in the tenant of `token`, of an authority whose
  /// keys are at `url`; nil when `token` is not one of them.
  ///
  /// Microsoft Entra ID signs with a key of the app, which is only there, when the app maps claims or
  /// also signs in with SAML. Such a key belongs to one organization, which could sign anything with
  /// it: so it is for this tenant's tokens alone.
  private func appKeysURL(for token: IDToken, at url: String) -> String? {
    let path = "/discovery/v2.0/keys"
    guard url.hasSuffix(path), let tenantID = token["tid"], GUID.isValid(tenantID),
      token["iss"]?.hasSuffix("/\(tenantID)/v2.0") == true, token["aud"] == clientID
    else { return nil }
    let host = url.dropFirst("https://".count).prefix { $0 != "/" }
    return "https://\(host)/\(tenantID)\(path)?appid=\(FormEncoding.percentEncoded(clientID))"
  }

  private func current(_ url: String) -> SigningKeySet? {
    known[url].flatMap { isOlder($0.askedOn, than: Self.lifetime) ? nil : $0.keys }
  }

  private func mayRenew(_ url: String) -> Bool {
    renewals[url].map { isOlder($0, than: Self.renewalInterval) } ?? true
  }

  private func isOlder(_ date: Date, than seconds: Double) -> Bool {
    date.isOlder(than: seconds, at: runtime.now())
  }

  /// The keys at `url`, from the fetch in progress or a new one.
  private func fetchedKeys(
    _ url: String, _ correlationID: String
  ) async throws(AuthenticationError) -> SigningKeySet {
    try await fetches.success(of: url, step: .discovery) { [self] in
      await Result { () async throws(AuthenticationError) in try await fetch(url, correlationID) }
    }
  }

  private func fetch(
    _ url: String, _ correlationID: String
  ) async throws(AuthenticationError) -> SigningKeySet {
    let keys = try SigningKeySet(await network.document(url, correlationID))
    // Tokens can name many tenants: what is too old to be used is not kept.
    renewals = renewals.filter { !isOlder($0.value, than: Self.renewalInterval) }
    known = known.filter { !isOlder($0.value.askedOn, than: Self.lifetime) }
    known[url] = (keys, runtime.now())
    return keys
  }
}
