import AuthCore
import CurlHTTP
import Dispatch
import FoundationEssentials
import Sentences

/// Gives one program tokens as a managed identity of Azure App Service would.
///
/// Azure's libraries in every language ask it by themselves. It answers who knows the secret of this
/// run, and only this person's programs.
/// https://learn.microsoft.com/azure/app-service/overview-managed-identity#rest-endpoint-reference
struct ManagedIdentity: LoopbackService {
  /// Gets a token: its text, and when it expires.
  typealias Acquire =
    @Sendable (ProgramTokenRequest) async -> Result<(token: String, expiresOn: Date), CommandError>

  static let path = "/msi/token"
  static let version = "2019-08-01"

  private let hosts: Set<String>
  private let secret: String
  private let scopes: AllowedScopes
  private let acquire: Acquire

  /// - Parameters:
  ///   - port: the port that it is asked at.
  ///   - scopes: what may be asked for.
  ///   - acquire: gets a token, without a person.
  init(port: UInt16, scopes: AllowedScopes, acquire: @escaping Acquire) {
    hosts = ["127.0.0.1:\(port)", "localhost:\(port)"]
    // 256 bits, as a bearer token has (RFC 6750, section 5.2, and RFC 4086).
    secret = (0..<4).map { _ in String(UInt64.random(in: .min ... .max), radix: 36) }.joined()
    self.scopes = scopes
    self.acquire = acquire
    var variables: [String: String?] = [
      Self.endpointVariable: "http://127.0.0.1:\(port)\(Self.path)",
      Self.secretVariable: secret,
      Self.portVariable: "\(port)",
    ]
    for name in Self.removedVariables { variables.updateValue(nil, forKey: name) }
    self.variables = variables.merging(Self.withoutProxy) { $1 }
  }

  /// The environment of the program that it is for.
  let variables: [String: String?]

  /// The names that ``variables`` can have.
  static let variableNames = Set(
    [endpointVariable, secretVariable, portVariable] + removedVariables + proxyExceptions)

  private static let endpointVariable = "IDENTITY_ENDPOINT"
  /// The environment variable with the secret of this run.
  static let secretVariable = "IDENTITY_HEADER"
  /// With these, libraries would ask another service, or in another way.
  private static let removedVariables = [
    "IDENTITY_SERVER_THUMBPRINT", "IMDS_ENDPOINT", "MSI_ENDPOINT", "MSI_SECRET",
  ]
  /// The environment variables with the hosts that no proxy is for.
  private static let proxyExceptions = ["no_proxy", "NO_PROXY"]

  /// What keeps requests to this computer from a proxy, which would get the secret; empty where
  /// the environment names none.
  private static var withoutProxy: [String: String?] {
    let proxies = ["http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY"]
    guard proxies.contains(where: { ProcessEnvironment.variable($0) != nil }) else { return [:] }
    let known = proxyExceptions.lazy.compactMap { ProcessEnvironment.variable($0) }.first
    // Alone, an asterisk is every host.
    guard known != "*" else { return [:] }
    let hosts = [known, "127.0.0.1", "localhost"].compactMap(\.self).joined(separator: ",")
    return Dictionary(uniqueKeysWithValues: proxyExceptions.map { ($0, hosts) })
  }

  func response(to request: LoopbackRequest, isOwn: () -> Bool) -> LoopbackResponse {
    // A page in a browser that was rebound to this computer has another host.
    guard hosts.contains(request.host.lowercased()), isOwn() else { return refusal(status: 403) }
    let target = request.target.split(
      separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    guard target[0] == Self.path else { return refusal(status: 404) }
    guard request.method == "GET" else { return refusal(status: 405) }
    guard constantTimeEqual(request.fields["x-identity-header"] ?? "", secret) else {
      return refusal(status: 401)
    }
    let query = FormEncoding.parse(target.count > 1 ? target[1] : "") ?? []
    func value(_ name: String) -> String? { query.first { $0.name == name }?.value }
    guard value("api-version") == Self.version else {
      return Self.failure(400, "Only the API version \(Self.version) is known.")
    }
    let tokenRequest: ProgramTokenRequest
    do throws(CommandError) {
      tokenRequest = try self.tokenRequest(query)
    } catch {
      return Self.failure(400, error)
    }
    return switch wait({ await acquire(tokenRequest) }) {
    case .success(let token):
      LoopbackResponse(
        status: 200,
        json: [
          "access_token": JSON(token.token),
          "expires_on": .string("\(Int(token.expiresOn.timeIntervalSince1970))"),
          "resource": JSON(value("resource")), "token_type": "Bearer",
        ])
    case .failure(let error):
      // Libraries ask again after 503, and not after 400.
      Self.failure(error.exitStatus == .tryLater ? 503 : 400, error)
    }
  }

  /// What is asked for: a resource, by Azure's libraries; or scopes, by a command that the program
  /// runs (`ManagedIdentity.answer(to:)`).
  private func tokenRequest(
    _ query: [FormEncoding.Parameter]
  ) throws(CommandError) -> ProgramTokenRequest {
    func values(_ name: String) -> [String] { query.filter { $0.name == name }.map(\.value) }
    let wanted = values("scope")
    guard wanted.isEmpty else {
      return try ProgramTokenRequest(
        scopes: scopes.scopes(for: wanted), tenant: values("tenant").first,
        claims: values("claims").first)
    }
    guard let resource = values("resource").first, !resource.isEmpty else {
      throw CommandError(usage: Sentence(verbatim: "The parameter 'resource' is required."))
    }
    return try ProgramTokenRequest(scopes: scopes.scopes(for: ["\(resource)/.default"]))
  }

  func refusal(status: Int) -> LoopbackResponse {
    Self.failure(status, "This request is not one for a token.")
  }

  private static func failure(_ status: Int, _ error: CommandError) -> LoopbackResponse {
    let words = [error.message, error.nextStep].compactMap { $0.map { "\($0)" } }
    return LoopbackResponse(
      status: status,
      json: [
        "statusCode": JSON(status), "message": JSON(words.joined(separator: " ")),
        "exitStatus": JSON(Int(error.exitStatus.number)),
      ])
  }

  private static func failure(_ status: Int, _ message: String) -> LoopbackResponse {
    LoopbackResponse(
      status: status, json: ["statusCode": JSON(status), "message": JSON(message)])
  }

  /// Waits for `work` on the listener's own thread.
  private func wait<Value: Sendable>(_ work: @escaping @Sendable () async -> Value) -> Value {
    let outcome = LockedValue<Value?>(nil)
    let isDone = DispatchSemaphore(value: 0)
    Task {
      let value = await work()
      outcome.withLock { $0 = value }
      isDone.signal()
    }
    while true {
      isDone.wait()
      if let value = outcome.withLock(\.self) { return value }
    }
  }
}

/// The scopes that a program may have tokens for.
struct AllowedScopes {
  private let scopes: [String]
  private let defaultResource: String

  /// - Parameters:
  ///   - scopes: the scopes; one without a resource belongs to `defaultResource`.
  ///   - defaultResource: Microsoft Graph, by its address.
  init(_ scopes: [String], defaultResource: String) {
    (self.scopes, self.defaultResource) = (scopes, defaultResource)
  }

  /// The scopes for a token that is asked for with `wanted`: `.default` of a resource stands for
  /// all that are allowed of it.
  ///
  /// - Throws: when one of them is not allowed; it says how to allow it.
  func scopes(for wanted: [String]) throws(CommandError) -> [String] {
    var found: [String] = []
    for scope in wanted {
      let (resource, permission) = parts(of: scope)
      let allowed = scopes.filter { parts(of: $0).resource == resource }
      let names = allowed.map { parts(of: $0).permission }
      guard !allowed.isEmpty,
        permission == Self.all || names.contains(Self.all) || names.contains(permission)
      else { throw Self.refusal(of: scope) }
      found += permission == Self.all ? allowed : [scope]
    }
    return found
  }

  private static let all = ".default"

  /// The resource of a scope, and its permission; both in lower case, in which they are the same.
  private func parts(of scope: String) -> (resource: String, permission: String) {
    let scope = scope.lowercased()
    guard let slash = scope.lastIndex(of: "/") else { return (Self.key(defaultResource), scope) }
    return (Self.key(scope[..<slash]), String(scope[scope.index(after: slash)...]))
  }

  /// A resource with and without a slash at its end is the same one.
  private static func key(_ resource: some StringProtocol) -> String {
    let text = resource.lowercased()
    return text.hasSuffix("/") ? String(text.dropLast()) : text
  }

  private static func refusal(of scope: String) -> CommandError {
    CommandError(
      "notAllowed",
      Sentence(verbatim: "'\(scope)' is not allowed: add '--allow \(scope)' to entrancectl run."),
      exitStatus: .programDenied)
  }
}
