import AuthCore
import CurlHTTP
import FoundationEssentials
import TestSupport

/// A broker of a test: without accounts, unless it says otherwise.
protocol TestBroker: TokenBroker {}

extension TestBroker {
  func version(correlationID: String) async throws(AuthenticationError) -> String? { "3.0.1" }

  func accounts(
    clientID: String, correlationID: String
  ) async throws(AuthenticationError) -> [BrokerAccount]? { [] }

  func acquireTokenSilently(
    _ request: BrokerTokenRequest
  ) async throws(AuthenticationError) -> BrokerToken? { nil }

  func acquireTokenInteractively(
    _ request: BrokerTokenRequest
  ) async throws(AuthenticationError) -> BrokerToken? { nil }

  func singleSignOnCookies(
    for url: String, _ request: BrokerTokenRequest
  ) async throws(AuthenticationError) -> [WebCookie]? { [] }

  func remove(
    _ account: BrokerAccount, clientID: String, correlationID: String
  ) async throws(AuthenticationError) -> Void? { () }
}

/// A broker that signs Adele in with the given access token.
struct ScriptedBroker: TestBroker {
  private let accessToken: String
  private let isBroken: Bool
  /// The tenant of its tokens.
  let tenantID = LockedValue(Person.contoso)

  /// Creates a broker that returns `accessToken`, and its version unless it is broken.
  init(accessToken: String, isBroken: Bool = false) {
    self.accessToken = accessToken
    self.isBroken = isBroken
  }

  private func account(in tenantID: String = Person.contoso) -> BrokerAccount {
    var account = Person.adele.brokerAccount
    account.tenantID = tenantID
    return account
  }

  private var token: BrokerToken {
    BrokerToken(
      accessToken: Secret(accessToken), expiresOn: Date(timeIntervalSince1970: 1_900_000_000),
      extendedExpiresOn: nil, scopes: nil, idToken: nil,
      account: account(in: tenantID.withLock(\.self)), clientInfo: nil)
  }

  func version(correlationID: String) async throws(AuthenticationError) -> String? {
    guard !isBroken else {
      throw AuthenticationError(.brokerUnavailable, "The broker of this test is broken.")
    }
    return "3.0.1"
  }

  func accounts(
    clientID: String, correlationID: String
  ) async throws(AuthenticationError) -> [BrokerAccount]? { [account()] }

  func acquireTokenSilently(
    _ request: BrokerTokenRequest
  ) async throws(AuthenticationError) -> BrokerToken? { token }

  func acquireTokenInteractively(
    _ request: BrokerTokenRequest
  ) async throws(AuthenticationError) -> BrokerToken? { token }
}

/// A broker whose window the user leaves open.
struct OpenWindowBroker: TestBroker {
  func acquireTokenInteractively(
    _ request: BrokerTokenRequest
  ) async throws(AuthenticationError) -> BrokerToken? {
    try? await Task.sleep(for: .seconds(60))
    throw AuthenticationError(.userCanceled, "The sign-in was canceled.")
  }
}

/// A broker that waits before it returns its version.
struct SlowBroker: TestBroker {
  /// What it waits for; nil for nothing.
  let wait = LockedValue<(@Sendable () async -> Void)?>(nil)

  func version(correlationID: String) async throws(AuthenticationError) -> String? {
    let wait = wait.withLock { $0 }
    await wait?()
    return "3.0.1"
  }
}
