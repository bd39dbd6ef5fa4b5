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
    for (name, path) in endpoints { json[name] = .string(origin + path) }
    switch kind.known {
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

  /// The paths of the endpoints, by their names in the OpenID configuration.
  private var endpoints: [(String, String)] {
    switch kind.known {
    case .entra, .externalID:
      // A tenant's endpoints contain its GUID, even if the request has its domain.
      let base =
        switch audience {
        case .tenant(let tenant): "/\(tenant.id)"
        default: "/\(name.lowercased())"
        }
      return [
        ("authorization_endpoint", "\(base)/oauth2/v2.0/authorize"),
        ("token_endpoint", "\(base)/oauth2/v2.0/token"),
        ("device_authorization_endpoint", "\(base)/oauth2/v2.0/devicecode"),
        ("end_session_endpoint", "\(base)/oauth2/v2.0/logout"),
        ("jwks_uri", "\(base)/discovery/v2.0/keys"), ("userinfo_endpoint", "/oidc/userinfo"),
      ]
    case .b2c:
      // The policy is in the path or in the query, never in both.
      let policy = (policy?.name ?? "").lowercased()
      let base = isPolicyInIssuer ? "/te/\(name)/\(policy)" : "/\(name)"
      let query = isPolicyInIssuer ? "" : "?p=\(policy)"
      return [
        ("authorization_endpoint", "\(base)/oauth2/v2.0/authorize\(query)"),
        ("token_endpoint", "\(base)/oauth2/v2.0/token\(query)"),
        ("end_session_endpoint", "\(base)/oauth2/v2.0/logout\(query)"),
        ("jwks_uri", "\(base)/discovery/v2.0/keys\(query)"),
      ]
    case .adfs:
      return [
        ("authorization_endpoint", "/adfs/oauth2/authorize/"),
        ("token_endpoint", "/adfs/oauth2/token/"),
        ("device_authorization_endpoint", "/adfs/oauth2/devicecode"),
        ("end_session_endpoint", "/adfs/oauth2/logout"),
        ("jwks_uri", "/adfs/discovery/keys"), ("userinfo_endpoint", "/adfs/userinfo"),
      ]
    case .oidc:
      let base = "/realms/\(name)"
      return [
        ("authorization_endpoint", "\(base)/authorize"), ("token_endpoint", "\(base)/token"),
        ("device_authorization_endpoint", "\(base)/device"),
        ("end_session_endpoint", "\(base)/logout"), ("jwks_uri", "\(base)/keys"),
        ("userinfo_endpoint", "\(base)/userinfo"),
      ]
    }
  }

  private var scopesSupported: [String] {
    switch kind.known {
    case .entra, .externalID: ["openid", "profile", "email", "offline_access"]
    case .b2c: ["openid"]
    case .adfs: ["allatclaims", "email", "openid", "profile", "user_impersonation"]
    case .oidc: ["openid", "profile", "email", "offline_access", Scope.demo.name]
    }
  }

  private var claimsSupported: [String] {
    let common = ["sub", "iss", "aud", "exp", "iat", "nonce"]
    return switch kind.known {
    case .entra, .externalID:
      common + ["preferred_username", "name", "tid", "ver", "oid", "email"]
    case .b2c: common + ["name", "given_name", "family_name", "emails", "oid", "tfp"]
    case .adfs: common + ["auth_time", "upn", "unique_name"]
    case .oidc: common + ["auth_time", "name", "preferred_username", "email", "at_hash"]
    }
  }
}
