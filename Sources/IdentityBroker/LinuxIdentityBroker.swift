public import AuthCore

/// The identity broker on the session bus: Microsoft's, or Himmelblau.
///
/// Nothing is asked of the bus before the first call, and a broker that is not running is not started by
/// looking for it, but by the first request. One that was not there is looked for again by each request: it
/// may have come since.
///
/// Tokens cross the session bus in the clear, which is the brokers' way: another program of the same
/// person can watch it.
public actor LinuxIdentityBroker: TokenBroker {
  private let address: String?
  private let limits: Limits
  /// The way to the bus, once it was looked for; nil inside where there was none.
  private var connection: Task<Bus?, Never>?
  /// Whether a broker was found on it.
  private var isFound = false

  /// The name that a broker has on the session bus.
  public static let name = "com.microsoft.identity.broker1"

  /// How long answers may take.
  public struct Limits: Sendable {
    /// Of what the broker knows by itself.
    ///
    /// It may have to be started first.
    public var local = Duration.seconds(10)
    /// Of what it may have to ask Microsoft about.
    public var remote = Duration.seconds(60)
    /// Of the word that a request was given up, which nobody waits for.
    var cancellation = Duration.milliseconds(300)

    /// The usual limits.
    public init() {}
  }

  /// What can be asked, by the names on the bus.
  private enum Method: String {
    case getLinuxBrokerVersion, getAccounts, acquireTokenSilently, acquireTokenInteractively
    case acquirePrtSsoCookie, removeAccount, cancelInteractiveFlow
  }

  /// A broker on the session bus.
  ///
  /// - Parameters:
  ///   - address: where the bus is, in D-Bus's words; by the environment when nil.
  ///   - limits: how long answers may take. A person may take for ever.
  public init(address: String? = nil, limits: Limits = Limits()) {
    self.address = address
    self.limits = limits
  }

  /// The broker's version.
  public func version(correlationID: String) async throws(AuthenticationError) -> String? {
    try await ask(
      .getLinuxBrokerVersion, BrokerRequests.version, limits.local, correlationID,
      BrokerReplies.version)
  }

  /// The accounts that an app may use.
  public func accounts(
    clientID: String, correlationID: String
  ) async throws(AuthenticationError) -> [BrokerAccount]? {
    try await ask(
      .getAccounts, BrokerRequests.accounts(clientID: clientID), limits.local, correlationID,
      BrokerReplies.accounts)
  }

  /// Gets a token without a person.
  public func acquireTokenSilently(
    _ request: BrokerTokenRequest
  ) async throws(AuthenticationError) -> BrokerToken? {
    try await ask(
      .acquireTokenSilently, BrokerRequests.token(request, .cachedRefreshToken), limits.remote,
      request.correlationID, BrokerReplies.token)
  }

  /// Gets a token, in the broker's own windows.
  ///
  /// A task that is cancelled stops waiting, and the broker is asked to close its window. Not all do:
  /// Himmelblau has no such method.
  public func acquireTokenInteractively(
    _ request: BrokerTokenRequest
  ) async throws(AuthenticationError) -> BrokerToken? {
    do throws(AuthenticationError) {
      return try await ask(
        .acquireTokenInteractively, BrokerRequests.token(request, .interactive), nil,
        request.correlationID, BrokerReplies.token)
    } catch {
      if Task.isCancelled { await cancel(request) }
      throw error
    }
  }

  /// Asks the broker to close the window of an interactive request; whether it does makes no difference.
  private func cancel(_ request: BrokerTokenRequest) async {
    // This task is cancelled, and would not wait for the call to be sent.
    let call = Task {
      _ = try? await ask(
        .cancelInteractiveFlow, BrokerRequests.cancellation(of: request), limits.cancellation,
        request.correlationID
      ) { _ in () }
    }
    await call.value
  }

  /// Gets the cookies of single sign-on for the page at `url`.
  public func singleSignOnCookies(
    for url: String, _ request: BrokerTokenRequest
  ) async throws(AuthenticationError) -> [WebCookie]? {
    try await ask(
      .acquirePrtSsoCookie, BrokerRequests.cookies(for: url, request), limits.remote,
      request.correlationID
    ) { json throws(BrokerReplies.Problem) in
      try BrokerReplies.cookies(json, host: request.authority.environment)
    }
  }

  /// Takes an account away from an app.
  public func remove(
    _ account: BrokerAccount, clientID: String, correlationID: String
  ) async throws(AuthenticationError) -> Void? {
    try await ask(
      .removeAccount, BrokerRequests.removal(of: account, clientID: clientID), limits.local,
      correlationID
    ) { _ in () }
  }

  // MARK: - The bus

  /// Asks the broker; nil where there is none.
  private func ask<Value>(
    _ method: Method, _ request: JSON, _ limit: Duration?, _ correlationID: String,
    _ read: (JSON) throws(BrokerReplies.Problem) -> Value
  ) async throws(AuthenticationError) -> Value? {
    guard let bus = await bus() else { return nil }
    do throws(BrokerReplies.Problem) {
      let text = try await call(method, request, limit, correlationID, on: bus)
      return try read(BrokerReplies.read(text))
    } catch {
      switch error {
      case .broker(let error): throw error.authenticationError(correlationID)
      // It has left, and is found again when it is back.
      case .bus(.absent): return nil
      case .bus(let failure): throw failure.authenticationError(correlationID)
      }
    }
  }

  /// Calls a method, again and again while the broker is starting: it can have its name before it has
  /// its object.
  private func call(
    _ method: Method, _ request: JSON, _ limit: Duration?, _ correlationID: String, on bus: Bus
  ) async throws(BrokerReplies.Problem) -> String {
    let method = Bus.Method(
      destination: Self.name, path: "/com/microsoft/identity/broker1",
      interface: "com.microsoft.identity.Broker1", name: method.rawValue)
    let start = ContinuousClock.now
    while true {
      do throws(BusFailure) {
        return try await bus.call(
          method, ["0.0", correlationID, request.compactText], limit: limit)
      } catch {
        guard case .refused(let name, _) = error, name.hasSuffix(".UnknownObject"),
          ContinuousClock.now - start < limits.local,
          (try? await Task.sleep(for: .milliseconds(100))) != nil
        else { throw .bus(Task.isCancelled ? .cancelled : error) }
      }
    }
  }

  /// The bus that a broker is on; nil where there is none.
  private func bus() async -> Bus? {
    if let known = connection, await known.value?.isClosed != false, connection == known {
      // It may have come, or come back, since.
      (connection, isFound) = (nil, false)
    }
    let connection =
      self.connection
      ?? Task { [address] in
        guard let address = address ?? Bus.address else { return nil }
        return try? await Bus.connect(to: address)
      }
    self.connection = connection
    guard let bus = await connection.value else { return nil }
    if !isFound { isFound = (try? await bus.knows(Self.name)) == true }
    return isFound ? bus : nil
  }
}
