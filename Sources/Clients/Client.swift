public import AuthCore
public import Connections
public import CurlHTTP
import IdentityBroker
public import MicrosoftGraph
public import SecretStore

/// A connection, and what it takes to work with it: the trust it names, a way to the network, the store of its
/// accounts, the computer's identity broker, and the application that signs people in with them.
///
/// Nothing is connected to and nothing is read, other than the connection's CA file, until it is needed.
///
/// ```swift
/// let connections = try ConnectionFile.load(EntranceIdentity.connectionsPath)
/// guard let connection = connections.first else { return }
/// let client = Client(connection)
/// guard let account = await client.application.currentAccount().current else { return }
/// let result = try await client.application.acquireTokenSilent(
///   SilentTokenParameters(scopes: connection.scopes, account: account))
/// let answer = try await client.graph().get(
///   connection.api, authorization: result.authorizationHeader)
/// ```
public struct Client: Sendable {
  /// The connection.
  public let connection: Connection
  /// Whose certificates count; ``CurlHTTP/Trust/problem`` tells why the connection's CA file cannot be used,
  /// which every request would fail for.
  public let trust: Trust
  /// The way to the network.
  public let transport: CurlClient
  /// Where the connection's accounts are kept.
  public let store: any TokenCacheStore
  /// The same, when the accounts are Entrance's own; nil when the connection names a cache of other programs.
  public let ownStore: ChosenStore?
  /// Signs people in.
  public let application: PublicClientApplication

  /// Puts together what `connection` needs.
  ///
  /// - Parameter redirectURI: takes the place of the connection's own, such as
  ///   ``Connections/Connection/loopbackRedirectURI()`` for sign-ins in the person's browser.
  public init(_ connection: Connection, redirectURI: RedirectURI? = nil) {
    self.connection = connection
    trust = connection.application.caFile.map { .file($0) } ?? .system
    transport =
      connection.isDemo
      // No proxy leads back to this computer.
      ? CurlClient(CurlClient.Configuration(trust: trust) { _ in "direct" })
      : Self.transport(trust: trust)
    if let cache = connection.cache {
      (store, ownStore) = (cache.store, nil)
    } else {
      let own = Self.ownStore(for: connection)
      (store, ownStore) = (own, own)
    }
    var configuration = connection.application
    if let redirectURI { configuration.redirectURI = redirectURI }
    application = PublicClientApplication(
      configuration: configuration, store: store, broker: LinuxIdentityBroker(),
      runtime: Runtime(transport: transport))
  }

  /// Makes what calls the connection's API.
  ///
  /// - Throws: `GraphError` with code `invalidURL` when that is not an `https` URL.
  public func graph() throws(GraphError) -> GraphClient {
    try GraphClient(api: connection.api, transport: transport)
  }
}

extension Client {
  /// Entrance's items in the keyring.
  public static var keyring: SecretServiceStore {
    SecretServiceStore(
      application: EntranceIdentity.applicationID, label: EntranceIdentity.name)
  }

  /// Where Entrance keeps the accounts of `connection`, unless it names a cache of other programs; without a
  /// connection, where it fits this computer.
  public static func ownStore(for connection: Connection?) -> ChosenStore {
    ChosenStore(
      // The demo's accounts are made up; they have no business in the person's keyring.
      setting: connection?.isDemo == true ? .memory : connection?.storage,
      keyring: keyring, directory: EntranceIdentity.stateDirectory)
  }

  /// A way to the network: through the proxy that the environment names, else through that of the desktop's
  /// settings.
  public static func transport(trust: Trust = .system) -> CurlClient {
    CurlClient(
      CurlClient.Configuration(trust: trust) { url in await SystemProxy.lookUp(url) })
  }
}
