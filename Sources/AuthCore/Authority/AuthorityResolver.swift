import CurlHTTP
import FoundationEssentials
import HTTPTypes

/// Finds out about authorities: who vouches for them, and what they say of themselves.
///
/// It asks when a flow needs to know, and not before; what it learned it keeps for a day. Flows that need to
/// know the same at the same time share the question.
actor AuthorityResolver {
  private let client: PublicClientApplicationConfiguration
  private let network: Network
  private let runtime: Runtime
  private var configurations: [Authority: (value: OpenIDConfiguration, expiresOn: Date)] = [:]
  private let questions = SharedWork<
    Authority, Result<OpenIDConfiguration, AuthenticationError>
  >()
  /// Hosts that Microsoft has vouched for.
  private var vouchedFor: Set<String> = []

  /// How long an authority's description of itself is used, in seconds.
  private static let configurationLifetime = 24.0 * 3600

  init(client: PublicClientApplicationConfiguration, network: Network, runtime: Runtime) {
    self.client = client
    self.network = network
    self.runtime = runtime
  }

  /// What `authority` says of itself.
  ///
  /// When a cloud of Microsoft's cannot be asked, what is built in has to do. That is not kept: the next
  /// one to ask is answered by the cloud again, if it is back.
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
      // What came back and cannot be trusted is no outage.
      guard error.code == .networkUnavailable || error.code == .serverUnavailable,
        let value = OpenIDConfiguration(builtInFor: authority)
      else { throw error }
      runtime.log.warning("Using the built-in OpenID configuration: \(error)", correlationID)
      return value
    }
  }

  /// Throws unless someone vouches for the authority's host.
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
