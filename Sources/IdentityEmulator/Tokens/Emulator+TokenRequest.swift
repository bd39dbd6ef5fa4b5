import FoundationEssentials

extension Emulator {
  /// Handles a token request (RFC 6749, sections 4.1.3 and 6; RFC 8628, section 3.4).
  ///
  /// - Parameter isFromPage: whether a web page of another origin sends it.
  func token(_ form: Form, authority: Authority, isFromPage: Bool) throws -> JSON {
    guard let clientID = form["client_id"] else { throw EntraError.missingParameter("client_id") }
    let client = try currentDirectory.client(clientID, at: authority)
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
      let isOfPage = form["redirect_uri"].map { client.isPage(redirectURI: $0) }
      if isOfPage == true, !isFromPage { throw EntraError.notFromPage }
      if isOfPage == false, isFromPage, authority.kind.isMicrosoftEntra {
        throw EntraError.fromPage
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
    // Without a scope, the request is for those of the grant (RFC 6749, section 6).
    var scopes = token.scopes
    if let list = form["scope"] {
      scopes = try ScopeRequest(
        list, directory.scopeContext(client, authority.kind, origin: origin))
      guard !scopes.hasSeveralResources else { throw EntraError.severalResources }
    }
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
      isRefresh: true, original: token.scopes)
    faults.edit(\.refresh, &grant)
    return try tokens(grant)
  }
}
