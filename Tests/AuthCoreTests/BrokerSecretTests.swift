import AuthCore
import FoundationEssentials
import TestSupport
import Testing

@Suite("Secrets that are sent to a broker")
struct BrokerSecretTests {
  @Test("A broker's error is reported without the token that it was to renew")
  func renewal() async throws {
    let authority = ScriptedAuthority()
    let app = try TestApplication.make(authority, broker: EchoingBroker())
    let account = try await app.acquireToken(
      .init(scopes: ["User.Read"], session: authority.pages)
    ).account
    let error = await #expect(throws: AuthenticationError.self) {
      try await app.silently(account, force: true)
    }
    #expect(error?.brokerError?.status == BrokerError.Status.unexpected.rawValue)
    var text = "\(error?.details ?? [])"
    dump(error, to: &text)
    #expect(!text.contains("canary"))
  }

  /// A broker that repeats the token that it cannot renew in each text of its error.
  struct EchoingBroker: TokenBroker {
    private let account = Person.adele.brokerAccount

    func acquireTokenInteractively(_ request: BrokerTokenRequest) -> BrokerToken? {
      BrokerToken(
        accessToken: Secret("broker-canary-broker-canary"), expiresOn: nil, extendedExpiresOn: nil,
        scopes: ["User.Read"], idToken: nil, account: account, clientInfo: nil)
    }

    func acquireTokenSilently(
      _ request: BrokerTokenRequest
    ) throws(AuthenticationError) -> BrokerToken? {
      let text = "The token \(request.accessTokenToRenew?.exposed ?? "") is not known."
      var error = BrokerError()
      error.status = BrokerError.Status.unexpected.rawValue
      (error.context, error.oauthError, error.suberror) = (text, text, text)
      error.correlationID = text
      throw error.authenticationError(request.correlationID)
    }

    func version(correlationID: String) -> String? { "1.0" }
    func accounts(clientID: String, correlationID: String) -> [BrokerAccount]? { [account] }
    func remove(_ account: BrokerAccount, clientID: String, correlationID: String) -> Void? { () }
    func singleSignOnCookies(for url: String, _ request: BrokerTokenRequest) -> [WebCookie]? { [] }
  }
}
