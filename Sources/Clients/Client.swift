public import AuthCore
public import Connections
public import CurlHTTP
public import Logging
package import IdentityBroker
public import MicrosoftGraph
public import SecretStore

/// A connection with everything needed to use it: trust, HTTP client, token cache store, identity
/// broker, and the application that signs in.
///
/// Apart from the connection's CA file, nothing is read and no connection is made before it is
/// needed.
///
/// ```swift
/// let connections = try ConnectionFiles.standard.load()
/// guard let connection = connections.first else { return }
/// let client = Client(connection)
/// guard let account = await client.application.currentAccount().current else { return }
/// let result = try await client.application.acquireTokenSilent(
///   SilentTokenParameters(scopes: connection.scopes, account: account))
/// let graph = try client.graph().authorized(by: result.authorizationHeader)
/// let answer = try await graph.get(GraphPath(connection.api))
/// ```
public struct Client: Sendable {
  /// The connection.
  public let connection: Connection
  /// The certificate authorities to trust.
  ///
  /// When the connection's CA file cannot be used, `Trust.problem` says why, and every
  /// request fails with that reason.
  public let trust: Trust
  /// The HTTP client.
  public let transport: CurlClient
  /// The same client, or what records its requests.
  package let exchanges: any HTTPTransport
  /// The store of the connection's accounts.
  public let store: any TokenCacheStore
  /// The same store, when the accounts are Entrance's own; nil when the connection names a cache
  /// shared with other programs.
  public let ownStore: ChosenStore?
  /// The computer's identity broker.
  package let broker: LinuxIdentityBroker
  /// The application that signs people in.
  public let application: PublicClientApplication

  /// Creates a client for `connection`.
  ///
  /// - Parameters:
  ///   - connection: the app registration.
  ///   - asksPerson: whether the user may be asked to unlock the keyring.
  ///   - redirectURI: replaces the connection's own redirect URI, for example with
  ///     `Connection.loopbackRedirectURI()` for sign-ins in the system browser.
  ///   - logger: the log; nil for none.
  ///   - logMasking: what is masked in a line, asked for each; nil to mask all personal data.
  public init(
    _ connection: Connection, asksPerson: Bool = true, redirectURI: RedirectURI? = nil,
    logger: Logger? = nil, logMasking: (@Sendable () -> LogMaskingLevel)? = nil
  ) {
    self.init(
      connection, asksPerson: asksPerson, redirectURI: redirectURI, logger: logger,
      logMasking: logMasking, recording: { $0 })
  }

  /// Creates a client whose requests are sent by what `recording` returns.
  package init(
    _ connection: Connection, asksPerson: Bool = true, redirectURI: RedirectURI? = nil,
    logger: Logger? = nil, logMasking: (@Sendable () -> LogMaskingLevel)? = nil,
    recording: (CurlClient) -> any HTTPTransport
  ) {
    self.connection = connection
    (trust, transport) = Self.network(of: connection)
    exchanges = recording(transport)
    if let cache = connection.cache {
      (store, ownStore) = (asksPerson ? cache.store : cache.quietStore, nil)
    } else {
      let own = asksPerson ? Self.ownStore(for: connection) : Self.quietStore(for: connection)
      (store, ownStore) = (own, own)
    }
    broker = Self.broker(for: connection)
    var configuration = connection.application
    if let redirectURI { configuration.redirectURI = redirectURI }
    application = PublicClientApplication(
      configuration: configuration, store: store, broker: broker,
      runtime: Self.runtime(exchanges, logger, logMasking))
  }

  /// Creates a client for a connection that was edited, with the accounts of `previous`: no account
  /// and no passphrase is lost by a new permission, name, API or CA file.
  ///
  /// - Returns: nil when the edit changes whose accounts they are, or where they are kept.
  package init?(
    _ connection: Connection, takingOver previous: Client, logger: Logger? = nil,
    logMasking: (@Sendable () -> LogMaskingLevel)? = nil,
    recording: (CurlClient) -> any HTTPTransport = { $0 }
  ) {
    let old = previous.connection
    guard connection.application.authority == old.application.authority,
      connection.cache == old.cache, connection.storage == old.storage,
      connection.isDemo == old.isDemo
    else { return nil }
    self.connection = connection
    (trust, transport) = Self.network(of: connection)
    exchanges = recording(transport)
    (store, ownStore, broker) = (previous.store, previous.ownStore, previous.broker)
    let application = PublicClientApplication(
      configuration: connection.application, takingOver: previous.application,
      broker: broker, runtime: Self.runtime(exchanges, logger, logMasking))
    guard let application else { return nil }
    self.application = application
  }

  private static func network(of connection: Connection) -> (Trust, CurlClient) {
    let trust: Trust = connection.application.caFile.map { .file($0) } ?? .system
    guard connection.isDemo else { return (trust, transport(trust: trust)) }
    // The demo runs on this computer, where no proxy leads.
    return (trust, CurlClient(CurlClient.Configuration(trust: trust) { _ in "direct" }))
  }

  private static func runtime(
    _ transport: any HTTPTransport, _ logger: Logger?,
    _ logMasking: (@Sendable () -> LogMaskingLevel)?
  ) -> Runtime {
    var runtime = Runtime(transport: transport)
    if let logger { runtime.logger = logger }
    runtime.currentLogMaskingLevel = logMasking
    return runtime
  }

  /// Creates a client for the connection's API; without one, each request throws `GraphError` with
  /// code `noAPI`, and nothing is sent.
  ///
  /// - Throws: `GraphError` with code `invalidURL` when the API is not an `https` URL.
  public func graph() throws(GraphError) -> GraphClient {
    guard !connection.api.isEmpty else { return GraphClient(withoutAPIOver: exchanges) }
    return try GraphClient(api: connection.api, transport: exchanges)
  }
}

extension Client {
  /// Entrance's items in the keyring.
  public static var keyring: SecretServiceStore {
    SecretServiceStore(
      application: EntranceIdentity.applicationID, label: EntranceIdentity.name)
  }

  /// The store of `connection`'s accounts, unless they are in a cache shared with other programs.
  ///
  /// Without a connection, the store is chosen automatically.
  public static func ownStore(for connection: Connection?) -> ChosenStore {
    ownStore(storage(of: connection))
  }

  private static func storage(of connection: Connection?) -> StorageKind? {
    // The demo's accounts are made up, so they are not put in the user's keyring.
    connection?.isDemo == true ? .memory : connection?.storage
  }

  /// Creates the store that `apps.json` chooses for the accounts of all apps.
  ///
  /// - Parameter storage: what it chooses; nil for where it fits.
  package static func ownStore(_ storage: StorageKind?) -> ChosenStore {
    ChosenStore(setting: storage, keyring: keyring, directory: EntranceIdentity.stateDirectory)
  }

  /// The computer's identity broker, which remembers who has signed out as long as `connection`'s
  /// accounts are kept.
  package static func broker(for connection: Connection) -> LinuxIdentityBroker {
    let isKept = !connection.isDemo && (connection.cache != nil || connection.storage != .memory)
    return LinuxIdentityBroker(
      signOutDirectory: isKept ? "\(EntranceIdentity.stateDirectory)/signed-out" : nil)
  }

  /// The same store, for looking at it: it never asks the user to unlock the keyring.
  package static func quietStore(for connection: Connection?) -> ChosenStore {
    ChosenStore(
      setting: storage(of: connection),
      keyring: SecretServiceStore(
        quietlyFor: EntranceIdentity.applicationID, label: EntranceIdentity.name),
      directory: EntranceIdentity.stateDirectory)
  }

  /// An application that can only read the accounts of `connection`: it asks the user nothing, and
  /// uses no network and no identity broker.
  ///
  /// - Returns: nil when the accounts cannot be read like that: the keyring is locked, or asks
  ///   before it lets a program read.
  package static func reader(of connection: Connection) async -> PublicClientApplication? {
    if let cache = connection.cache {
      // In a keyring, each program's item has its own rules.
      guard cache.keyringItem == nil else { return nil }
      return PublicClientApplication(configuration: connection.application, store: cache.store)
    }
    let store = quietStore(for: connection)
    guard await !store.isKeyringLocked else { return nil }
    return PublicClientApplication(configuration: connection.application, store: store)
  }

  /// Creates an HTTP client that uses the proxy from the environment, else the one from the
  /// desktop's settings.
  public static func transport(trust: Trust = .system) -> CurlClient {
    CurlClient(
      CurlClient.Configuration(trust: trust) { url in await SystemProxy.lookUp(url) })
  }
}
