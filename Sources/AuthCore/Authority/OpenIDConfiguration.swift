import CurlHTTP
import HTTPTypes

/// What an authority says of itself (OpenID Connect Discovery 1.0, section 3).
struct OpenIDConfiguration: Sendable, Equatable {
  /// Where sign-in pages start.
  ///
  /// It may have a query of its own.
  var authorizationEndpoint: String
  /// Where codes and refresh tokens become tokens.
  var tokenEndpoint: String
  /// Where a browser signs out; not every authority has one.
  var endSessionEndpoint: String?
  /// Where a sign-in on another device begins (RFC 8628, section 4); not every authority has one.
  var deviceAuthorizationEndpoint: String?
  /// The issuer of ID tokens; it may hold `{tenantid}`.
  var issuer: String
  /// Whether redirects carry `iss` (RFC 9207).
  var sendsIssuerInResponse: Bool

  /// The URL of the document for `authority`.
  static func url(for authority: Authority) -> String {
    "\(authority)/v2.0/.well-known/openid-configuration"
  }

  /// Reads and checks the document that `authority` served.
  ///
  /// Endpoints must be `https` on the authority's own host or another name of the same cloud, and the
  /// issuer must be the authority's: whoever could change them would get the code.
  init(_ reply: HTTPReply, for authority: Authority) throws(AuthenticationError) {
    guard reply.response.status == .ok, let json = try? JSON(parsing: reply.body) else {
      var error = AuthenticationError(
        reply.response.status.kind == .serverError ? .serverUnavailable : .invalidResponse,
        "'\(authority.environment)' did not describe itself as a sign-in service. Check the"
          + " authority, and whether the network asks for a sign-in of its own.",
        step: .discovery)
      error.httpStatus = reply.response.status.code
      throw error
    }
    func invalid(_ member: String) -> AuthenticationError {
      AuthenticationError(
        .untrustedAuthority,
        "What '\(authority.environment)' says of itself cannot be trusted: '\(member)' is missing"
          + " or belongs to another host.", step: .discovery)
    }
    let hosts = KnownClouds.aliases(of: authority.environment)
    func endpoint(_ member: String) throws(AuthenticationError) -> String {
      guard let url = json[member]?.string,
        hosts.contains(where: { url.hasPrefix("https://\($0)/") }),
        url.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7f && $0 != UInt8(ascii: "#") })
      else { throw invalid(member) }
      return url
    }
    self.authorizationEndpoint = try endpoint("authorization_endpoint")
    self.tokenEndpoint = try endpoint("token_endpoint")
    self.endSessionEndpoint =
      json["end_session_endpoint"] == nil ? nil : try endpoint("end_session_endpoint")
    self.deviceAuthorizationEndpoint =
      json["device_authorization_endpoint"] == nil
      ? nil : try endpoint("device_authorization_endpoint")
    self.issuer = try endpoint("issuer")
    self.sendsIssuerInResponse =
      json["authorization_response_iss_parameter_supported"] == .bool(true)
    guard isIssuer(of: authority) else { throw invalid("issuer") }
  }

  /// The issuer that an ID token of `tenantID` must name.
  func issuer(forTenantID tenantID: String) -> String {
    guard let range = issuer.firstRange(of: "{tenantid}") else { return issuer }
    return issuer.replacingCharacters(in: range, with: tenantID)
  }

  /// `https://host/tenant/v2.0`, where the tenant is open for authorities that stand for many.
  private func isIssuer(of authority: Authority) -> Bool {
    let path = issuer.dropFirst("https://".count).split(separator: "/").dropFirst()
    guard path.count == 2, path.last == "v2.0", let tenant = path.first else { return false }
    return switch authority.tenant {
    case "common", "organizations": tenant == "{tenantid}"
    case "consumers": tenant == Authority.personalAccountsTenant
    default: GUID.isValid(tenant) && (!GUID.isValid(authority.tenant) || tenant == authority.tenant)
    }
  }
}

extension String {
  fileprivate func replacingCharacters(in range: Range<Index>, with text: String) -> String {
    String(self[..<range.lowerBound]) + text + String(self[range.upperBound...])
  }
}
