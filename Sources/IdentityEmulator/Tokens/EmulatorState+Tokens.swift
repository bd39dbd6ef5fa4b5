import FoundationEssentials

extension EmulatorState {
  /// Handles a token request (RFC 6749, sections 4.1.3 and 6; RFC 8628, section 3.4).
  ///
  /// - Parameter isFromPage: whether a web page of another origin sends it.
  func token(_ form: Form, authority: Authority, isFromPage: Bool) throws -> JSON {
    guard let clientID = form["client_id"] else { throw EntraError.missingParameter("client_id") }
    guard let client = directory.client(clientID) else {
      throw EntraError.unknownClient(clientID, tenant: authority.name)
    }
    guard form["resource"] == nil || !authority.kind.isMicrosoftEntra else {
      throw EntraError.resourceParameter
    }
    switch form["grant_type"] {
    case "client_credentials", "urn:ietf:params:oauth:grant-type:jwt-bearer":
      // An app registration of the emulator has no secret.
      throw form["client_secret"] ?? form["client_assertion"] == nil
        ? EntraError.missingSecret : .publicClient(client)
    case _ where form["client_secret"] ?? form["client_assertion"] != nil:
      throw EntraError.publicClient(client)
    case "authorization_code":
      if !isFromPage, let uri = form["redirect_uri"], client.isPage(redirectURI: uri) {
        throw EntraError.notFromPage
      }
      return try redeemCode(form, client: client, authority: authority)
    case "refresh_token":
      return try refresh(form, client: client, authority: authority)
    case "urn:ietf:params:oauth:grant-type:device_code", "device_code":
      return try redeemDeviceCode(form, client: client, authority: authority)
    case nil: throw EntraError.missingParameter("grant_type")
    case let type?: throw EntraError.unsupportedGrantType(type)
    }
  }

  private func redeemCode(
    _ form: Form, client: ClientRegistration, authority: Authority
  ) throws -> JSON {
    guard let value = form["code"] else { throw EntraError.missingParameter("code") }
    guard var code = codes[value] else { throw EntraError.malformedGrant }
    faults.edit(\.code, &code)
    guard !code.isRedeemed else { throw EntraError.codeRedeemed }
    guard code.issued.addingTimeInterval(AuthorizationCode.lifetime) > Date() else {
      throw EntraError.codeExpired
    }
    let request = code.request
    guard request.client.clientID == client.clientID,
      authority.redeemsGrants(of: request.authority),
      authority.audience.tenant(for: code.user) == code.tenant
    else { throw EntraError.wrongClient }
    guard let redirectURI = form["redirect_uri"] else {
      throw EntraError.missingParameter("redirect_uri")
    }
    guard redirectURI == request.redirectURI else {
      throw EntraError.otherRedirectURI(redirectURI, original: request.redirectURI)
    }
    try checkVerifier(form, request)
    let context = directory.scopeContext(client, authority.kind, origin: origin)
    let scopes = try form["scope"].map { list in try ScopeRequest(list, context) }
    if let scopes, scopes.hasSeveralResources { throw EntraError.severalResources }
    let key = try requestedKey(form, authority)
    // From here on the code is used up, even if no tokens are issued.
    codes[value]?.isRedeemed = true
    return try tokens(
      Grant(
        authority: authority, user: code.user, tenant: code.tenant, client: client,
        scopes: scopes ?? request.scopes, nonce: request.nonce,
        claims: try claims(form) ?? request.claims, signedIn: code.signedIn,
        tellsSignInTime: request.maximumAge != nil,
        wantsClientInfo: form["client_info"] == "1", key: key))
  }

  /// What a token request asks for with `claims`; nil when it has none.
  private func claims(_ form: Form) throws(EntraError) -> RequestedClaims? {
    form["claims"] == nil ? nil : try RequestedClaims(form)
  }

  private func checkVerifier(
    _ form: Form, _ request: AuthorizationRequest
  ) throws(EntraError) {
    guard let challenge = request.challenge else {
      // The challenge could have been removed on the way (RFC 9700, section 4.8.2).
      guard form["code_verifier"] == nil else { throw .wrongVerifier }
      return
    }
    guard let verifier = form["code_verifier"] else { throw .missingVerifier }
    guard challenge.verifies(verifier) else { throw .wrongVerifier }
  }

  /// The key that the access token is to be bound to; only Entra supports that.
  private func requestedKey(
    _ form: Form, _ authority: Authority
  ) throws(EntraError) -> RequestedKey? {
    authority.kind.isMicrosoftEntra ? try RequestedKey(form) : nil
  }

  private func refresh(
    _ form: Form, client: ClientRegistration, authority: Authority
  ) throws -> JSON {
    guard let value = form["refresh_token"] else {
      throw EntraError.missingParameter("refresh_token")
    }
    guard let token = refreshTokens[value], token.clientID == client.clientID,
      authority.redeemsGrants(of: token.authority)
    else { throw EntraError.malformedGrant }
    guard !token.isRevoked else {
      throw EntraError.revoked(issued: token.issued.platformTimestamp)
    }
    guard let tenant = authority.audience.tenant(for: token.user) else {
      throw EntraError.notInTenant(token.user, tenant: authority.name, client: client)
        .asInvalidGrant()
    }
    guard let list = form["scope"] else { throw EntraError.missingParameter("scope") }
    var scopes = try ScopeRequest(
      list, directory.scopeContext(client, authority.kind, origin: origin))
    guard !scopes.hasSeveralResources else { throw EntraError.severalResources }
    guard
      !authority.kind.asksForConsent
        || isConsented(token.user, client: client, to: scopes.scopes)
    else { throw EntraError.consentRequired(client).asInvalidGrant() }
    if authority.kind.rotation == .addsNew { scopes.addRefreshToken() }
    if authority.kind.rotation == .replacesOld { refreshTokens[value]?.isRevoked = true }
    var grant = Grant(
      authority: authority, user: token.user, tenant: tenant, client: client, scopes: scopes,
      claims: try claims(form) ?? RequestedClaims(), signedIn: token.signedIn,
      wantsClientInfo: form["client_info"] == "1", key: try requestedKey(form, authority),
      isRefresh: true)
    faults.edit(\.refresh, &grant)
    return try tokens(grant)
  }

  // MARK: Issuing tokens

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
        issued: now, signedIn: grant.signedIn)
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
    switch grant.authority.kind.known {
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
