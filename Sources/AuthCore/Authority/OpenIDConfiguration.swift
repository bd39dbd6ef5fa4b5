import CurlHTTP
import HTTPTypes
import Sentences

/// An authority's metadata (OpenID Connect Discovery 1.0, section 3).
package struct OpenIDConfiguration: Sendable, Equatable {
  /// The authorization endpoint.
  ///
  /// It may have a query of its own.
  var authorizationEndpoint: String
  /// The token endpoint, which redeems codes and refresh tokens.
  var tokenEndpoint: String
  /// The sign-out page; optional.
  var endSessionEndpoint: String?
  /// The device authorization endpoint (RFC 8628, section 4); optional.
  var deviceAuthorizationEndpoint: String?
  /// The URL of the keys that sign ID tokens.
  var keysURL: String
  /// The allowed signature algorithms of ID tokens.
  var signatureAlgorithms: Set<SignatureAlgorithm>
  /// The issuer of ID tokens; it may contain `{tenantid}`.
  var issuer: String
  /// The scopes that request an ID token.
  var openIDScopes: [String]
  /// Whether redirects carry `iss` (RFC 9207).
  var sendsIssuerInResponse: Bool
  /// The supported response modes of redirects; nil when they are not listed, which means query and
  /// fragment.
  var responseModes: Set<String>?
  /// The supported prompts (`prompt_values_supported`); nil when they are not listed.
  var prompts: Set<String>?

  /// The URL of the document for `authority`.
  package static func url(for authority: Authority) -> String {
    let document = ".well-known/openid-configuration"
    return switch authority.kind.known {
    case .entra:
      "https://\(KnownClouds.preferredHost(of: authority.environment) ?? authority.environment)"
        + "\(authority.path)/v2.0/\(document)"
    case .externalID, .b2c: "\(authority)/v2.0/\(document)"
    case .adfs: "\(authority)/\(document)"
    // The trailing slash of an issuer does not count here (OpenID Connect Discovery 1.0, section
    // 4).
    case .oidc: "\(authority)" + (authority.description.hasSuffix("/") ? "" : "/") + document
    }
  }

  /// Parses and validates the document that `authority` served.
  ///
  /// Endpoints must be `https` on the authority's own host, another host of the same cloud, or for
  /// OpenID Connect one of `knownHosts`; the issuer must be the authority's. Otherwise, a changed
  /// document could send the code elsewhere.
  init(
    _ reply: HTTPReply, for authority: Authority, knownHosts: [String]
  ) throws(AuthenticationError) {
    guard reply.response.status == .ok, let json = try? JSON(parsing: reply.body) else {
      throw Self.absence(of: reply, at: authority)
    }
    func invalid(_ member: String) -> AuthenticationError {
      AuthenticationError(
        .untrustedAuthority,
        Sentence(
          "The OpenID configuration of “{host}” cannot be trusted: “{member}” is missing or belongs"
            + " to another host.", ["host": authority.environment, "member": member]),
        step: .discovery)
    }
    let hosts =
      KnownClouds.aliases(of: authority.environment)
      + (authority.kind == .oidc ? knownHosts : [])
    func endpoint(_ member: String) throws(AuthenticationError) -> String {
      guard let url = json[member]?.string.map(AuthorityURL.normalized),
        hosts.contains(where: { url.hasPrefix("https://\($0)/") }),
        url.utf8.allSatisfy({ $0.isVisibleASCII && $0 != UInt8(ascii: "#") })
      else { throw invalid(member) }
      return url
    }
    self.authorizationEndpoint = try endpoint("authorization_endpoint")
    self.tokenEndpoint = try endpoint("token_endpoint")
    func optionalEndpoint(_ member: String) throws(AuthenticationError) -> String? {
      json.optional(member) == nil ? nil : try endpoint(member)
    }
    self.endSessionEndpoint = try optionalEndpoint("end_session_endpoint")
    self.deviceAuthorizationEndpoint = try optionalEndpoint("device_authorization_endpoint")
    self.keysURL = try endpoint("jwks_uri")
    // Every provider supports RS256 (OpenID Connect Discovery 1.0, section 3).
    self.signatureAlgorithms = Set(
      [.rs256]
        + (json["id_token_signing_alg_values_supported"]?.array ?? [])
        .compactMap { $0.string.flatMap(SignatureAlgorithm.init) })
    guard let issuer = json["issuer"]?.string else { throw invalid("issuer") }
    guard authority.hasIssuer(issuer) else {
      throw AuthenticationError(
        .untrustedAuthority,
        Sentence(
          "The OpenID configuration of “{host}” cannot be trusted: its issuer is “{found}”, but"
            + " “{expected}” was expected. Check the address of the sign-in service; every character"
            + " counts, also a slash at the end.",
          [
            "host": authority.environment, "found": issuer.shown(upTo: 200),
            "expected": authority.expectedIssuer,
          ]),
        step: .discovery)
    }
    self.issuer = issuer
    let scopes = json["scopes_supported"]?.array
    // Microsoft's services need not list it.
    let hasOfflineAccess =
      authority.kind.isMicrosofts || scopes?.contains(.string(Scopes.offlineAccess)) != false
    openIDScopes = Scopes.openID.filter { $0 != Scopes.offlineAccess || hasOfflineAccess }
    self.sendsIssuerInResponse =
      json["authorization_response_iss_parameter_supported"] == .bool(true)
    responseModes = json["response_modes_supported"]?.array.map { Set($0.compactMap(\.string)) }
    prompts = json["prompt_values_supported"]?.array.map { Set($0.compactMap(\.string)) }
  }

  /// The error of an authority that has no such document.
  ///
  /// A service may say why, as Entra ID does about a tenant that does not exist. Its numbers tell;
  /// other words do not make the address right. The effects that an error has on a token request are
  /// not those of this one.
  private static func absence(of reply: HTTPReply, at authority: Authority) -> AuthenticationError {
    var error = AuthenticationError(.invalidResponse, absence(at: authority), step: .discovery)
    error.httpStatus = reply.response.status.code
    guard reply.response.status.kind == .clientError, let json = try? JSON(parsing: reply.body),
      let refusal = ServerError(tokenResponse: reply, json, from: authority),
      OAuthError(refusal.error) == nil
    else { return error }
    let reason = refusal.authenticationError
    error.oauthError = reason.oauthError
    error.serverDescription = reason.serverDescription
    error.serverErrorCodes = reason.serverErrorCodes
    error.correlationID = reason.correlationID
    if let guidance = error.guidance {
      error.code = .serverError
      error.sentence = guidance.sentence
    }
    return error
  }

  /// The sentence about an authority that has no such document.
  ///
  /// On a host of one's own, an app that does not name the kind of the service means Entra ID.
  private static func absence(at authority: Authority) -> Sentence {
    authority.kind == .entra && !authority.isTrustedByItself
      ? Sentence(
        "“{host}” did not return the configuration of a sign-in service of the kind Entra ID. Check"
          + " its address, whether it is a service of another kind, which the app must then name,"
          + " and whether the network requires a sign-in of its own.",
        ["host": authority.environment])
      : Sentence(
        "“{host}” did not return the configuration of a sign-in service. Check its address, and"
          + " whether the network requires a sign-in of its own.",
        ["host": authority.environment])
  }

  /// The built-in metadata of Entra ID in each of its clouds.
  ///
  /// Nil for anything else, and for a tenant given by name, because its issuer contains the ID.
  init?(builtInFor authority: Authority) {
    guard authority.kind == .entra,
      let host = KnownClouds.preferredHost(of: authority.environment)
    else { return nil }
    let tenant =
      switch authority.tenant {
      case "common", "organizations": "{tenantid}"
      case "consumers": Authority.personalAccountsTenant
      default: authority.tenant
      }
    let issuer = "https://\(host)/\(tenant)/v2.0"
    guard authority.hasIssuer(issuer) else { return nil }
    let base = "https://\(host)\(authority.path)/oauth2/v2.0"
    self.issuer = issuer
    authorizationEndpoint = "\(base)/authorize"
    tokenEndpoint = "\(base)/token"
    endSessionEndpoint = "\(base)/logout"
    deviceAuthorizationEndpoint = "\(base)/devicecode"
    keysURL = "https://\(host)\(authority.path)/discovery/v2.0/keys"
    signatureAlgorithms = [.rs256]
    openIDScopes = Scopes.openID
    sendsIssuerInResponse = false
    responseModes = ["query", "fragment", "form_post"]
  }

  /// The issuer that an ID token of `tenantID` must have.
  func issuer(forTenantID tenantID: String) -> String {
    issuer.replacing("{tenantid}", with: tenantID, maxReplacements: 1)
  }
}
