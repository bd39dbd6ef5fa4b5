import FoundationEssentials

extension Emulator {
  /// Issues the tokens of a grant.
  func tokens(_ grant: Grant) throws -> JSON {
    let now = Date()
    let granted = grantedScopes(grant)
    let accessToken = try accessToken(for: grant, scopes: granted, now: now)
    accessTokens[accessToken] = AccessToken(
      user: grant.user, tenant: grant.tenant, scopes: granted, subject: subject(grant),
      resource: grant.scopes.resource, keyID: grant.key?.kid,
      expires: now.addingTimeInterval(TimeInterval(tokenLifetime)))

    var json = response(to: grant, scopes: granted, now: now)
    json["access_token"] = .string(accessToken)
    if givesRefreshToken(grant) {
      let value = (grant.tenant == .personal ? "M.C" : "1.") + Random.token(bytes: 120)
      refreshTokens[value] = RefreshToken(
        user: grant.user, clientID: grant.client.clientID, authority: grant.authority,
        issued: now, signedIn: grant.signedIn, scopes: grant.original ?? grant.scopes)
      json["refresh_token"] = .string(value)
    }
    if grant.scopes.wantsIDToken {
      let idToken = try idToken(for: grant, accessToken: accessToken, now: now)
      idTokens[idToken] = grant.user.username
      json["id_token"] = .string(idToken)
    }
    if grant.wantsClientInfo, grant.authority.kind.hasClientInfo {
      json["client_info"] = .string(clientInfo(grant.user, at: grant.authority))
    }
    faults.edit(\.tokenResponse, &json)
    return json
  }

  /// The members of a token response that are not tokens.
  private func response(to grant: Grant, scopes: [Scope], now: Date) -> JSON {
    let prefix = grant.scopes.namesResource ? grant.authority.kind.scopePrefix : ""
    let list = scopes.map { $0.fullName(prefix) }.joined(separator: " ")
    var json: JSON = ["token_type": "Bearer", "expires_in": .number(tokenLifetime)]
    if grant.key != nil { json["token_type"] = "pop" }
    switch grant.authority.kind {
    case .entra, .externalID:
      json["scope"] = .string(list)
      json["ext_expires_in"] = .number(tokenLifetime)
      if tokenLifetime >= 7200 { json["refresh_in"] = .number(tokenLifetime / 2) }
    case .b2c:
      json["scope"] = .string(list)
      json["not_before"] = .number(now.epochSeconds)
      json["expires_on"] = .number(now.epochSeconds + tokenLifetime)
      json["refresh_token_expires_in"] = 1_209_600
    case .adfs:
      // Scopes are listed only if they are fewer than those requested ([MS-OAPX], section 4.7.4).
      json["token_type"] = "bearer"
      json["resource"] = .string(String(grant.authority.kind.scopePrefix.dropLast()))
      json["refresh_token_expires_in"] = 28_800
    case .oidc:
      json["scope"] = .string(list)
    }
    return json
  }

  private func givesRefreshToken(_ grant: Grant) -> Bool {
    if grant.isRefresh, grant.authority.kind.rotation == .keepsOld { return false }
    return grant.authority.kind.alwaysGivesRefreshToken || grant.scopes.wantsRefreshToken
  }

  /// The scopes of a token.
  ///
  /// With Entra, these are all Graph scopes that the user has consented to, and the scopes for the
  /// sign-in; elsewhere the requested scopes.
  private func grantedScopes(_ grant: Grant) -> [Scope] {
    guard grant.authority.kind == .entra else {
      return grant.scopes.scopes.filter { $0.name != "offline_access" }
    }
    let given = consents[consentKey(grant.user, grant.client), default: []]
    let names = ["openid", "profile", "email"]
    let resource = grant.scopes.resource
    guard resource.isEmpty else { return given.filter { $0.resource == resource }.sorted() }
    return Scope.graph.filter { given.contains($0) }
      + Scope.openID.filter { names.contains($0.name) && grant.scopes.wantsIDToken }
  }

  /// `client_info`: the object ID and tenant of the home account.
  ///
  /// Each B2C policy has its own accounts.
  func clientInfo(_ user: User, at authority: Authority) -> String {
    let home = authority.home(of: user)
    let policy = authority.policy.map { "-\($0.name.lowercased())" } ?? ""
    let json: JSON = [
      "uid": .string((user.objectID(in: home) ?? "") + policy), "utid": .string(home.id),
    ]
    return Data(json.text.utf8).base64URL
  }
}
