import Sentences

/// The authorization response in a redirect (RFC 6749, section 4.1.2).
struct AuthorizationResponse: Sendable {
  /// The authorization code.
  let code: Secret<String>
  /// Where to redeem the code, when that is another cloud than the authority's.
  let cloud: Authority?

  /// The longest code that is accepted, in bytes.
  static let maximumCodeLength = 8192

  /// Parses the redirect `url` as the response to `request`.
  ///
  /// The order of the checks matters: nothing in a redirect is used, not even its error, before its
  /// `state` has shown that it belongs to this request.
  ///
  /// - Parameters:
  ///   - authority: the authority that the request was sent to.
  ///   - mayMove: whether the redirect may name another Microsoft cloud
  ///     (`cloud_instance_host_name`). Otherwise, and for any other host, the name is ignored.
  init(
    redirect url: String, to request: AuthorizationRequest, redirectURI: RedirectURI,
    configuration: OpenIDConfiguration, from authority: Authority, mayMove: Bool
  ) throws(AuthenticationError) {
    guard !redirectURI.asksForRegistration(url) else {
      throw AuthenticationError(
        .workplaceJoinRequired,
        Sentence(
          "Your organization requires this device to be registered first, which this app cannot do."
            + " Use a device that your organization manages, or ask your administrator."),
        step: .authorization)
    }
    guard redirectURI.matches(url) else {
      throw Self.invalid(
        Sentence("The sign-in page redirected to an address that is not this app’s redirect URI."))
    }
    let parameters = try Self.parameters(of: url)

    guard let state = parameters["state"], !state.isEmpty else {
      throw AuthenticationError(
        .invalidState,
        Sentence(
          "The sign-in page’s response does not identify its request and was ignored. Sign in again."
        ), step: .authorization)
    }
    guard constantTimeEqual(state, request.state.exposed) else {
      throw AuthenticationError(
        .invalidState,
        Sentence(
          "The sign-in page’s response belongs to another request and was ignored. Sign in again."),
        step: .authorization)
    }
    cloud =
      mayMove
      ? parameters["cloud_instance_host_name"].flatMap { authority.moved(toCloudOf: $0) } : nil
    let issuer = cloud.flatMap(OpenIDConfiguration.init(builtInFor:))?.issuer
    let isNamed = try Self.checkIssuer(
      parameters["iss"], template: issuer ?? configuration.issuer)
    let isVouchedFor = isNamed || !configuration.sendsIssuerInResponse

    if let error = parameters["error"] {
      guard parameters["code"] == nil else {
        throw Self.invalid(Sentence("The sign-in page returned both a code and an error."))
      }
      var failure = ServerError(
        authorizationResponse: error, parameters, from: authority
      ).authenticationError.hiding(SentSecrets([request.state, request.nonce]))
      failure.isVouchedFor = isVouchedFor
      throw failure
    }
    // Nothing is used from a sender that may be someone else (RFC 9207, section 2.4).
    guard isVouchedFor else {
      throw Self.invalid(Sentence("The sign-in page’s response does not identify its issuer."))
    }
    guard let code = parameters["code"], !code.isEmpty else {
      throw Self.invalid(Sentence("The sign-in page’s response has neither a code nor an error."))
    }
    guard code.utf8.count <= Self.maximumCodeLength,
      code.utf8.allSatisfy(\.isVisibleASCII)
    else {
      throw Self.invalid(Sentence("The sign-in page returned an invalid code."))
    }
    self.code = Secret(code)
  }

  private static func parameters(
    of url: String
  ) throws(AuthenticationError) -> [String: String] {
    // A session returns posted parameters as a query too. A fragment is never a response.
    guard url.utf8.drop(while: { $0 != UInt8(ascii: "#") }).count <= 1 else {
      throw invalid(Sentence("The sign-in page used a response mode that was not requested."))
    }
    guard let list = FormEncoding.query(of: url).flatMap({ FormEncoding.parse($0) }) else {
      throw invalid(Sentence("The sign-in page returned an invalid response."))
    }
    var parameters: [String: String] = [:]
    for (name, value) in list {
      guard parameters.updateValue(value, forKey: name) == nil else {
        throw invalid(Sentence("The sign-in page’s response has a duplicate parameter."))
      }
    }
    return parameters
  }

  /// Whether the response names its issuer (RFC 9207, section 2.4); throws when it is another one.
  private static func checkIssuer(
    _ issuer: String?, template: String
  ) throws(AuthenticationError) -> Bool {
    guard let issuer else { return false }
    let expected = template
    let template = template.split(separator: "/", omittingEmptySubsequences: false)
    let given = issuer.split(separator: "/", omittingEmptySubsequences: false)
    let matches =
      given.count == template.count
      && zip(given, template).allSatisfy { $0 == $1 || $1 == "{tenantid}" && GUID.isValid($0) }
    guard matches else {
      throw invalid(
        Sentence(
          "The sign-in page’s response comes from the issuer “{found}” instead of “{expected}”.",
          ["found": issuer.shown(upTo: 200), "expected": expected.shown(upTo: 200)]))
    }
    return true
  }

  private static func invalid(_ message: Sentence) -> AuthenticationError {
    AuthenticationError(.invalidResponse, message, step: .authorization)
  }
}
