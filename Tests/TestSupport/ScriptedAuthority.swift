public import AuthCore
import Crypto
public import CurlHTTP
public import FoundationEssentials
public import HTTPTypes

/// An authority that follows the protocol unless scripted otherwise, and records all requests.
///
/// It is the whole network of a test: OpenID configuration, token endpoint, and an API.
public final class ScriptedAuthority: HTTPTransport {
  /// The endpoints.
  public enum Endpoint: Sendable, Hashable, CaseIterable {
    /// Instance discovery.
    case instance
    /// The OpenID configuration.
    case configuration
    /// The keys that ID tokens are signed with.
    case keys
    /// The device authorization endpoint.
    case deviceCode
    /// The token endpoint.
    case token
    /// The API.
    case api
    /// The profile photo of Microsoft Graph.
    case photo
  }

  /// A recorded request.
  public struct Call: Sendable {
    /// The endpoint.
    public var endpoint: Endpoint
    /// The whole URL.
    public var url: String
    /// Method and header fields.
    public var request: HTTPRequest
    /// The body.
    public var body: Data
    /// The fields of the form, if it is one.
    public var form: [String: String]
  }

  /// Replaces the usual reply.
  public typealias Answer = @Sendable (Call) async throws(HTTPError) -> HTTPReply

  /// Changes the members of a JSON object before it is sent.
  public typealias Edit = @Sendable (inout [String: JSON]) -> Void

  struct State {
    var calls: [Call] = []
    var answers: [Endpoint: [Answer]] = [:]
    var edits: [Document: Edit] = [:]
    var person = Person.adele
    var authorization: [String: String] = [:]
    var deviceCodeScopes = ""
    var pages: [WebAuthenticationRequest] = []
    var serial = 0
    var secrets: [String] = []
    var signingKey = ScriptedKey.first
    var servedKeys = [ScriptedKey.first]
    var issuer = ""
    /// The last component of the path of the last requested OpenID configuration.
    var policy = ""
  }

  /// The documents that a test can change.
  public enum Document: Sendable, Hashable {
    /// The OpenID configuration.
    case configuration
    /// The JWK set.
    case keys
    /// The device authorization response.
    case deviceCode
    /// The token response.
    case tokens
    /// The claims of the ID token.
    case claims
    /// The header of the ID token.
    case header
  }

  /// Host name, and port if there is one.
  public let host: String
  /// The simulated kind of service.
  public let kind: Authority.Kind
  /// The issuer of an OpenID Connect provider, when it is not the requested URL.
  let issuer: String?
  let state = LockedValue(State())

  /// Creates an authority at `host`.
  ///
  /// - Parameter issuer: the issuer of an OpenID Connect provider; nil for the requested URL.
  public init(
    host: String = "login.microsoftonline.com", kind: Authority.Kind = .entra,
    issuer: String? = nil
  ) {
    self.issuer = issuer
    self.host = host
    self.kind = kind
  }

  // MARK: - Scripting

  /// Sets the user who signs in from now on.
  public func willSignIn(_ person: Person) { state.withLock { $0.person = person } }

  /// Signs ID tokens with `key` from now on, and serves `keys`, or else only this one.
  public func willSign(with key: ScriptedKey, serving keys: [ScriptedKey]? = nil) {
    state.withLock { state in
      state.signingKey = key
      state.servedKeys = keys ?? [key]
    }
  }

  /// Uses `answer` for the next request to `endpoint`, or for several.
  ///
  /// Answers are used in order.
  public func next(_ endpoint: Endpoint, times: Int = 1, _ answer: @escaping Answer) {
    state.withLock { state in
      state.answers[endpoint, default: []] += Array(repeating: answer, count: times)
    }
  }

  /// Replies with `status` and `body` to the next request to `endpoint`, or to several.
  public func next(
    _ endpoint: Endpoint, times: Int = 1, status: Int, type: String = "application/json",
    _ body: String
  ) {
    next(endpoint, times: times) { _ in .make(status, type: type, body) }
  }

  /// Has the next request to `endpoint` end only when it is canceled, as with a server that hangs.
  ///
  /// - Returns: a stream with one element, which arrives when the request does.
  public func hangNext(_ endpoint: Endpoint) -> AsyncStream<Void> {
    let (sent, isSent) = AsyncStream<Void>.makeStream()
    next(endpoint) { [host] _ throws(HTTPError) in
      isSent.yield()
      for await _ in AsyncStream<Void>.makeStream().stream {}
      throw HTTPError(.cancelled, host: host, message: "Canceled.")
    }
    return sent
  }

  /// Discards all scripted answers of `endpoint`.
  public func answerAsUsual(_ endpoint: Endpoint) { state.withLock { $0.answers[endpoint] = nil } }

  /// Changes all documents of a kind from now on.
  public func edit(_ document: Document, _ edit: Edit?) {
    state.withLock { $0.edits[document] = edit }
  }

  // MARK: - Inspection

  /// The requests so far.
  public var calls: [Call] { state.withLock { $0.calls } }

  /// Forgets what was recorded.
  public func forget() {
    state.withLock { state in
      (state.calls, state.pages, state.secrets, state.authorization) = ([], [], [], [:])
    }
  }

  /// The number of requests to `endpoint`.
  public func count(_ endpoint: Endpoint) -> Int { calls.count { $0.endpoint == endpoint } }

  /// The form of the last request to the token endpoint.
  public var lastForm: [String: String] {
    calls.last { $0.endpoint == .token }?.form ?? [:]
  }

  /// The pages that were shown.
  public var pagesShown: [WebAuthenticationRequest] { state.withLock { $0.pages } }

  /// The parameters of the last authorization request.
  public var authorization: [String: String] { state.withLock { $0.authorization } }

  /// All secrets sent to or by this authority.
  public var secrets: [String] { state.withLock { $0.secrets } }

  // MARK: - HTTP

  /// Handles a request.
  public func execute(
    _ request: HTTPRequest, body: Data, limits: HTTPLimits
  ) async throws(HTTPError) -> HTTPReply {
    let url = "\(request.scheme ?? "")://\(request.authority ?? "")\(request.path ?? "")"
    let form = FormEncoding.parse(String(decoding: body, as: UTF8.self)) ?? []
    let call = Call(
      endpoint: Self.endpoint(of: url), url: url, request: request, body: body,
      form: Dictionary(form.map { ($0.name, $0.value) }) { $1 })
    let answer = state.withLock { state in
      state.calls.append(call)
      state.secrets += ["code", "code_verifier", "refresh_token", "device_code"]
        .compactMap { call.form[$0] }
      let isScripted = state.answers[call.endpoint]?.isEmpty == false
      return isScripted ? state.answers[call.endpoint]?.removeFirst() : nil
    }
    if let answer { return try await answer(call) }
    return usualReply(to: call)
  }

  /// The reply without a script.
  public func usualReply(to call: Call) -> HTTPReply {
    switch call.endpoint {
    case .instance: .make(200, "{\"metadata\": [{\"aliases\": [\"login.microsoftonline.com\"]}]}")
    case .configuration: .json(configuration(of: call))
    case .keys: .json(keys)
    case .deviceCode: deviceCode(for: call)
    case .token: tokens(for: call)
    case .api: .make(200, "{\"displayName\": \"Adele Vance\", \"id\": 1}")
    case .photo: .make(404, "{}")
    }
  }

  private static func endpoint(of url: String) -> Endpoint {
    let path = url.prefix { $0 != "?" }
    if path.hasSuffix("/discovery/instance") { return .instance }
    if path.hasSuffix("/.well-known/openid-configuration") { return .configuration }
    if path.hasSuffix("/discovery/v2.0/keys") { return .keys }
    if path.hasSuffix("/oauth2/v2.0/devicecode") { return .deviceCode }
    if path.contains("/me/photo") { return .photo }
    let isToken = ["/oauth2/v2.0/token", "/adfs/oauth2/token/", "/connect/token"]
      .contains { path.hasSuffix($0) }
    return isToken ? .token : .api
  }

  private var keys: [String: JSON] {
    let (keys, edit) = state.withLock { ($0.servedKeys, $0.edits[.keys]) }
    var document: [String: JSON] = ["keys": .array(keys.map { .object($0.jwk) })]
    edit?(&document)
    return document
  }

  private func configuration(of call: Call) -> [String: JSON] {
    var document = document(at: call.url)
    state.withLock { $0.edits[.configuration] }?(&document)
    let path = call.url.replacing("/v2.0", with: "").replacing(
      "/.well-known/openid-configuration", with: "")
    state.withLock { state in
      state.issuer = document["issuer"]?.string ?? ""
      state.policy = path.split(separator: "/").last.map(String.init) ?? ""
    }
    return document
  }
}

extension HTTPReply {
  /// Creates a reply with text.
  public static func make(_ status: Int, type: String = "application/json", _ body: String)
    -> HTTPReply
  {
    HTTPReply(
      response: HTTPResponse(
        status: HTTPResponse.Status(code: status), headerFields: [.contentType: type]),
      body: Data(body.utf8))
  }

  /// Creates a reply with a JSON object.
  public static func json(_ members: [String: JSON], status: Int = 200) -> HTTPReply {
    make(status, JSON.object(members).compactText)
  }
}

extension JSON {
  /// An object with sorted members.
  public static func object(_ members: [String: JSON]) -> JSON {
    .object(members.sorted { $0.key < $1.key }.map { Member($0.key, $0.value) })
  }
}
