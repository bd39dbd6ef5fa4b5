public import AuthCore
public import CurlHTTP
public import FoundationEssentials
public import HTTPTypes
import Sentences

/// Calls Microsoft Graph, or another protected API, on one host.
///
/// The access token is sent only to that host, whatever URL is requested.
public struct GraphClient: Sendable {
  /// The host that gets the token, with its port when that is not 443.
  public let host: String
  /// The API's name in sentences: Microsoft Graph, recognized by its version path, or the host.
  package let service: String
  private let transport: any HTTPTransport
  private let newRequestID: @Sendable () -> String

  /// Time and size limits of one request.
  private static let limits = HTTPLimits(total: .seconds(60), bodySize: 32 << 20)

  /// Whether a request's field called `name` is set here, whatever the caller's fields are.
  package static func sets(_ name: HTTPField.Name) -> Bool {
    name == .authorization || name == .clientRequestID
  }

  /// Makes a client for the API at `url`.
  ///
  /// - Parameters:
  ///   - url: any URL of the API; the token is sent only to its host.
  ///   - transport: the HTTP client.
  ///   - newRequestID: makes the `client-request-id` of each request.
  /// - Throws: ``GraphError`` with code ``GraphError/Code/invalidURL`` when `url` is not an
  ///   `https` URL.
  public init(
    api url: String, transport: any HTTPTransport,
    newRequestID: @escaping @Sendable () -> String = Runtime().newCorrelationID
  ) throws(GraphError) {
    let request = HTTPRequest(url: url)
    guard request.scheme?.lowercased() == "https", let host = request.authority?.lowercased(),
      !host.isEmpty, !host.contains("@")
    else {
      throw GraphError(
        .invalidURL,
        Sentence("'{url}' is not a valid API address: it must use https.", ["url": url]))
    }
    self.host = host
    let version = request.path?.split(whereSeparator: { "/?".contains($0) }).first
    service = version == "v1.0" || version == "beta" ? "Microsoft Graph" : "'\(host)'"
    self.transport = transport
    self.newRequestID = newRequestID
  }

  /// Makes a client for the API at `url`, with an HTTP client of its own.
  ///
  /// - Parameters:
  ///   - url: any URL of the API; the token is sent only to its host.
  ///   - caFile: a PEM file with the certificate authorities to trust, instead of the system's.
  /// - Throws: ``GraphError`` with code ``GraphError/Code/invalidURL`` when `url` is not an
  ///   `https` URL.
  public init(api url: String, caFile: String? = nil) throws(GraphError) {
    try self.init(api: url, transport: CurlClient(CurlClient.Configuration(caFile: caFile)))
  }

  /// Sends a GET request.
  ///
  /// - Parameters:
  ///   - url: an absolute URL on ``host``.
  ///   - authorization: the value of the `Authorization` header field; see
  ///     `AuthenticationResult.authorizationHeader`.
  /// - Returns: the response, when its status is 200…299.
  /// - Throws: ``GraphError``, also for any other status.
  public func get(
    _ url: String, authorization: Secret<String>
  ) async throws(GraphError) -> GraphResponse {
    try await send(.get, url, authorization: authorization)
  }

  /// Sends a request.
  ///
  /// - Parameters:
  ///   - method: `GET`, `POST`, `PUT`, `PATCH` or `DELETE`.
  ///   - url: an absolute URL on ``host``.
  ///   - headers: more header fields; they cannot set the token or the request ID.
  ///   - body: the body; `headers` set its type.
  ///   - authorization: the value of the `Authorization` header field; see
  ///     `AuthenticationResult.authorizationHeader`.
  /// - Returns: the response, when its status is 200…299.
  /// - Throws: ``GraphError``, also for any other status.
  public func send(
    _ method: HTTPRequest.Method, _ url: String, headers: HTTPFields = [:], body: Data = Data(),
    authorization: Secret<String>
  ) async throws(GraphError) -> GraphResponse {
    try await send(
      method, url, headers: headers, body: body, authorization: authorization,
      limits: Self.limits)
  }

  /// Sends a request with its own limits.
  func send(
    _ method: HTTPRequest.Method, _ url: String, headers: HTTPFields = [:], body: Data = Data(),
    authorization: Secret<String>, limits: HTTPLimits
  ) async throws(GraphError) -> GraphResponse {
    var request = HTTPRequest(url: url, method: method)
    guard request.scheme?.lowercased() == "https", request.authority?.lowercased() == host else {
      throw GraphError(
        .invalidURL,
        Sentence(
          "The request was not sent to '{other}', because the token is only for '{host}'.",
          ["other": request.authority ?? url, "host": host]))
    }
    let requestID = newRequestID()
    request.headerFields = headers
    request.headerFields[.authorization] = authorization.exposed
    if headers[.accept] == nil { request.headerFields[.accept] = "application/json" }
    request.headerFields[.clientRequestID] = requestID
    let reply: HTTPReply
    do {
      reply = try await transport.execute(request, body: body, limits: limits)
    } catch {
      throw GraphError(error, clientRequestID: requestID)
    }
    guard reply.response.status.kind == .successful else {
      throw GraphError(
        reply, of: service, clientRequestID: requestID,
        // A server that echoes the token may omit the scheme.
        sent: SentSecrets(
          authorization.exposed.split(separator: " ").dropFirst().map {
            Secret(String($0))
          }))
    }
    return GraphResponse(
      status: reply.response.status.code,
      contentType: reply.response.headerFields[.contentType] ?? "", body: reply.body)
  }
}
