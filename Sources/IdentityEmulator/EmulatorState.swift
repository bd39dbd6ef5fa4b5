import FoundationEssentials

/// The mutable state of a running emulator.
///
/// Its parts are in the folders `SignIn`, `Tokens` and `Control`.
actor EmulatorState {
  /// What was configured.
  let directory: Directory
  let signingKey: SigningKey
  /// The key that replaced it.
  var rotatedKey: SigningKey?
  /// The active faults.
  var faults: Set<Fault>

  /// The names of the host that requests may be sent to.
  let hostNames: Set<String>

  /// Scheme, host and port; set when the server listens.
  var origin = ""

  var users: [User]
  /// What Microsoft Graph has.
  var graph: GraphStore
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

  /// The interval of new device codes, in seconds.
  let deviceCodeInterval: Int

  var redirectDelivery: RedirectDelivery
  /// The last requests; see ``record(_:)``.
  var requests: [RecordedRequest] = []
  /// The sum of the sizes of these.
  var recordedSize = 0
  /// The number of all requests for each route.
  var requestCounts: [String: Int] = [:]
  /// The delays of routes.
  var delays: [String: Duration] = [:]
  /// Prepared replies of the token endpoint.
  var cannedTokenReplies: [CannedReply] = []
  /// Prepared replies of the addresses for downloads and uploads.
  var cannedTransferReplies: [CannedReply] = []
  /// Prepared replies of Microsoft Graph.
  var cannedGraphReplies: [(path: String?, reply: CannedReply)] = []

  /// A user and a client.
  struct ConsentKey: Hashable {
    let username: String
    let clientID: String
  }

  init(configuration: EmulatorConfiguration, signingKey: SigningKey) {
    directory = Directory(configuration)
    users = directory.users
    graph = GraphStore()
    hostNames = Set(configuration.hostNames + ["localhost", "127.0.0.1"])
    tokenLifetime = configuration.tokenLifetime
    deviceCodeInterval = configuration.deviceCodeInterval
    faults = configuration.faults
    redirectDelivery = configuration.redirectDelivery
    self.signingKey = signingKey
  }

  func setOrigin(_ origin: String) { self.origin = origin }
}
