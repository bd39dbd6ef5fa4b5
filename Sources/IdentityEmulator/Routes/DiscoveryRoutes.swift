import HTTPTypes

/// Discovery: the documents that clients fetch before a sign-in.
struct DiscoveryRoutes: Sendable {
  let emulator: Emulator

  func add(to router: inout Router) {
    router.get("/{tenant}/discovery/instance", use: instance)
    let document = ".well-known/openid-configuration"
    for path in [
      "/{tenant}/v2.0", "/{tenant}/{policy}/v2.0", "/tfp/{tenant}/{policy}/v2.0", "/adfs",
      "/realms/{realm}",
    ] {
      router.get("\(path)/\(document)", use: configuration)
    }
    for path in Endpoint.keys.routes { router.get(path, use: keys) }
  }

  /// Instance discovery: whether an authority's host is known.
  private func instance(_ request: Request) async throws -> Response {
    let origin = await emulator.origin
    guard let endpoint = request.queryForm["authorization_endpoint"] else {
      return refuse(.missingParameter("authorization_endpoint"), request, origin)
    }
    guard endpoint.hasPrefix(origin + "/") else {
      let error = EntraError(50049, "invalid_instance", "Unknown or invalid instance.")
      return refuse(error, request, origin)
    }
    let segment = endpoint.dropFirst(origin.count + 1).prefix { $0 != "/" }
    guard Audience(segment: String(segment), tenants: emulator.directory.tenants) != nil else {
      return refuse(.unknownTenant(path: segment), request, origin)
    }
    // Environments in the cache have no scheme; MSAL uses host and port.
    let host = String(origin.dropFirst("https://".count))
    return .json([
      "tenant_discovery_endpoint": .string(
        "\(origin)/\(segment)/v2.0/.well-known/openid-configuration"),
      "api-version": "1.1",
      "metadata": [
        [
          "preferred_network": .string(host),
          "preferred_cache": .string(host),
          "aliases": [.string(host)],
        ]
      ],
    ])
  }

  /// The OpenID configuration of an authority.
  private func configuration(_ request: Request) async throws -> Response {
    let origin = await emulator.origin
    let faults = await emulator.faults
    if let reply = faults.edited(\.configurationReply, nil) { return reply }
    guard let authority = emulator.directory.authority(path: request.path, query: request.queryForm)
    else {
      return refuse(.unknownTenant(path: request.path).asInvalidTenant(), request, origin)
    }
    var configuration = authority.configuration(origin: origin)
    faults.edit(\.configuration, &configuration)
    return .json(configuration)
  }

  private func keys(_ request: Request) async throws -> Response {
    let origin = await emulator.origin
    if let reply = await emulator.faults.edited(\.keySetReply, nil) { return reply }
    guard let authority = emulator.directory.authority(path: request.path, query: request.queryForm)
    else {
      return refuse(.unknownTenant(path: request.path).asInvalidTenant(), request, origin)
    }
    let key = try await emulator.currentKey()
    return .json(
      try key.keySet(
        issuer: authority.kind.isMicrosoftEntra ? authority.issuer(origin: origin) : nil))
  }

  private func refuse(_ error: EntraError, _ request: Request, _ origin: String) -> Response {
    .json(error.json(RequestTrace(request), origin: origin), status: .badRequest)
  }
}
