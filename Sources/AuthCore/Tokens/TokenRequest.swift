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
  var fields: Secret<[FormField]>
  /// Sent as `client-request-id`, and returned by the server.
  var correlationID: String
  /// Whether it may be sent twice.
  var retry: ImmediateRetry

  /// A field of the form.
  struct FormField: Sendable, Hashable {
    var name: String
    var value: String

    init(_ name: String, _ value: String) {
      self.name = name
      self.value = value
    }
  }

  /// Redeems a code (RFC 6749, section 4.1.3; RFC 7636, section 4.5).
  static func redeeming(
    _ code: Secret<String>, of request: AuthorizationRequest,
    client: PublicClientApplicationConfiguration, scopes: [String], claims: ClaimsRequest?,
    proofKey: ProofKey?, kind: Authority.Kind, configuration: OpenIDConfiguration,
    correlationID: String
  ) -> TokenRequest {
    TokenRequest(
      client: client, scopes: scopes, claims: claims, kind: kind, configuration: configuration,
      grant: [
        FormField("grant_type", "authorization_code"),
        FormField("code", code.exposed),
        FormField("code_verifier", request.pkce.verifier.exposed),
      ] + binding(to: proofKey), correlationID: correlationID, retry: .onlyOnce)
  }

  /// Redeems a refresh token (RFC 6749, section 6).
  static func refreshing(
    _ refreshToken: Secret<String>, client: PublicClientApplicationConfiguration,
    scopes: [String], claims: ClaimsRequest?, proofKey: ProofKey?, kind: Authority.Kind,
    configuration: OpenIDConfiguration, correlationID: String
  ) -> TokenRequest {
    TokenRequest(
      client: client, scopes: scopes, claims: claims, kind: kind, configuration: configuration,
      grant: [
        FormField("grant_type", "refresh_token"),
        FormField("refresh_token", refreshToken.exposed),
      ] + binding(to: proofKey), correlationID: correlationID, retry: .repeatable)
  }

  /// Requests a device code (RFC 8628, section 3.1).
  static func requestingDeviceCode(
    client: PublicClientApplicationConfiguration, scopes: [String], claims: ClaimsRequest?,
    endpoint: String, configuration: OpenIDConfiguration, correlationID: String
  ) -> TokenRequest {
    TokenRequest(
      url: endpoint, client: client, claims: claims,
      fields: [FormField("scope", Scopes(scopes).adding(configuration.openIDScopes).joined)],
      correlationID: correlationID, retry: .repeatable)
  }

  /// Redeems a device code, after the user has signed in (RFC 8628, section 3.4).
  static func redeeming(
    deviceCode: Secret<String>, client: PublicClientApplicationConfiguration,
    claims: ClaimsRequest?, kind: Authority.Kind, configuration: OpenIDConfiguration,
    correlationID: String
  ) -> TokenRequest {
    TokenRequest(
      url: configuration.tokenEndpoint, client: client, claims: claims,
      fields: (kind.hasClientInfo ? [FormField("client_info", "1")] : []) + [
        FormField("grant_type", "urn:ietf:params:oauth:grant-type:device_code"),
        FormField("device_code", deviceCode.exposed),
      ], correlationID: correlationID, retry: .never)
  }

  /// Requests an access token that is bound to `key`.
  private static func binding(to key: ProofKey?) -> [FormField] {
    guard let key else { return [] }
    return [FormField("token_type", "pop"), FormField("req_cnf", key.confirmation)]
  }

  private init(
    client: PublicClientApplicationConfiguration, scopes: [String], claims: ClaimsRequest?,
    kind: Authority.Kind, configuration: OpenIDConfiguration, grant: [FormField],
    correlationID: String, retry: ImmediateRetry
  ) {
    var fields = [
      FormField("scope", Scopes(scopes).adding(configuration.openIDScopes).joined),
      // Always as registered, however the received redirect was spelled.
      FormField("redirect_uri", client.redirectURI.description),
    ]
    if kind.hasClientInfo { fields.append(FormField("client_info", "1")) }
    self.init(
      url: configuration.tokenEndpoint, client: client, claims: claims, fields: fields + grant,
      correlationID: correlationID, retry: retry)
  }

  private init(
    url: String, client: PublicClientApplicationConfiguration, claims: ClaimsRequest?,
    fields: [FormField], correlationID: String, retry: ImmediateRetry
  ) {
    var fields = [FormField("client_id", client.clientID)] + fields
    if let claims = ClaimsRequest.parameter(claims, capabilities: client.clientCapabilities) {
      fields.append(FormField("claims", claims))
    }
    self.url = url
    self.fields = Secret(fields)
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
    Data(FormEncoding.body(fields.exposed.map { ($0.name, $0.value) }).utf8)
  }
}
