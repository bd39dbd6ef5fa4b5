/// An authority's metadata (OpenID Connect Discovery 1.0, section 3).
extension Authority {
  /// The issuer in the OpenID configuration.
  ///
  /// When the tenant is unknown before the sign-in, it is a placeholder that the client replaces by
  /// the tenant in the token.
  func issuer(origin: String) -> String {
    issuer(tenantID: audience.issuerTenant, origin: origin)
  }

  /// The OpenID configuration.
  func configuration(origin: String) -> JSON {
    var json: JSON = [
      "issuer": .string(issuer(origin: origin)),
      "response_modes_supported": ["query", "fragment", "form_post"],
      "subject_types_supported": ["pairwise"],
      "id_token_signing_alg_values_supported": ["RS256"],
      "response_types_supported": ["code"],
      "scopes_supported": .array(scopesSupported.map(JSON.string)),
      "claims_supported": .array(claimsSupported.map(JSON.string)),
    ]
    for endpoint in Endpoint.allCases {
      guard let path = endpoint.path(of: kind, below: base) else { continue }
      // AD FS ends two of them with a slash.
      let hasSlash = kind == .adfs && (endpoint == .authorization || endpoint == .token)
      json[endpoint.rawValue] = .string(origin + path + (hasSlash ? "/" : "") + policyQuery)
    }
    switch kind {
    case .entra, .externalID:
      json["token_endpoint_auth_methods_supported"] = ["none"]
      json["request_uri_parameter_supported"] = false
      json["code_challenge_methods_supported"] = ["S256"]
      json["http_logout_supported"] = true
      json["frontchannel_logout_supported"] = false
      json["tenant_region_scope"] = "EU"
      json["msgraph_host"] = .string(String(origin.dropFirst("https://".count)))
    case .b2c: break
    case .adfs:
      json["access_token_issuer"] = .string(issuer(origin: origin))
      json["microsoft_multi_refresh_token"] = true
      json["capabilities"] = []
    case .oidc:
      json["code_challenge_methods_supported"] = ["S256"]
      json["authorization_response_iss_parameter_supported"] = true
    }
    return json
  }

  /// The path of the endpoints.
  private var base: String {
    switch kind {
    case .entra, .externalID:
      // A tenant's endpoints contain its GUID, even if the request has its domain.
      if case .tenant(let tenant) = audience { return "/\(tenant.id)" }
      return "/\(name.lowercased())"
    // The policy is in the path or in the query, never in both.
    case .b2c: return isPolicyInIssuer ? "/te/\(name)/\(lowercasedPolicy)" : "/\(name)"
    case .adfs: return "/adfs"
    case .oidc: return "/realms/\(name)"
    }
  }

  /// The query of the endpoints.
  private var policyQuery: String {
    kind == .b2c && !isPolicyInIssuer ? "?p=\(lowercasedPolicy)" : ""
  }

  private var lowercasedPolicy: String { (policy?.name ?? "").lowercased() }

  private var scopesSupported: [String] {
    switch kind {
    case .entra, .externalID: ["openid", "profile", "email", "offline_access"]
    case .b2c: ["openid"]
    case .adfs: ["allatclaims", "email", "openid", "profile", "user_impersonation"]
    case .oidc: ["openid", "profile", "email", "offline_access", Scope.demo.name]
    }
  }

  private var claimsSupported: [String] {
    let common = ["sub", "iss", "aud", "exp", "iat", "nonce"]
    return switch kind {
    case .entra, .externalID:
      common + ["preferred_username", "name", "tid", "ver", "oid", "email"]
    case .b2c: common + ["name", "given_name", "family_name", "emails", "oid", "tfp"]
    case .adfs: common + ["auth_time", "upn", "unique_name"]
    case .oidc: common + ["auth_time", "name", "preferred_username", "email", "at_hash"]
    }
  }
}
