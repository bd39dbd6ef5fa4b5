public import AuthCore
public import CurlHTTP
import FoundationEssentials
package import HTTPTypes
import Sentences

/// Calls Microsoft Graph, or another protected API, on one host.
///
/// ```swift
/// let graph = GraphClient(app: app, account: account, scopes: ["User.Read"])
/// let me = try await graph.get("/me", as: User.self)
/// ```
///
/// The client gets the tokens by itself, renews one that Graph rejects, answers a claims challenge
/// once, and repeats what is throttled. The token is sent only to ``host``, whatever is requested.
///
/// Keep a client, and copy it: what is made without an app or a transport has its own HTTP client,
/// whose connections no other one uses.
public struct GraphClient: Sendable {
  /// A version of Microsoft Graph.
  public struct Version: Sendable, Hashable, RawRepresentable {
    /// The first segment of its paths.
    public let rawValue: String

    /// A version by its path.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// `v1.0`.
    public static let v1 = Version(rawValue: "v1.0")
    /// `beta`, which is not for production.
    public static let beta = Version(rawValue: "beta")
    static let all = [v1, beta]

    /// Whether `segment` of a path is a version.
    static func isVersion(_ segment: Substring) -> Bool {
      all.contains { $0.rawValue.utf8.elementsEqual(segment.utf8) }
    }
  }

  /// The host that gets the token, with its port when that is not 443.
  public let host: String
  /// The version that paths are relative to; nil for an API without one.
  public var version: Version?
  /// When a failed request is sent again.
  ///
  /// Unless it is set: never by a client for an API's URL with a token that the caller has, and by
  /// `RetryPolicy()` otherwise.
  public var retry: RetryPolicy {
    get { chosenRetry ?? (repeats ? RetryPolicy() : .never) }
    set { chosenRetry = newValue }
  }
  private var chosenRetry: RetryPolicy?
  private var repeats = true
  /// Time and size limits of one request.
  public var limits = HTTPLimits(total: .seconds(60), bodySize: 32 << 20)
  /// The pauses that the API asks for, shared with other processes; nil, unless it is set, for those
  /// of this client's requests alone.
  ///
  /// They are one account's, so `authorized(by:)` returns a client without them.
  public var pauses: GraphPauses?
  /// Is called with each pause before a request is sent, and with its reason: the error has a
  /// ``GraphError/retryAfter`` if the service has asked for the pause.
  package var willPause: @Sendable (Duration, GraphError) -> Void = { _, _ in }
  /// The API's name in sentences: Microsoft Graph, recognized by its version path, or the host.
  package let service: String

  var tokens: any GraphTokenSource
  let transport: any HTTPTransport
  let runtime: Runtime
  let mailboxes = MailboxQueue()
  /// Whose tokens are used, for ``mailboxes``.
  private(set) var sender = 0

  /// Whether a request's field called `name` is set here, whatever the caller's fields are.
  package static func sets(_ name: HTTPField.Name) -> Bool {
    name == .authorization || name == .clientRequestID
  }

  /// Makes a client for the Microsoft Graph of a cloud.
  ///
  /// - Parameters:
  ///   - cloud: the cloud.
  ///   - version: the version that paths are relative to.
  ///   - tokens: gets the tokens.
  ///   - runtime: the HTTP client and the clock.
  public init(
    cloud: GraphCloud = .global, version: Version = .v1, tokens: any GraphTokenSource,
    runtime: Runtime = Runtime()
  ) {
    host = Self.withoutDefaultPort(cloud.host)
    self.version = version
    service = "Microsoft Graph"
    self.tokens = tokens
    transport = runtime.transport ?? CurlClient()
    self.runtime = runtime
  }

  /// Makes a client that calls Microsoft Graph for an account, which has signed in.
  ///
  /// - Parameters:
  ///   - app: the app that the account has signed in to.
  ///   - account: the account.
  ///   - scopes: the permissions for the calls, such as `User.Read`; in a national cloud, they are
  ///     those of its Graph.
  ///   - authority: the authority of a tenant that the account is a guest of; nil for the app's.
  ///   - cloud: the account's cloud by default.
  ///   - version: the version that paths are relative to.
  ///   - runtime: the HTTP client and the clock; without an HTTP client, the app's is used.
  public init(
    app: PublicClientApplication, account: Account, scopes: [String], authority: Authority? = nil,
    cloud: GraphCloud? = nil, version: Version = .v1, runtime: Runtime = Runtime()
  ) {
    let cloud = cloud ?? GraphCloud(of: account)
    let tokens = AccountTokenSource(
      app: app, account: account, scopes: scopes.map(cloud.scope), authority: authority)
    var runtime = runtime
    // With its proxy and its certificate authorities.
    runtime.transport = runtime.transport ?? app.transport
    self.init(cloud: cloud, version: version, tokens: tokens, runtime: runtime)
  }

  /// Makes a client for the API at `url`, whose tokens the caller gets; see
  /// ``authorized(by:)-(Secret<String>)``.
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
        Sentence("“{url}” is not a valid API address: it must use https.", ["url": url]))
    }
    self.host = Self.withoutDefaultPort(host)
    let first = request.path?.split(whereSeparator: { "/?".contains($0) }).first.map(String.init)
    version = Version.all.first { $0.rawValue == first }
    service = version == nil ? "“\(host)”" : "Microsoft Graph"
    tokens = FixedAuthorization(value: nil)
    repeats = false
    self.transport = transport
    runtime = Runtime(newCorrelationID: newRequestID)
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

  /// Makes a client for an app without an API, which refuses each request before a token is got.
  package init(withoutAPIOver transport: any HTTPTransport) {
    host = ""
    version = nil
    service = ""
    tokens = FixedAuthorization(value: nil)
    repeats = false
    self.transport = transport
    runtime = Runtime()
  }

  /// The client with a token that the caller has; it is not renewed.
  ///
  /// - Parameter authorization: the value of the `Authorization` header field; see
  ///   `AuthenticationResult.authorizationHeader`.
  public func authorized(by authorization: Secret<String>) -> GraphClient {
    var client = self
    client.tokens = FixedAuthorization(value: authorization)
    client.pauses = nil
    client.sender = authorization.exposed.hashValue
    return client
  }

  /// The client with tokens of a source; unless ``retry`` is set, it repeats requests.
  ///
  /// - Parameter tokens: gets the tokens.
  public func authorized(by tokens: any GraphTokenSource) -> GraphClient {
    var client = self
    client.tokens = tokens
    client.pauses = nil
    // An object stays the same source, and a value cannot be compared with others.
    let object = tokens as? any GraphTokenSource & AnyObject
    client.sender =
      object.map { ObjectIdentifier($0).hashValue } ?? Int.random(in: Int.min...Int.max)
    client.repeats = true
    return client
  }

  /// The client without a token, for what anyone may request.
  package var unauthorized: GraphClient {
    authorized(by: FixedAuthorization(value: Secret("")))
  }

  private static func withoutDefaultPort(_ host: String) -> String {
    let host = host.lowercased()
    return host.hasSuffix(":443") ? String(host.dropLast(4)) : host
  }

  // MARK: Requests

  /// Reads a resource.
  ///
  /// - Throws: ``GraphError``, also for any status but 200…299.
  public func get(_ path: GraphPath) async throws(GraphError) -> GraphResponse {
    try await send(GraphRequest(.get, path))
  }

  /// Reads a resource as a value.
  ///
  /// - Throws: ``GraphError``, also for any status but 200…299, and for a response that is no such
  ///   value.
  public func get<Value: Decodable>(
    _ path: GraphPath, as type: Value.Type
  ) async throws(GraphError) -> Value {
    try await get(path).decode(type)
  }

  /// Sends a request, again if ``retry`` says so.
  ///
  /// - Returns: the response, when its status is 200…299.
  /// - Throws: ``GraphError``, also for any other status.
  public func send(_ request: GraphRequest) async throws(GraphError) -> GraphResponse {
    try await send(request, accepts: { (200...299).contains($0) })
  }

  /// Sends a request whose response has a status that `accepts` takes.
  func send(
    _ request: GraphRequest, accepts: (Int) -> Bool
  ) async throws(GraphError) -> GraphResponse {
    let reply = try await performed(request, accepts: accepts) {
      client, httpRequest throws(HTTPError) in
      let reply = try await client.transport.execute(
        httpRequest, body: request.body?.data ?? Data(), limits: client.limits)
      return (reply, reply)
    }
    return GraphResponse(reply)
  }
}
