import CurlHTTP
import FoundationEssentials
import HTTPTypes
import IdentityEmulator

/// Runs `body` with an emulator, and stops it afterwards.
func withEmulator(
  _ configuration: EmulatorConfiguration = EmulatorConfiguration(),
  _ body: (Emulator, Client) async throws -> Void
) async throws {
  let emulator = Emulator(configuration: configuration)
  let client = Client(try await emulator.start())
  do {
    try await body(emulator, client)
  } catch {
    await emulator.stop()
    throw error
  }
  await emulator.stop()
}

/// An application that uses a running emulator.
struct Client {
  let running: Emulator.Running
  let http: CurlClient

  /// The verifier of RFC 7636, appendix B.
  ///
  /// All sign-ins of a test can use the same one.
  static let verifier = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"
  static let redirectURI = "msauth.io.github.entrance.entrance://auth"

  /// Long, because hundreds of concurrent connections can take a while on a busy computer.
  static let timeout = HTTPLimits(connect: .seconds(90), total: .seconds(100))

  init(_ running: Emulator.Running) {
    self.running = running
    http = CurlClient(CurlClient.Configuration(caFile: running.caFile))
  }

  /// The URL that begins a sign-in.
  func authorizationURL(
    tenant: String = "common", scopes: String = "openid offline_access User.Read",
    extra: String = ""
  ) -> String {
    "\(running.baseURL)/\(tenant)/oauth2/v2.0/authorize?client_id=\(ClientRegistration.demo.clientID)"
      + "&response_type=code&redirect_uri=\(Self.redirectURI)&state=xyz"
      + "&scope=\(scopes.replacing(" ", with: "%20"))"
      + "&code_challenge=\(PKCE.challenge(for: Self.verifier))&code_challenge_method=S256\(extra)"
  }

  func get(_ path: String, token: String? = nil) async throws -> HTTPReply {
    var request = HTTPRequest(url: running.baseURL + path)
    if let token { request.headerFields[.authorization] = "Bearer \(token)" }
    return try await http.execute(request, body: Data(), limits: Self.timeout)
  }

  func redeem(_ code: String) async throws -> HTTPReply {
    try await token(
      "grant_type=authorization_code&code=\(code)&redirect_uri=\(Self.redirectURI)"
        + "&code_verifier=\(Self.verifier)")
  }

  func refresh(_ refreshToken: String) async throws -> HTTPReply {
    try await token("grant_type=refresh_token&refresh_token=\(refreshToken)&scope=User.Read")
  }

  private func token(_ form: String) async throws -> HTTPReply {
    try await post(
      "/common/oauth2/v2.0/token", form: "client_id=\(ClientRegistration.demo.clientID)&\(form)")
  }

  func post(
    _ path: String, form: String, fields: HTTPFields = [:]
  ) async throws -> HTTPReply {
    var request = HTTPRequest(url: running.baseURL + path)
    request.method = .post
    request.headerFields = fields
    request.headerFields[.contentType] = "application/x-www-form-urlencoded"
    return try await http.execute(request, body: Data(form.utf8))
  }
}

/// The members of a token response that the tests use.
struct TokenReply: Decodable {
  var accessToken: String?
  var refreshToken: String?
  var error: String?
  var suberror: String?

  enum CodingKeys: String, CodingKey {
    case accessToken = "access_token"
    case refreshToken = "refresh_token"
    case error, suberror
  }

  init(_ reply: HTTPReply) throws {
    self = try JSONDecoder().decode(TokenReply.self, from: reply.body)
  }
}

extension HTTPRequest {
  /// A GET of `url`.
  init(url: String) {
    let rest = url.dropFirst("https://".count)
    let authority = rest.prefix { $0 != "/" }
    self.init(
      method: .get, scheme: "https", authority: String(authority),
      path: String(rest.dropFirst(authority.count)))
  }
}
