public import FoundationEssentials

/// An emulator of the Microsoft identity platform and Microsoft Graph on loopback.
///
/// It uses HTTPS with its own certificate authority, has some demo users, and rejects what the real
/// services reject. It sends nothing to other computers, and leaves nothing behind when it stops.
///
///     let emulator = Emulator()
///     let running = try await emulator.start()
///     // … use running.authority and running.caFile …
///     await emulator.stop()
public actor Emulator {
  /// The address of a running emulator.
  public struct Running: Sendable {
    /// Scheme, host and port: `https://localhost:12345`.
    public let baseURL: String
    /// The port it listens on.
    public let port: Int
    /// The PEM file with the certificate to trust.
    public let caFile: String

    /// The authority for work and personal accounts.
    public var authority: String { "\(baseURL)/common" }

    /// The authority to try a kind of service with.
    public func authority(_ kind: AuthorityKind) -> String { baseURL + kind.path }

    /// What a program that starts the emulator needs to know, as one line of JSON.
    public func announcement(_ configuration: EmulatorConfiguration) -> String {
      let client = configuration.clients.last ?? .demo
      let users = Directory(configuration).shownUsers.map { user -> JSON in
        [
          "username": .string(user.username), "displayName": .string(user.displayName),
          "password": .string(user.password), "kind": .string(user.kind.rawValue),
        ]
      }
      let json: JSON = [
        "authority": .string(authority),
        "graph": .string("\(baseURL)/v1.0/me"),
        "caFile": .string(caFile),
        "clientID": .string(client.clientID),
        "redirectURI": .string(client.redirectURIs.first ?? ""),
        "users": .array(users),
        "authorities": .array(
          AuthorityKind.allCases.map { kind in
            [
              "kind": .string(kind.rawValue), "authority": .string(self.authority(kind)),
              "scope": .string(kind.scope),
            ]
          }),
      ]
      return json.text
    }
  }

  /// Why the emulator did not start.
  ///
  /// An enum, because there are only two causes: another emulator, or another program.
  public enum StartError: LocalizedError, CustomStringConvertible, Sendable {
    /// It is already running.
    case isRunning
    /// The port is not available.
    case cannotListen(port: Int, reason: String)

    /// What happened, in a sentence.
    public var description: String {
      switch self {
      case .isRunning: "The emulator is already running."
      case .cannotListen(let port, let reason):
        "The emulator cannot listen on port \(port): \(reason)."
      }
    }

    /// The description, which is also `localizedDescription`.
    public var errorDescription: String? { description }
  }

  /// The configuration.
  public let configuration: EmulatorConfiguration
  /// The last requests: up to 10,000, of 16 MiB altogether.
  ///
  /// They contain secrets; their descriptions do not.
  public internal(set) var requests: [RecordedRequest] = []
  /// The number of all requests for each route: `"POST /{tenant}/oauth2/v2.0/token": 2`.
  public internal(set) var requestCounts: [String: Int] = [:]
  /// The sum of the sizes of the last requests.
  var recordedSize = 0

  /// What was configured.
  let directory: Directory
  /// The names of the host that requests may be sent to.
  let hostNames: Set<String>
  /// The key that signs tokens, and the one that replaced it; nil until it is needed.
  var signingKey, rotatedKey: SigningKey?
  /// The active faults.
  var faults: Set<Fault>

  /// What exists only while it runs.
  var server: Server?
  /// Whether it was started, and has not stopped yet.
  private var isStarted = false
  /// Scheme, host and port; set when the server listens.
  var origin = ""

  var users: [User]
  /// What Microsoft Graph has.
  var graph = GraphStore()
  var sessions: [String: BrowserSession] = [:]
  var signIns: [String: SignIn] = [:]
  /// The scopes that each user has consented to, for each client.
  var consents: [ConsentKey: Set<Scope>] = [:]
  /// Redirects that a page will request, for deliveries other than `302`.
  var pendingRedirects: [String: String] = [:]

  var codes: [String: AuthorizationCode] = [:]
  var deviceAuthorizations: [String: DeviceAuthorization] = [:]
  var refreshTokens: [String: RefreshToken] = [:]
  var accessTokens: [String: AccessToken] = [:]
  /// The proofs of possession that were used: each is accepted once.
  var usedProofs: Set<String> = []
  /// The user names of the issued ID tokens.
  var idTokens: [String: String] = [:]
  /// The lifetime of new access tokens, in seconds.
  var tokenLifetime: Int

  var redirectDelivery: RedirectDelivery
  /// The delays of routes.
  var delays: [String: Duration] = [:]
  /// Prepared replies, in the order of their use.
  var preparedReplies: [PreparedReply] = []

  /// A user and a client.
  struct ConsentKey: Hashable {
    let username: String
    let clientID: String
  }

  /// A server, and the directory with its certificate.
  struct Server {
    let web: WebServer
    let files: PrivateDirectory
  }

  /// Creates an emulator; it is not running yet.
  public init(configuration: EmulatorConfiguration = EmulatorConfiguration()) {
    self.configuration = configuration
    directory = Directory(configuration)
    users = directory.users
    hostNames = Set(configuration.hostNames + ["localhost", "127.0.0.1"])
    tokenLifetime = configuration.tokenLifetime
    faults = configuration.faults
    redirectDelivery = configuration.redirectDelivery
  }

  /// Starts to listen, with a new certificate.
  ///
  /// What was set, signed in or written before, also in an earlier run, stays.
  public func start() throws -> Running {
    guard !isStarted else { throw StartError.isRunning }
    let authority = try CertificateAuthority(hostNames: configuration.hostNames)
    // It takes a while, which the first token should not.
    _ = try currentKey()
    let files = try PrivateDirectory()
    do {
      let caFile = try files.write(authority.certificatePEM, to: "ca.pem")
      let web = try listen(authority.server)
      origin = "https://localhost:\(web.port)"
      server = Server(web: web, files: files)
      isStarted = true
      return Running(baseURL: origin, port: web.port, caFile: caFile)
    } catch {
      files.remove()
      throw error
    }
  }

  /// Stops: closes connections and the port, and deletes the CA file.
  public func stop() async {
    guard let server else { return }
    self.server = nil
    await server.web.stop()
    server.files.remove()
    isStarted = false
  }

  private func listen(_ certificate: ServerCertificate) throws(StartError) -> WebServer {
    let recorder = RequestRecorder(emulator: self, router: router(), log: configuration.log)
    do {
      return try WebServer(
        port: configuration.port, certificate: certificate, responder: recorder.respond)
    } catch {
      throw .cannotListen(port: configuration.port, reason: error.reason)
    }
  }

  private func router() -> Router {
    var router = Router()
    DiscoveryRoutes(emulator: self).add(to: &router)
    SignInRoutes(emulator: self).add(to: &router)
    SignOutRoutes(emulator: self).add(to: &router)
    DeviceCodeRoutes(emulator: self).add(to: &router)
    TokenRoutes(emulator: self).add(to: &router)
    UserInfoRoutes(emulator: self).add(to: &router)
    GraphRoutes(emulator: self).add(to: &router)
    if configuration.isControlEnabled { ControlRoutes(emulator: self).add(to: &router) }
    return router
  }
}
