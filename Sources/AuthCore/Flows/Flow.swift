import CurlHTTP
import FoundationEssentials
import Sentences

/// A token flow as a state machine: takes an event, and returns the next action.
///
/// It has no side effects. ``PublicClientApplication/run(_:_:)`` performs its actions. The flows
/// are ``InteractiveFlow``, ``DeviceCodeFlow`` and ``SilentFlow``.
protocol Flow: Sendable {
  /// Why it acquires tokens.
  var reason: TokenGrant.Reason { get }
  /// The telemetry of its token requests.
  var telemetry: Telemetry.Call { get }

  /// Handles an event, and returns the next action.
  ///
  /// The first event is ``FlowEvent/started``. After an error, or an action that ends the flow, no
  /// more events are accepted.
  /// - Throws: ``AuthenticationError`` when the flow has failed;
  ///   ``AuthenticationError/Code/invalidState`` when `event` is unexpected.
  mutating func next(
    _ event: FlowEvent, at date: Date
  ) throws(AuthenticationError) -> FlowAction
}

/// An action of a flow, each with the event that reports its result.
enum FlowAction: Sendable {
  /// Fetch the authority's OpenID configuration: ``FlowEvent/described(_:)``.
  case describeAuthority(Authority)
  /// Get the broker's single sign-on cookies for these pages: ``FlowEvent/cookies(_:)``.
  case requestCookies(WebAuthenticationRequest, InteractiveTokenParameters)
  /// Show the sign-in pages and wait for the redirect: ``FlowEvent/redirected(_:)``.
  case showPages(WebAuthenticationRequest, any WebAuthenticationSession)
  /// Send the form to the device authorization endpoint: ``FlowEvent/codeReplied(_:)``.
  case requestCode(TokenRequest)
  /// Show the code to the user: ``FlowEvent/codeShown``.
  case showCode(DeviceCode, @Sendable (DeviceCode) async throws -> Void)
  /// Tell the user the news, if any, and wait before the next poll: ``FlowEvent/waited``.
  case wait(Duration, after: (@Sendable () async -> Void)?)
  /// Send the form to the token endpoint, and check the response: ``FlowEvent/granted(_:)``.
  case requestTokens(TokenRequest, TokenGrant.Expectation)
  /// Request a token from the identity broker: ``FlowEvent/brokerReplied(_:)``.
  case askBroker(BrokerQuestion)
  /// Read the account from the store again: ``FlowEvent/storeRead(_:)``.
  case lookAtStore(Account)
  /// Delete a refresh token that the server has permanently rejected: ``FlowEvent/tokenForgotten``.
  case forgetRefreshToken(Secret<String>, Account)
  /// Store the tokens, which were requested for these scopes; ends the flow.
  case keep(TokenGrant, scopes: [String])
  /// Return this cached token to the caller; ends the flow.
  case useCached(CachedToken)
  /// Return this cached token to the caller, because the server returned no new one, and pause
  /// renewals for this request; ends the flow.
  case useStale(CachedToken, SilentRequestKey, because: AuthenticationError)
}

/// The result of a flow's action.
enum FlowEvent: Sendable {
  /// Nothing has been done yet.
  case started
  /// The authority's OpenID configuration.
  case described(OpenIDConfiguration)
  /// The broker's cookies; empty for none.
  case cookies([WebCookie])
  /// The pages ended with this redirect URL.
  case redirected(String)
  /// The device authorization endpoint's response.
  case codeReplied(HTTPReply)
  /// The code is shown.
  case codeShown
  /// The wait is over.
  case waited
  /// The token endpoint returned valid tokens.
  case granted(TokenGrant)
  /// The broker returned a token; nil when there is no broker any longer.
  case brokerReplied(TokenGrant?)
  /// The account's data in the store; nil when the account was removed.
  case storeRead(KnownAccount?)
  /// The refresh token is deleted.
  case tokenForgotten
  /// The action failed.
  case failed(AuthenticationError)
}

/// A silent flow's request to the identity broker.
struct BrokerQuestion: Sendable {
  var parameters: SilentTokenParameters
  var authority: Authority
  /// The broker's last token, which is no longer valid; nil when there is none.
  var token: Secret<String>?
  /// Whether this app already has the account.
  var isKnown: Bool
}

extension AuthenticationError {
  /// The error for an event that the flow does not expect.
  static func unexpectedEvent(step: Step) -> AuthenticationError {
    AuthenticationError(
      .invalidState, Sentence("This does not belong to a sign-in in progress."), step: step)
  }
}
