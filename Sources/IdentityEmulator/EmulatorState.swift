import FoundationEssentials

/// Everything that changes while the emulator runs.
///
/// Its parts are in the folders of their concepts: `SignIn`, `Tokens` and `Control`.
actor EmulatorState {
  let clients: [ClientRegistration]
  let signingKey: SigningKey
  /// The key that took its place.
  var rotatedKey: SigningKey?
  /// How it misbehaves.
  var faults: Set<Fault>

  /// Scheme, host and port, known once the server listens.
  var origin = ""

  var users = User.demo
  var sessions: [String: BrowserSession] = [:]
  var signIns: [String: SignIn] = [:]
  /// Scopes each user has agreed to, for each client.
  var consents: [ConsentKey: Set<Scope>] = [:]
  /// Redirects that wait behind a page, when the delivery is not a plain `302`.
  var pendingRedirects: [String: String] = [:]

  var codes: [String: AuthorizationCode] = [:]
  var deviceAuthorizations: [String: DeviceAuthorization] = [:]
  var refreshTokens: [String: RefreshToken] = [:]
  var accessTokens: [String: AccessToken] = [:]
  /// The proofs of possession that were taken: each is good once.
  var usedProofs: Set<String> = []
  /// The names of the users whose ID tokens were given out.
  var idTokens: [String: String] = [:]
  /// Lifetime of new access tokens in seconds.
  var tokenLifetime: Int

  /// The interval of new device codes in seconds.
  let deviceCodeInterval: Int

  var redirectDelivery: RedirectDelivery
  var requests: [RecordedRequest] = []
  /// How long requests to a route wait before they are answered.
  var delays: [String: Duration] = [:]
  /// Replies of the token endpoint that stand in for the next real ones.
  var cannedTokenReplies: [CannedReply] = []

  /// Who has agreed, and to which client.
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
