import CurlHTTP
import FoundationEssentials
import HTTPTypes
import Sentences

/// Validates authorities and fetches their OpenID configuration.
///
/// It sends a request only when a flow needs the result, and keeps the result for a day, unless it
/// turns out to be outdated. Flows that need the same result at the same time share the request.
actor AuthorityResolver {
  private let client: PublicClientApplicationConfiguration
  private let network: Network
  private let runtime: Runtime
  private var configurations: [Authority: (value: OpenIDConfiguration, askedOn: Date)] = [:]
  /// The requests for configurations in progress.
  let questions = SharedWork<Authority, Result<OpenIDConfiguration, AuthenticationError>>()
  /// When configurations were last asked for again because of an answer that did not fit.
  private var renewals: [Authority: Date] = [:]
  /// The authorities whose configuration may be outdated.
  private var doubted: Set<Authority> = []
  /// The hosts confirmed by instance discovery.
  private var vouchedFor: Set<String> = []

  /// How long an OpenID configuration is used, in seconds.
  private static let configurationLifetime = 24.0 * 3600
  /// The minimum time between requests because of answers that do not fit, in seconds, so that
  /// these cannot cause many.
  private static let renewalInterval = 300.0

  init(client: PublicClientApplicationConfiguration, network: Network, runtime: Runtime) {
    self.client = client
    self.network = network
    self.runtime = runtime
  }

  /// The OpenID configuration of `authority`.
  ///
  /// When one of Microsoft's clouds cannot be reached, the built-in configuration is used. It is
  /// not kept, so that the next call tries the cloud again.
  /// - Throws: also when the client ID, which may have been changed, is not valid.
  func configuration(
    of authority: Authority, _ correlationID: String
  ) async throws(AuthenticationError) -> OpenIDConfiguration {
    try client.checkClientID()
    if let known = configurations[authority], !isOlder(known.askedOn, than: lifetime(authority)) {
      return known.value
    }
    return try await answer(authority, correlationID)
  }

  /// The URL of the signing keys of `authority`, if it is known; nothing is asked for.
  func keysURL(of authority: Authority) -> String? { configurations[authority]?.value.keysURL }

  /// The configuration of `authority` as it is now, if it is not `configuration` any longer.
  ///
  /// Ask for it when an answer does not fit `configuration`, before it is refused: a service may
  /// change its algorithms, keys and endpoints at any time.
  /// - Returns: nil when it is unchanged, was asked for a short time ago, or is not available.
  func changed(
    _ configuration: OpenIDConfiguration, of authority: Authority, _ correlationID: String
  ) async -> OpenIDConfiguration? {
    if configurations[authority]?.value == configuration {
      let now = runtime.now()
      guard renewals[authority].map({ isOlder($0, than: Self.renewalInterval) }) != false else {
        return nil
      }
      renewals[authority] = now
      _ = try? await answer(authority, correlationID)
    }
    guard let known = configurations[authority]?.value, known != configuration else { return nil }
    runtime.log.info("The OpenID configuration has changed", correlationID)
    return known
  }

  /// Asks for the configuration of `authority` again at its next use, unless that was a short time
  /// ago.
  func doubt(_ authority: Authority) { doubted.insert(authority) }

  private func lifetime(_ authority: Authority) -> Double {
    doubted.contains(authority) ? Self.renewalInterval : Self.configurationLifetime
  }

  private func isOlder(_ date: Date, than seconds: Double) -> Bool {
    date.isOlder(than: seconds, at: runtime.now())
  }

  private func answer(
    _ authority: Authority, _ correlationID: String
  ) async throws(AuthenticationError) -> OpenIDConfiguration {
    try await questions.success(of: authority, step: .discovery) { [self] in
      await Result { () async throws(AuthenticationError) in
        try await ask(authority, correlationID)
      }
    }
  }

  private func ask(
    _ authority: Authority, _ correlationID: String
  ) async throws(AuthenticationError) -> OpenIDConfiguration {
    runtime.log.debug(
      "Fetching the OpenID configuration of \(public: authority.environment)", correlationID)
    try await vouch(for: authority, correlationID)
    let knownHosts = client.knownAuthorities.map(\.environment)
    do throws(AuthenticationError) {
      let reply = try await network.document(
        OpenIDConfiguration.url(for: authority), correlationID)
      let value = try OpenIDConfiguration(reply, for: authority, knownHosts: knownHosts)
      configurations[authority] = (value, runtime.now())
      doubted.remove(authority)
      return value
    } catch {
      // A response that cannot be trusted is not an outage.
      guard error.isOutage, let value = OpenIDConfiguration(builtInFor: authority) else {
        throw error
      }
      runtime.log.warning("Using the built-in OpenID configuration: \(error)", correlationID)
      return value
    }
  }

  /// Throws unless the authority's host is trusted.
  private func vouch(
    for authority: Authority, _ correlationID: String
  ) async throws(AuthenticationError) {
    let host = authority.environment
    guard !client.knownAuthorities.contains(where: { $0.environment == host }) else { return }
    switch authority.voucher {
    case .builtIn: return
    case .microsoft:
      guard !vouchedFor.contains(host) else { return }
      try await askMicrosoft(about: authority, correlationID)
      vouchedFor.insert(host)
    case .application: try authority.check(knownAuthorities: client.knownAuthorities)
    }
  }

  private func askMicrosoft(
    about authority: Authority, _ correlationID: String
  ) async throws(AuthenticationError) {
    let url = InstanceDiscovery.url(for: authority, in: client.authority.environment)
    do throws(AuthenticationError) {
      try InstanceDiscovery.check(await network.document(url, correlationID), for: authority)
    } catch {
      guard error.isOutage || error.code == .invalidResponse else { throw error }
      var error = error
      error.sentence = Sentence(
        "Microsoft could not be asked whether “{host}” is a sign-in service: {reason} If you trust"
          + " “{host}”, add it to the known authorities of the app.",
        ["host": authority.environment, "reason": error.sentence])
      throw error
    }
  }
}
