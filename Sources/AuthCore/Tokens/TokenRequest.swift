import CurlHTTP
import FoundationEssentials
import HTTPTypes

/// A form for the token endpoint or the device authorization endpoint.
struct TokenRequest: Sendable {
  /// The endpoint.
  var url: String
  /// The form's fields.
  ///
  /// They contain secrets and must not be printed.
  var fields: Secret<[FormEncoding.Parameter]>
  /// Sent as `client-request-id`, and returned by the server.
  var correlationID: String
  /// Whether it may be sent twice.
  var retry: ImmediateRetry

  /// Redeems a code (RFC 6749, section 4.1.3; RFC 7636, section 4.5).
  static func redeeming(
    _ code: Secret<String>, of request: AuthorizationRequest,
    client: PublicClientApplicationConfiguration, claims: ClaimsRequest?, correlationID: String,
    for expectation: TokenGrant.Expectation
  ) -> TokenRequest {
    TokenRequest(
      client: client, claims: claims,
      grant: [
        ("grant_type", "authorization_code"),
        ("code", code.exposed),
        ("code_verifier", request.pkce.verifier.exposed),
      ], correlationID: correlationID, retry: .onlyOnce, for: expectation)
  }

  /// Redeems a refresh token (RFC 6749, section 6).
  static func refreshing(
    _ refreshToken: Secret<String>, client: PublicClientApplicationConfiguration,
    claims: ClaimsRequest?, correlationID: String, for expectation: TokenGrant.Expectation
  ) -> TokenRequest {
    TokenRequest(
      client: client, claims: claims,
      grant: [("grant_type", "refresh_token"), ("refresh_token", refreshToken.exposed)],
      correlationID: correlationID, retry: .repeatable, for: expectation)
  }

  /// Requests a device code (RFC 8628, section 3.1).
  static func requestingDeviceCode(
    client: PublicClientApplicationConfiguration, scopes: [String], claims: ClaimsRequest?,
    endpoint: String, configuration: OpenIDConfiguration, correlationID: String
  ) -> TokenRequest {
    TokenRequest(
      url: endpoint, client: client, claims: claims,
      fields: [("scope", Scopes(scopes).adding(configuration.openIDScopes).joined)],
      correlationID: correlationID, retry: .repeatable)
  }

  /// Redeems a device code, after the user has signed in (RFC 8628, section 3.4).
  static func redeeming(
    deviceCode: Secret<String>, client: PublicClientApplicationConfiguration,
    claims: ClaimsRequest?, correlationID: String, for expectation: TokenGrant.Expectation
  ) -> TokenRequest {
    var fields: [FormEncoding.Parameter] = []
    if expectation.authority.kind.hasClientInfo { fields.append(("client_info", "1")) }
    fields.append(("grant_type", "urn:ietf:params:oauth:grant-type:device_code"))
    fields.append(("device_code", deviceCode.exposed))
    return TokenRequest(
      url: expectation.configuration.tokenEndpoint, client: client, claims: claims, fields: fields,
      correlationID: correlationID, retry: .never)
  }

  private init(
    client: PublicClientApplicationConfiguration, claims: ClaimsRequest?,
    grant: [FormEncoding.Parameter], correlationID: String, retry: ImmediateRetry,
    for expectation: TokenGrant.Expectation
  ) {
    let configuration = expectation.configuration
    var fields: [FormEncoding.Parameter] = [
      ("scope", Scopes(expectation.scopes).adding(configuration.openIDScopes).joined),
      // Always as registered, however the received redirect was spelled.
      ("redirect_uri", client.redirectURI.description),
    ]
    if expectation.authority.kind.hasClientInfo { fields.append(("client_info", "1")) }
    fields += grant
    if let proofKey = expectation.proofKey {
      fields.append(("token_type", "pop"))
      fields.append(("req_cnf", proofKey.confirmation))
    }
    self.init(
      url: configuration.tokenEndpoint, client: client, claims: claims, fields: fields,
      correlationID: correlationID, retry: retry)
  }

  private init(
    url: String, client: PublicClientApplicationConfiguration, claims: ClaimsRequest?,
    fields: [FormEncoding.Parameter], correlationID: String, retry: ImmediateRetry
  ) {
    var form: [FormEncoding.Parameter] = [("client_id", client.clientID)]
    form += fields
    if let claims = ClaimsRequest.parameter(claims, capabilities: client.clientCapabilities) {
      form.append(("claims", claims))
    }
    self.url = url
    self.fields = Secret(form)
    self.correlationID = correlationID
    self.retry = retry
  }

  /// The request to send.
  var httpRequest: HTTPRequest {
    var request = HTTPRequest(url: self.url, method: .post)
    request.headerFields[.contentType] = "application/x-www-form-urlencoded"
    request.headerFields[.accept] = "application/json"
    request.headerFields[.clientRequestID] = correlationID
    request.headerFields[.returnClientRequestID] = "true"
    return request
  }

  /// The body to send.
  var body: Data {
    Data(FormEncoding.body(fields.exposed).utf8)
  }
}
