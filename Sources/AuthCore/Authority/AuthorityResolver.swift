import CurlHTTP
import FoundationEssentials
import HTTPTypes

/// Validates authorities and fetches their OpenID configuration.
///
/// It sends a request only when a flow needs the result, and keeps the result for a day. Flows that
/// need the same result at the same time share the request.
actor AuthorityResolver {
  private let client: PublicClientApplicationConfiguration
  private let network: Network
  private let runtime: Runtime
  private var configurations: [Authority: (value: OpenIDConfiguration, expiresOn: Date)] = [:]
  private let questions = SharedWork<
    Authority, Result<OpenIDConfiguration, AuthenticationError>
  >()
  /// The hosts confirmed by instance discovery.
  private var vouchedFor: Set<String> = []

  /// How long an OpenID configuration is used, in seconds.
  private static let configurationLifetime = 24.0 * 3600

  init(client: PublicClientApplicationConfiguration, network: Network, runtime: Runtime) {
    self.client = client
    self.network = network
    self.runtime = runtime
  }

  /// The OpenID configuration of `authority`.
  ///
  /// When one of Microsoft's clouds cannot be reached, the built-in configuration is used. It is
  /// not kept, so that the next call tries the cloud again.
  func configuration(
    of authority: Authority, _ correlationID: String
  ) async throws(AuthenticationError) -> OpenIDConfiguration {
    if let known = configurations[authority], known.expiresOn > runtime.now() {
      return known.value
    }
    return try await questions.success(of: authority, step: .discovery) { [self] in
      do throws(AuthenticationError) {
        return .success(try await ask(authority, correlationID))
      } catch {
        return .failure(error)
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
      let reply = try await network.get(OpenIDConfiguration.url(for: authority), correlationID)
      let value = try OpenIDConfiguration(reply, for: authority, knownHosts: knownHosts)
      configurations[authority] = (value, runtime.now() + Self.configurationLifetime)
      return value
    } catch {
      // A response that cannot be trusted is not an outage.
      guard error.code == .networkUnavailable || error.code == .serverUnavailable,
        let value = OpenIDConfiguration(builtInFor: authority)
      else { throw error }
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
      let url = InstanceDiscovery.url(for: authority, in: client.authority.environment)
      try InstanceDiscovery.check(await network.get(url, correlationID), for: authority)
      vouchedFor.insert(host)
    case .application: try authority.check(knownAuthorities: client.knownAuthorities)
    }
  }
}
