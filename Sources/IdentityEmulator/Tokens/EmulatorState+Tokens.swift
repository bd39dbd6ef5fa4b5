import Crypto
import FoundationEssentials

extension EmulatorState {
  /// Answers a token request (RFC 6749, sections 4.1.3 and 6; RFC 8628, section 3.4).
  func token(_ form: Form, tenantSegment: String) async throws -> JSON {
    guard let audience = Audience(segment: tenantSegment) else {
      throw EntraError.unknownTenant(tenantSegment)
    }
    guard let clientID = form["client_id"] else { throw EntraError.missingParameter("client_id") }
    guard let client = clients.first(where: { $0.clientID == clientID.lowercased() }) else {
      throw EntraError.unknownClient(clientID, tenant: tenantSegment)
    }
    switch form["grant_type"] {
    case "authorization_code":
      return try await redeemCode(form, client: client, audience: audience)
    case "refresh_token":
      return try await refresh(form, client: client, audience: audience, segment: tenantSegment)
    case "urn:ietf:params:oauth:grant-type:device_code":
      return try await redeemDeviceCode(form, client: client, audience: audience)
    case nil: throw EntraError.missingParameter("grant_type")
    case let type?: throw EntraError.unsupportedGrantType(type)
    }
  }

  private func redeemCode(_ form: Form, client: ClientRegistration, audience: Audience)
    async throws -> JSON
  {
    guard let value = form["code"] else { throw EntraError.missingParameter("code") }
    guard let code = codes[value] else { throw EntraError.malformedGrant }
    guard !code.isRedeemed else { throw EntraError.codeRedeemed }
    guard code.issued.addingTimeInterval(AuthorizationCode.lifetime) > Date() else {
      throw EntraError.codeExpired
    }
    let request = code.request
    guard request.client.clientID == client.clientID, audience.tenant(for: code.user) == code.tenant
    else { throw EntraError.wrongClient }
    guard let redirectURI = form["redirect_uri"] else {
      throw EntraError.missingParameter("redirect_uri")
    }
    guard redirectURI == request.redirectURI else {
      throw EntraError.otherRedirectURI(redirectURI, original: request.redirectURI)
    }
    guard let verifier = form["code_verifier"] else { throw EntraError.missingVerifier }
    guard PKCE.verify(verifier, challenge: request.codeChallenge) else {
      throw EntraError.wrongVerifier
    }
    let scopes = try form["scope"].map { list in try ScopeRequest(list, client: client) }
    // From here on the code is spent, whatever becomes of the tokens.
    codes[value]?.isRedeemed = true
    return try await tokens(
      for: code.user, tenant: code.tenant, client: client, scopes: scopes ?? request.scopes,
      nonce: request.nonce, wantsClientInfo: form["client_info"] == "1")
  }

  private func refresh(
    _ form: Form, client: ClientRegistration, audience: Audience, segment: String
  ) async throws -> JSON {
    guard let value = form["refresh_token"] else {
      throw EntraError.missingParameter("refresh_token")
    }
    guard let token = refreshTokens[value], token.clientID == client.clientID else {
      throw EntraError.malformedGrant
    }
    guard !token.isRevoked else {
      throw EntraError.revoked(issued: token.issued.platformTimestamp)
    }
    guard let tenant = audience.tenant(for: token.user) else {
      throw EntraError.notInTenant(token.user, tenant: segment, client: client).asInvalidGrant()
    }
    guard let list = form["scope"] else { throw EntraError.missingParameter("scope") }
    var scopes = try ScopeRequest(list, client: client)
    guard isConsented(token.user, client: client, to: scopes.scopes) else {
      throw EntraError.consentRequired(client).asInvalidGrant()
    }
    // A refresh answers with a new refresh token and leaves the old one as it is.
    scopes.addRefreshToken()
    return try await tokens(
      for: token.user, tenant: tenant, client: client, scopes: scopes, nonce: nil,
      wantsClientInfo: form["client_info"] == "1")
  }

  // MARK: Making tokens

  /// Makes the tokens of a grant.
  func tokens(
    for user: User, tenant: Tenant, client: ClientRegistration, scopes: ScopeRequest,
    nonce: String?, wantsClientInfo: Bool
  ) async throws -> JSON {
    let now = Date()
    let granted = grantedScopes(user, client: client, request: scopes)
    let accessToken = try await accessToken(
      for: user, tenant: tenant, client: client, scopes: granted, now: now)
    accessTokens[accessToken] = AccessToken(
      user: user, tenant: tenant, scopes: granted,
      expires: now.addingTimeInterval(TimeInterval(tokenLifetime)))

    let prefix = scopes.namesResource ? Scope.graphPrefix : ""
    var json: JSON = [
      "token_type": "Bearer",
      "scope": .string(
        granted.map { $0.isOpenID ? $0.name : prefix + $0.name }.joined(separator: " ")),
      "expires_in": .number(tokenLifetime),
      "ext_expires_in": .number(tokenLifetime),
    ]
    if tokenLifetime >= 7200 { json.append("refresh_in", .number(tokenLifetime / 2)) }
    json.append("access_token", .string(accessToken))
    if scopes.wantsRefreshToken {
      let value = (tenant == .personal ? "M.C" : "1.") + Random.token(bytes: 120)
      refreshTokens[value] = RefreshToken(user: user, clientID: client.clientID, issued: now)
      json.append("refresh_token", .string(value))
    }
    if scopes.wantsIDToken {
      json.append(
        "id_token",
        .string(
          try await idToken(
            for: user, tenant: tenant, client: client, scopes: scopes, nonce: nonce, now: now)))
    }
    if wantsClientInfo { json.append("client_info", .string(clientInfo(user))) }
    return json
  }

  /// What a token is good for: everything the user has agreed to for Graph, as the platform does,
  /// and the scopes about the sign-in itself.
  private func grantedScopes(_ user: User, client: ClientRegistration, request: ScopeRequest)
    -> [Scope]
  {
    let given = consents[consentKey(user, client), default: []]
    let names = ["openid", "profile", "email"]
    return Scope.graph.filter { given.contains($0) }
      + Scope.openID.filter { names.contains($0.name) && request.wantsIDToken }
  }

  private func accessToken(
    for user: User, tenant: Tenant, client: ClientRegistration, scopes: [Scope], now: Date
  ) async throws -> String {
    // Tokens of personal accounts say nothing to anybody but Graph.
    if tenant == .personal { return "EwB" + Random.token(bytes: 600) }
    return try await signingKey.sign(
      AccessTokenClaims(
        aud: "00000003-0000-0000-c000-000000000000", iss: "\(origin)/\(tenant.id)/",
        iat: now.epochSeconds - 300, nbf: now.epochSeconds - 300,
        exp: now.epochSeconds + tokenLifetime, appDisplayName: client.displayName,
        appid: client.clientID, familyName: user.surname, givenName: user.givenName,
        name: user.displayName, oid: objectID(user, tenant), rh: "1." + Random.token(bytes: 24),
        scp: scopes.filter { $0.name != "offline_access" }.map(\.name).joined(separator: " "),
        sub: pairwiseSubject(user, tenant, clientID: "graph"), tid: tenant.id,
        uniqueName: user.username, upn: user.username, uti: Random.token(bytes: 16)))
  }

  private func idToken(
    for user: User, tenant: Tenant, client: ClientRegistration, scopes: ScopeRequest,
    nonce: String?,
    now: Date
  ) async throws -> String {
    try await signingKey.sign(
      IDTokenClaims(
        iss: "\(origin)/\(tenant.id)/v2.0",
        sub: pairwiseSubject(user, tenant, clientID: client.clientID), aud: client.clientID,
        // The platform dates tokens back, for clients whose clock is slow.
        exp: now.epochSeconds + 3600, iat: now.epochSeconds - 300, nbf: now.epochSeconds - 300,
        name: user.displayName, preferredUsername: user.username, oid: objectID(user, tenant),
        tid: tenant.id, nonce: nonce,
        email: scopes.scopes.contains { $0.name == "email" } ? user.username : nil,
        loginHint: "O." + Random.token(bytes: 48),
        idp: tenant == user.homeTenant ? nil : "\(origin)/\(user.homeTenant.id)/",
        rh: "1." + Random.token(bytes: 24), uti: Random.token(bytes: 16)))
  }

  private func objectID(_ user: User, _ tenant: Tenant) -> String {
    user.objectIDs[tenant] ?? user.homeObjectID
  }

  /// A subject that is the same at every sign-in, but another for each client, so that two clients
  /// cannot find out that they have the same user.
  private func pairwiseSubject(_ user: User, _ tenant: Tenant, clientID: String) -> String {
    Data(SHA256.hash(data: Data("\(objectID(user, tenant)) \(clientID)".utf8))).base64URL
  }

  /// `client_info`: object ID and tenant at home, the two parts of a home account ID.
  func clientInfo(_ user: User) -> String {
    let json: JSON = ["uid": .string(user.homeObjectID), "utid": .string(user.homeTenant.id)]
    return Data(json.text.utf8).base64URL
  }
}
