public import AuthCore
package import FoundationEssentials
import Gio
import Sentences

/// The identity broker on the session bus: Microsoft's, or Himmelblau.
///
/// The bus is not contacted before the first call. Looking for the broker does not start it; the
/// first request does. When there was no broker, each request looks again, since it may have been
/// started meanwhile.
///
/// Brokers send tokens unencrypted over the session bus: other programs of the same user can
/// observe them.
public actor LinuxIdentityBroker: TokenBroker {
  private let address: String?
  private let limits: Limits
  private let now: @Sendable () -> Date
  /// The connection to the bus; nil before the first call, nil inside when there was no bus.
  private var connection: Task<DBusConnection?, Never>?
  /// Whether a broker was found on it.
  private var isFound = false
  /// The accounts that the broker lists, although they have signed out.
  private var signedOut: SignedOutAccounts

  /// The broker's name on the session bus.
  public static let name = "com.microsoft.identity.broker1"

  /// The largest text that is read, in bytes: a broker's answer has some kilobytes, the bus allows
  /// 128 MB.
  private static let largestText = 4 << 20

  /// Time limits for replies.
  public struct Limits: Sendable {
    /// For what the broker knows itself.
    ///
    /// The broker may have to be started first.
    public var local = Duration.seconds(10)
    /// For what the broker may have to ask Microsoft.
    public var remote = Duration.seconds(60)
    /// For sending a cancellation, whose reply is not awaited.
    var cancellation = Duration.milliseconds(300)

    /// Creates the default limits.
    public init() {}
  }

  /// The broker's methods, by their names on the bus.
  private enum Method: String {
    case getLinuxBrokerVersion, getAccounts, acquireTokenSilently, acquireTokenInteractively
    case acquirePrtSsoCookie, removeAccount, cancelInteractiveFlow
  }

  /// Creates a broker on the session bus.
  ///
  /// - Parameters:
  ///   - address: the D-Bus address of the bus; nil to take it from the environment.
  ///   - limits: time limits for replies. Interactive requests have none.
  ///   - signOutDirectory: the directory that remembers which accounts have signed out of an app,
  ///     for brokers that cannot remove them, such as a directory of the program in
  ///     `$XDG_STATE_HOME`; nil to remember that only until the process ends.
  public init(
    address: String? = nil, limits: Limits = Limits(), signOutDirectory: String? = nil
  ) {
    self.init(address: address, limits: limits, signOutDirectory: signOutDirectory) { Date() }
  }

  /// Creates a broker on the session bus, with the clock `now`.
  package init(
    address: String?, limits: Limits = Limits(), signOutDirectory: String?,
    now: @escaping @Sendable () -> Date
  ) {
    self.address = address
    self.limits = limits
    self.now = now
    signedOut = SignedOutAccounts(directory: signOutDirectory)
  }

  /// The broker's version.
  public func version(correlationID: String) async throws(AuthenticationError) -> String? {
    try await ask(
      .getLinuxBrokerVersion, BrokerRequests.version, limits.local, correlationID,
      BrokerReplies.version)
  }

  /// The accounts that an app may use, without those that have signed out of it.
  public func accounts(
    clientID: String, correlationID: String
  ) async throws(AuthenticationError) -> [BrokerAccount]? {
    let accounts: [BrokerAccount]?
    do throws(BrokerReplies.Problem) {
      accounts = try await read(
        .getAccounts, BrokerRequests.accounts(clientID: clientID), limits.local, correlationID,
        BrokerReplies.accounts)
    } catch {
      guard error.isOfUserWithoutAccount else { throw error.authenticationError(correlationID) }
      return []
    }
    return accounts?.filter { !signedOut.contains($0.homeAccountID, clientID: clientID) }
  }

  /// Acquires a token without user interaction; nil for an account that has signed out of the app,
  /// like without a broker.
  public func acquireTokenSilently(
    _ request: BrokerTokenRequest
  ) async throws(AuthenticationError) -> BrokerToken? {
    if let account = request.account?.homeAccountID,
      signedOut.contains(account, clientID: request.clientID)
    {
      return nil
    }
    return try await ask(
      .acquireTokenSilently, BrokerRequests.token(request, .cachedRefreshToken), limits.remote,
      request.correlationID
    ) { json throws(BrokerReplies.Problem) in try BrokerReplies.token(json, at: now()) }
  }

  /// Acquires a token in the broker's own windows.
  ///
  /// A canceled task stops waiting and asks the broker to close its window. Not all brokers do:
  /// Himmelblau has no such method. Nor has it an account picker: without an account, it leaves the
  /// sign-in to the app (`BrokerError.Status.fallbackToNativeMsal`).
  public func acquireTokenInteractively(
    _ request: BrokerTokenRequest
  ) async throws(AuthenticationError) -> BrokerToken? {
    let token: BrokerToken?
    do throws(BrokerReplies.Problem) {
      token = try await read(
        .acquireTokenInteractively, BrokerRequests.token(request, .interactive), nil,
        request.correlationID
      ) { json throws(BrokerReplies.Problem) in try BrokerReplies.token(json, at: now()) }
    } catch {
      if Task.isCancelled { await cancel(request) }
      guard request.account == nil, error.isOfUnnamedAccount else {
        throw error.authenticationError(request.correlationID)
      }
      throw BrokerError(.fallbackToNativeMsal).authenticationError(request.correlationID)
    }
    if let account = token?.homeAccountID ?? request.account?.homeAccountID {
      try signedOut.remove(account, clientID: request.clientID)
    }
    return token
  }

  /// Asks the broker to close the window of an interactive request; failure is ignored.
  private func cancel(_ request: BrokerTokenRequest) async {
    // This task is canceled, and would not wait for the call to be sent.
    let call = Task {
      _ = try? await ask(
        .cancelInteractiveFlow, BrokerRequests.cancellation(of: request), limits.cancellation,
        UUID().uuidString.lowercased()
      ) { _ in () }
    }
    await call.value
  }

  /// Gets the single sign-on cookies for the page at `url`.
  public func singleSignOnCookies(
    for url: String, _ request: BrokerTokenRequest
  ) async throws(AuthenticationError) -> [WebCookie]? {
    // The request's authority may be another name of the page's host.
    let host = url.dropFirst("https://".count).prefix { !":/?#".contains($0) }.lowercased()
    return try await ask(
      .acquirePrtSsoCookie, BrokerRequests.cookies(for: url, request), limits.remote,
      request.correlationID
    ) { json throws(BrokerReplies.Problem) in
      try BrokerReplies.cookies(json, of: request.account, host: host)
    }
  }

  /// Removes an account from an app.
  ///
  /// Not every broker can: Microsoft's newest one has no such method, and Himmelblau does not
  /// implement it. The account has then signed out all the same: it is neither listed nor given
  /// tokens until the user signs it in again.
  public func remove(
    _ account: BrokerAccount, clientID: String, correlationID: String
  ) async throws(AuthenticationError) -> Void? {
    let removed: Void?
    do throws(BrokerReplies.Problem) {
      removed = try await read(
        .removeAccount, BrokerRequests.removal(of: account, clientID: clientID), limits.local,
        correlationID
      ) { _ in () }
    } catch {
      guard error.isOfMissingMethod else { throw error.authenticationError(correlationID) }
      try signedOut.insert(account.homeAccountID, clientID: clientID)
      return ()
    }
    // A broker that has left can come back, with the account.
    if removed == nil { try signedOut.insert(account.homeAccountID, clientID: clientID) }
    return removed
  }

  // MARK: - The bus

  /// Calls the broker; returns nil when there is none.
  private func ask<Value>(
    _ method: Method, _ request: JSON, _ limit: Duration?, _ correlationID: String,
    _ read: (JSON) throws(BrokerReplies.Problem) -> Value
  ) async throws(AuthenticationError) -> Value? {
    do throws(BrokerReplies.Problem) {
      return try await self.read(method, request, limit, correlationID, read)
    } catch {
      throw error.authenticationError(correlationID)
    }
  }

  /// Calls the broker and reads its reply; returns nil when there is no broker.
  private func read<Value>(
    _ method: Method, _ request: JSON, _ limit: Duration?, _ correlationID: String,
    _ read: (JSON) throws(BrokerReplies.Problem) -> Value
  ) async throws(BrokerReplies.Problem) -> Value? {
    guard let bus = await bus() else { return nil }
    do throws(BrokerReplies.Problem) {
      let text = try await call(method, request, limit, correlationID, on: bus)
      return try read(BrokerReplies.read(text))
    } catch .bus(.absent) {
      // The broker has left the bus; the next request looks for it again.
      return nil
    }
  }

  /// Calls a method, and repeats the call while the broker is starting: it can own its name before
  /// it exports its object.
  private func call(
    _ method: Method, _ request: JSON, _ limit: Duration?, _ correlationID: String,
    on bus: DBusConnection
  ) async throws(BrokerReplies.Problem) -> String {
    let method = DBusConnection.Method(
      method.rawValue, of: "com.microsoft.identity.Broker1", at: "/com/microsoft/identity/broker1",
      Self.name)
    let start = ContinuousClock.now
    while true {
      do throws(BusFailure) {
        return try await text(
          of: method, ["0.0", correlationID, request.compactText], limit: limit, on: bus)
      } catch {
        guard case .refused(let name, _) = error, name.hasSuffix(".UnknownObject"),
          ContinuousClock.now - start < limits.local,
          (try? await Task.sleep(for: .milliseconds(100))) != nil
        else { throw .bus(Task.isCancelled ? .cancelled : error) }
      }
    }
  }

  /// The text that a method replies with.
  private func text(
    of method: DBusConnection.Method, _ arguments: [String], limit: Duration?,
    on bus: DBusConnection
  ) async throws(BusFailure) -> String {
    let reply: Variant
    do throws(GLibError) {
      reply = try await bus.call(method, arguments.map { Variant($0) }, reply: "(s)", limit: limit)
    } catch {
      throw BusFailure(error)
    }
    guard let text = reply[0]?.text(upTo: Self.largestText) else {
      throw .unreadable(
        Sentence("it is larger than {size} MB", ["size": Self.largestText >> 20]))
    }
    return text
  }

  /// The bus with a broker on it; nil when there is none.
  private func bus() async -> DBusConnection? {
    if let known = connection, await known.value?.isClosed != false, connection == known {
      // It may have been started since.
      (connection, isFound) = (nil, false)
    }
    let connection =
      self.connection
      ?? Task { [address] in
        guard let address = address ?? DBusConnection.sessionAddress else { return nil }
        return try? await DBusConnection.connect(to: address)
      }
    self.connection = connection
    guard let bus = await connection.value else { return nil }
    if !isFound { isFound = (try? await bus.knows(Self.name)) == true }
    return isFound ? bus : nil
  }
}
