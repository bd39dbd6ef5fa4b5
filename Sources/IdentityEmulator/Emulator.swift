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
  public enum StartError: LocalizedError, Sendable {
    /// It is already running.
    case isRunning
    /// The port is not available.
    case cannotListen(port: Int, reason: String)

    /// What happened, in a sentence, which is also `localizedDescription`.
    public var errorDescription: String? {
      switch self {
      case .isRunning: "The emulator is already running."
      case .cannotListen(let port, let reason):
        "The emulator cannot listen on port \(port): \(reason)."
      }
    }
  }

  /// A demo user, for tests.
  public struct DemoUser: Sendable {
    /// The user name.
    public let username: String
    /// The display name.
    public let displayName: String
    /// The password.
    public let password: String
    /// `work`, `personal` or `guest`.
    public let kind: String
  }

  /// The initial users of every emulator.
  public static let demoUsers = User.demo.map {
    DemoUser(
      username: $0.username, displayName: $0.displayName, password: $0.password,
      kind: $0.kind.rawValue)
  }

  /// The configuration.
  public let configuration: EmulatorConfiguration
  /// Set at the beginning of the start, so that a second one fails.
  private var isStarted = false
  var server: Server?

  /// State that exists only while it runs.
  struct Server {
    let web: WebServer
    let state: EmulatorState
    let directory: PrivateDirectory
  }

  /// Creates an emulator; it is not running yet.
  public init(configuration: EmulatorConfiguration = EmulatorConfiguration()) {
    self.configuration = configuration
  }

  /// Starts to listen, with new keys and certificates, and no state of an earlier run.
  public func start() async throws -> Running {
    guard !isStarted else { throw StartError.isRunning }
    isStarted = true
    do {
      return try await begin()
    } catch {
      isStarted = false
      throw error
    }
  }

  private func begin() async throws -> Running {
    let authority = try CertificateAuthority(hostNames: configuration.hostNames)
    let state = EmulatorState(configuration: configuration, signingKey: try SigningKey())
    let directory = try PrivateDirectory()
    do {
      let caFile = try directory.write(authority.certificatePEM, to: "ca.pem")
      let web = try listen(state, authority.server)
      let baseURL = "https://localhost:\(web.port)"
      await state.setOrigin(baseURL)
      server = Server(web: web, state: state, directory: directory)
      return Running(baseURL: baseURL, port: web.port, caFile: caFile)
    } catch {
      directory.remove()
      throw error
    }
  }

  /// Stops: closes connections and the port, and deletes the CA file.
  public func stop() async {
    guard let server else { return }
    self.server = nil
    await server.web.stop()
    server.directory.remove()
    isStarted = false
  }

  private func listen(
    _ state: EmulatorState, _ certificate: ServerCertificate
  ) throws(StartError) -> WebServer {
    let recorder = RequestRecorder(
      state: state, router: router(state), log: configuration.log)
    do {
      return try WebServer(
        port: configuration.port, certificate: certificate, responder: recorder.respond)
    } catch {
      throw .cannotListen(port: configuration.port, reason: error.reason)
    }
  }

  private func router(_ state: EmulatorState) -> Router {
    var router = Router()
    DiscoveryRoutes(state: state).add(to: &router)
    SignInRoutes(state: state).add(to: &router)
    SignOutRoutes(state: state).add(to: &router)
    DeviceCodeRoutes(state: state).add(to: &router)
    TokenRoutes(state: state).add(to: &router)
    UserInfoRoutes(state: state).add(to: &router)
    GraphRoutes(state: state).add(to: &router)
    if configuration.isControlEnabled { ControlRoutes(state: state).add(to: &router) }
    return router
  }
}
