import FoundationEssentials

/// The mutable state of a running emulator.
///
/// Its parts are in the folders `SignIn`, `Tokens` and `Control`.
actor EmulatorState {
  let clients: [ClientRegistration]
  let signingKey: SigningKey
  /// The key that replaced it.
  var rotatedKey: SigningKey?
  /// The active faults.
  var faults: Set<Fault>

  /// Scheme, host and port; set when the server listens.
  var origin = ""

  var users = User.demo { didSet { noteDirectoryChanges(since: oldValue) } }
  /// All changes of the directory so far, which delta tokens count.
  var directoryChanges = User.demo.map { DirectoryChange(user: $0) }
  /// Delta tokens of another generation are forgotten.
  var deltaGeneration = 0
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
  var requests: [RecordedRequest] = []
  /// The delays of routes.
  var delays: [String: Duration] = [:]
  /// Prepared replies of the token endpoint.
  var cannedTokenReplies: [CannedReply] = []
  /// The files of the drive, by name.
  var files: [String: DriveFile] = [:]
  var uploads: [String: UploadSession] = [:]
  /// Prepared replies of the addresses for downloads and uploads.
  var cannedTransferReplies: [CannedReply] = []
  /// Prepared replies of Microsoft Graph.
  var cannedGraphReplies: [CannedReply] = []

  /// A user and a client.
  struct ConsentKey: Hashable {
    let username: String
    let clientID: String
  }

  init(configuration: EmulatorConfiguration, signingKey: SigningKey) {
    clients = configuration.clients
    tokenLifetime = configuration.tokenLifetime
    deviceCodeInterval = configuration.deviceCodeInterval
    faults = configuration.faults
    redirectDelivery = configuration.redirectDelivery
    self.signingKey = signingKey
  }

  func setOrigin(_ origin: String) { self.origin = origin }
}
