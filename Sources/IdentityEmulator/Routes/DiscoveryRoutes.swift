import Hummingbird

/// What clients look up before they send a person anywhere.
struct DiscoveryRoutes: Sendable {
  let state: EmulatorState

  func add(to router: Router<BasicRequestContext>) {
    router.get("/{tenant}/discovery/instance", use: instance)
    router.get("/{tenant}/v2.0/.well-known/openid-configuration", use: configuration)
    router.get("/{tenant}/discovery/v2.0/keys", use: keys)
  }

  /// Instance discovery: tells whether the host of an authority is one of ours.
  private func instance(_ request: Request, _ context: BasicRequestContext) async throws -> Response
  {
    let origin = await state.origin
    let trace = RequestTrace(request)
    guard let endpoint = request.queryForm["authorization_endpoint"] else {
      return refuse(.missingParameter("authorization_endpoint"), trace, origin)
    }
    guard endpoint.hasPrefix(origin + "/") else {
      let error = EntraError(50049, "invalid_instance", "Unknown or invalid instance.")
      return refuse(error, trace, origin)
    }
    let segment = endpoint.dropFirst(origin.count + 1).prefix { $0 != "/" }
    guard Audience(segment: String(segment)) != nil else {
      return refuse(.unknownTenant(String(segment)), trace, origin)
    }
    // Environments of the cache have no scheme; MSAL puts host and port there.
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

  /// The OpenID provider metadata of an authority.
  private func configuration(_ request: Request, _ context: BasicRequestContext) async throws
    -> Response
  {
    let origin = await state.origin
    let segment = context.parameters.get("tenant") ?? ""
    guard let audience = Audience(segment: segment) else {
      return refuse(.unknownTenant(segment), RequestTrace(request), origin)
    }
    // Authorities by GUID are answered with it, those by domain likewise.
    let path: String =
      switch audience {
      case .tenant(let tenant): tenant.id
      default: segment.lowercased()
      }
    let base = "\(origin)/\(path)"
    return .json([
      "token_endpoint": .string("\(base)/oauth2/v2.0/token"),
      "token_endpoint_auth_methods_supported": ["none"],
      "jwks_uri": .string("\(base)/discovery/v2.0/keys"),
      "response_modes_supported": ["query", "fragment", "form_post"],
      "subject_types_supported": ["pairwise"],
      "id_token_signing_alg_values_supported": ["RS256"],
      "response_types_supported": ["code"],
      "scopes_supported": ["openid", "profile", "email", "offline_access"],
      "issuer": .string("\(origin)/\(audience.issuerTenant)/v2.0"),
      "request_uri_parameter_supported": false,
      "authorization_endpoint": .string("\(base)/oauth2/v2.0/authorize"),
      "device_authorization_endpoint": .string("\(base)/oauth2/v2.0/devicecode"),
      "code_challenge_methods_supported": ["S256"],
      "end_session_endpoint": .string("\(base)/oauth2/v2.0/logout"),
      "http_logout_supported": true,
      "frontchannel_logout_supported": false,
      "claims_supported": [
        "sub", "iss", "aud", "exp", "iat", "nonce", "preferred_username", "name", "tid", "ver",
        "oid", "email",
      ],
      "tenant_region_scope": "EU",
      "msgraph_host": .string(String(origin.dropFirst("https://".count))),
    ])
  }

  private func keys(_ request: Request, _ context: BasicRequestContext) async throws -> Response {
    let origin = await state.origin
    let segment = context.parameters.get("tenant") ?? ""
    guard let audience = Audience(segment: segment) else {
      return refuse(.unknownTenant(segment), RequestTrace(request), origin)
    }
    return .json(state.signingKey.keySet(issuer: "\(origin)/\(audience.issuerTenant)/v2.0"))
  }

  private func refuse(_ error: EntraError, _ trace: RequestTrace, _ origin: String) -> Response {
    .json(error.json(trace, origin: origin), status: .badRequest)
  }
}
