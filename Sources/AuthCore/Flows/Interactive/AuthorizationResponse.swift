import Sentences

/// The answer that came with a redirect (RFC 6749, section 4.1.2).
struct AuthorizationResponse: Sendable {
  /// What will be exchanged for tokens.
  let code: Secret<String>
  /// Where to exchange it, when that is another cloud than the one that was asked.
  let cloud: Authority?

  /// The longest code that is accepted, in bytes.
  static let maximumCodeLength = 8192

  /// Reads the redirect `url` as the answer to `request`.
  ///
  /// The order of the checks matters: nothing of a redirect is believed, not even its error, before its
  /// `state` has shown that it answers this request.
  ///
  /// - Parameters:
  ///   - authority: Who was asked.
  ///   - mayMove: Whether the redirect may name another cloud of Microsoft's
  ///     (`cloud_instance_host_name`); else that is passed over. Any other host is.
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
        Sentence("The sign-in page redirected to an address that is not this app's redirect URI."))
    }
    let parameters = try Self.parameters(of: url)

    guard let state = parameters["state"], !state.isEmpty else {
      throw AuthenticationError(
        .invalidState,
        Sentence(
          "The sign-in page's response does not identify its request and was ignored. Please sign"
            + " in again."), step: .authorization)
    }
    guard constantTimeEqual(state, request.state.exposed) else {
      throw AuthenticationError(
        .invalidState,
        Sentence(
          "The sign-in page's response belongs to another request and was ignored. Please sign in"
            + " again."), step: .authorization)
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
    // Nothing that could be used is taken from someone who may be another (RFC 9207, section 2.4).
    guard isVouchedFor else {
      throw Self.invalid(Sentence("The sign-in page's response does not identify its issuer."))
    }
    guard let code = parameters["code"], !code.isEmpty else {
      throw Self.invalid(Sentence("The sign-in page's response has neither a code nor an error."))
    }
    guard code.utf8.count <= Self.maximumCodeLength,
      code.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7f })
    else {
      throw Self.invalid(Sentence("The sign-in page returned an invalid code."))
    }
    self.code = Secret(code)
  }

  private static func parameters(
    of url: String
  ) throws(AuthenticationError) -> [String: String] {
    let parts = url.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
    // A session gives what was posted as a query, too. Parameters elsewhere are not an answer to the request.
    guard parts.count == 1 || parts[1].isEmpty else {
      throw invalid(Sentence("The sign-in page used a response mode that was not requested."))
    }
    let query = parts[0].split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    guard query.count == 2, let list = FormEncoding.parse(query[1]) else {
      throw invalid(Sentence("The sign-in page returned an invalid response."))
    }
    var parameters: [String: String] = [:]
    for (name, value) in list {
      guard parameters.updateValue(value, forKey: name) == nil else {
        throw invalid(Sentence("The sign-in page's response has a duplicate parameter."))
      }
    }
    return parameters
  }

  /// Whether the answer says where it comes from (RFC 9207, section 2.4); throws when that is elsewhere.
  private static func checkIssuer(
    _ issuer: String?, template: String
  ) throws(AuthenticationError) -> Bool {
    guard let issuer else { return false }
    let template = template.split(separator: "/", omittingEmptySubsequences: false)
    let given = issuer.split(separator: "/", omittingEmptySubsequences: false)
    let matches =
      given.count == template.count
      && zip(given, template).allSatisfy { $0 == $1 || $1 == "{tenantid}" && GUID.isValid($0) }
    guard matches else {
      throw invalid(Sentence("The sign-in page's response comes from another sign-in service."))
    }
    return true
  }

  private static func invalid(_ message: Sentence) -> AuthenticationError {
    AuthenticationError(.invalidResponse, message, step: .authorization)
  }
}
