import AuthCore

/// The differences between the kinds of authorities in their responses.
extension ScriptedAuthority {
  /// The OpenID configuration that is served at `url`.
  func document(at url: String) -> [String: JSON] {
    let path = url.split(separator: "/").dropFirst(2).prefix { $0 != "v2.0" && $0 != ".well-known" }
      .map(String.init)
    switch kind.known {
    case .entra:
      let tenant = path.first ?? ""
      let issuer =
        switch tenant {
        case "common", "organizations": "{tenantid}"
        case "consumers": Person.megan.homeTenant
        case let name: name.contains(".") ? Person.contoso : name
        }
      var document = document(
        "\(tenant)/oauth2/v2.0", issuer: "https://\(host)/\(issuer)/v2.0")
      document["device_authorization_endpoint"] = .string(
        "https://\(host)/\(tenant)/oauth2/v2.0/devicecode")
      return document
    case .externalID:
      let id = Person.contoso
      return document("\(id)/oauth2/v2.0", issuer: "https://\(id).ciamlogin.com/\(id)/v2.0")
    case .b2c:
      // After `tfp`, the issuer contains the policy too.
      let isInPath = path.first == "tfp"
      let place = path.filter { $0 != "tfp" }.joined(separator: "/")
      let issuer = isInPath ? "tfp/\(Person.contoso)/\(path.last ?? "")" : Person.contoso
      return document(
        (isInPath ? "te/" : "") + place + "/oauth2/v2.0", issuer: "https://\(host)/\(issuer)/v2.0/")
    case .adfs:
      return document(
        "adfs/oauth2", slash: "/", issuer: "https://\(host)/adfs",
        scopes: ["openid", "profile", "email", "user_impersonation"])
    case .oidc:
      let issuer = issuer ?? url.replacing("/.well-known/openid-configuration", with: "")
      return document(
        "connect", logout: "endsession", issuer: issuer,
        scopes: ["openid", "profile", "email", "offline_access"])
    }
  }

  private func document(
    _ path: String, slash: String = "", logout: String = "logout", issuer: String,
    scopes: [String]? = nil
  ) -> [String: JSON] {
    let base = "https://\(host)/\(path)"
    var document: [String: JSON] = [
      "authorization_endpoint": .string("\(base)/authorize\(slash)"),
      "token_endpoint": .string("\(base)/token\(slash)"),
      "end_session_endpoint": .string("\(base)/\(logout)"),
      "jwks_uri": .string("https://\(host)/discovery/v2.0/keys"),
      "issuer": .string(issuer),
    ]
    if let scopes { document["scopes_supported"] = .array(scopes.map { .string($0) }) }
    return document
  }

  /// Changes the claims of Entra ID to those of the authority's kind.
  ///
  /// - Parameter issuer: the issuer in the last OpenID configuration.
  func adapt(_ claims: inout [String: JSON], of person: Person, issuer: String, policy: String) {
    if kind != .entra { claims["iss"] = .string(issuer) }
    switch kind.known {
    case .entra, .externalID: break
    case .b2c:
      claims["tid"] = nil
      claims["tfp"] = .string(policy)
      claims["preferred_username"] = nil
    case .adfs:
      for name in ["tid", "oid", "preferred_username"] { claims[name] = nil }
      claims["upn"] = .string(person.username)
    case .oidc:
      for name in ["tid", "oid"] { claims[name] = nil }
    }
  }

  /// Changes the token response of Entra ID to one of the authority's kind.
  func adapt(_ response: inout [String: JSON], of person: Person, policy: String) {
    switch kind.known {
    case .entra, .externalID: break
    case .b2c:
      // Each policy has its own accounts.
      let info: [String: JSON] = [
        "uid": .string("\(person.objectID)-\(policy)"), "utid": .string(person.homeTenant),
      ]
      response["client_info"] = .string(Base64URL.encode(JSON.object(info).compactText.utf8))
    case .adfs, .oidc:
      response["client_info"] = nil
      response["token_type"] = .string("bearer")
      response["ext_expires_in"] = nil
    }
  }
}
