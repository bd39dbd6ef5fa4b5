import Crypto
import FoundationEssentials

/// The contents of JWTs (RFC 7519).
extension Emulator {
  /// The current signing key.
  func currentKey() throws -> SigningKey {
    let isRotated = faults.edited(\.signsWithNewKey, false)
    if let key = isRotated ? rotatedKey : signingKey { return key }
    let key = try SigningKey()
    if isRotated { rotatedKey = key } else { signingKey = key }
    return key
  }

  // MARK: Access tokens

  func accessToken(for grant: Grant, scopes: [Scope], now: Date) throws -> String {
    switch grant.authority.kind {
    // Tokens of personal accounts are opaque to everyone but Graph.
    case .entra where grant.tenant == .personal: return "EwB" + Random.token(bytes: 600)
    case .oidc: return Random.token(bytes: 48)
    default: break
    }
    let scopes = scopes.filter { $0.name != "offline_access" }.map(\.name).joined(separator: " ")
    var claims: JSON = [
      "iat": .number(now.epochSeconds - 300), "nbf": .number(now.epochSeconds - 300),
      "exp": .number(now.epochSeconds + tokenLifetime), "scp": .string(scopes),
      "appid": .string(grant.client.clientID),
    ]
    // RFC 7800, section 3.4.
    if let key = grant.key { claims["cnf"] = ["kid": .string(key.kid)] }
    let user = grant.user
    switch grant.authority.kind {
    case .entra, .externalID:
      let tenant = grant.tenant.id
      let more: [(String, JSON)] = [
        ("aud", .string(grant.scopes.resource.isEmpty ? Scope.graphID : grant.scopes.resource)),
        ("iss", .string("\(origin)/\(tenant)/")),
        ("app_displayname", .string(grant.client.displayName)),
        ("appidacr", "0"), ("family_name", .string(user.surname)),
        ("given_name", .string(user.givenName)), ("idtyp", "user"),
        ("name", .string(user.displayName)), ("oid", .string(objectID(grant))),
        ("rh", .string("1." + Random.token(bytes: 24))),
        ("sub", .string(pairwiseSubject(grant, clientID: "graph"))), ("tid", .string(tenant)),
        ("unique_name", .string(user.username)), ("upn", .string(user.username)),
        ("uti", .string(Random.token(bytes: 16))), ("ver", "1.0"),
      ]
      for (name, value) in more { claims[name] = value }
      if !grant.claims.capabilities.isEmpty {
        claims["xms_cc"] = .array(grant.claims.capabilities.map { .string($0.lowercased()) })
      }
    case .b2c, .adfs, .oidc:
      claims["aud"] = .string(grant.authority.kind.scopePrefix)
      claims["iss"] = .string(issuer(grant))
      claims["sub"] = .string(objectID(grant))
      claims["jti"] = .string(Random.token(bytes: 16))
    }
    return try currentKey().sign(claims)
  }

  // MARK: ID tokens

  /// Creates an ID token like the real service, with changes by the active faults.
  func idToken(for grant: Grant, accessToken: String, now: Date) throws -> String {
    var claims: JSON = [
      "iss": .string(issuer(grant)), "aud": .string(grant.client.clientID),
      // The platform backdates tokens, for clients whose clock is slow.
      "iat": .number(now.epochSeconds - 300), "nbf": .number(now.epochSeconds - 300),
      "exp": .number(now.epochSeconds + 3600),
    ]
    for (name, value) in person(grant, accessToken: accessToken, now: now) {
      claims[name] = value
    }
    claims["nonce"] = grant.nonce.map(JSON.string)
    if grant.tellsSignInTime || grant.claims.idToken.contains("auth_time") {
      claims["auth_time"] = .number(grant.signedIn.epochSeconds)
    }
    faults.edit(\.idToken, &claims)
    if grant.isRefresh { faults.edit(\.refreshedIDToken, &claims) }
    return try currentKey().sign(claims, faults: faults)
  }

  private func issuer(_ grant: Grant) -> String {
    grant.authority.issuer(tenantID: grant.tenant.id, origin: origin)
  }

  /// The claims about the user and the sign-in.
  private func person(_ grant: Grant, accessToken: String, now: Date) -> [(String, JSON)] {
    let user = grant.user
    let (username, objectID) = (JSON.string(user.username), JSON.string(objectID(grant)))
    let names: [(String, JSON)] = [
      ("name", .string(user.displayName)), ("given_name", .string(user.givenName)),
      ("family_name", .string(user.surname)),
    ]
    switch grant.authority.kind {
    case .entra, .externalID:
      var claims: [(String, JSON)] = [
        ("ver", "2.0"), ("sub", .string(subject(grant))),
        ("name", .string(user.displayName)), ("preferred_username", username),
        ("oid", objectID), ("tid", .string(grant.tenant.id)),
        ("login_hint", .string(user.loginHint)),
        ("rh", .string("1." + Random.token(bytes: 24))),
        ("uti", .string(Random.token(bytes: 16))),
      ]
      if grant.scopes.scopes.contains(where: { $0.name == "email" }) {
        claims.append(("email", username))
      }
      // The home tenant of a guest.
      let home = grant.authority.home(of: user)
      if grant.tenant != home { claims.append(("idp", .string("\(origin)/\(home.id)/"))) }
      return claims
    case .b2c:
      return names + [
        ("ver", "1.0"), ("sub", .string(subject(grant))), ("oid", objectID),
        ("emails", .array([username])),
        ("tfp", .string(grant.authority.policy?.name ?? "")),
        ("auth_time", .number(grant.signedIn.epochSeconds)),
      ]
    case .adfs:
      let account = user.username.prefix { $0 != "@" }
      return [
        ("ver", "1.0"), ("sub", .string(subject(grant))),
        ("upn", username), ("unique_name", .string("CONTOSO\\\(account)")),
        ("apptype", "Public"), ("appid", .string(grant.client.clientID)), ("scp", "openid"),
        ("authmethod", "urn:oasis:names:tc:SAML:2.0:ac:classes:PasswordProtectedTransport"),
        ("auth_time", .number(grant.signedIn.epochSeconds)),
      ]
    case .oidc:
      // OpenID Connect Core 1.0, section 3.1.3.6.
      let half = Data(SHA256.hash(data: Data(accessToken.utf8)).prefix(16))
      return names + [
        ("sub", .string(subject(grant))), ("azp", .string(grant.client.clientID)),
        ("preferred_username", username), ("email", username), ("email_verified", true),
        ("auth_time", .number(grant.signedIn.epochSeconds)), ("at_hash", .string(half.base64URL)),
      ]
    }
  }

  /// Who the user is for the client.
  func subject(_ grant: Grant) -> String {
    switch grant.authority.kind {
    case .entra, .externalID, .adfs: pairwiseSubject(grant, clientID: grant.client.clientID)
    case .b2c, .oidc: objectID(grant)
    }
  }

  private func objectID(_ grant: Grant) -> String { grant.user.objectID(in: grant.tenant) ?? "" }

  /// A subject that is the same for every sign-in, but different for each client, so that two
  /// clients cannot correlate a user.
  private func pairwiseSubject(_ grant: Grant, clientID: String) -> String {
    Data(SHA256.hash(data: Data("\(objectID(grant)) \(clientID)".utf8))).base64URL
  }
}
