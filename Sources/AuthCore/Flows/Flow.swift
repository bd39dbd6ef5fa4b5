import CurlHTTP
import FoundationEssentials
import Sentences

/// A way to tokens, as a state machine: it takes in what came, and says what to do next.
///
/// It does nothing itself. ``PublicClientApplication/run(_:_:)`` carries out its actions, and each kind of
/// flow is told in its own folder: ``InteractiveFlow``, ``DeviceCodeFlow`` and ``SilentFlow``.
protocol Flow: Sendable {
  /// Why it brings tokens.
  var reason: TokenGrant.Reason { get }
  /// What the server's statistics call its token requests.
  var telemetry: Telemetry.Call { get }

  /// Takes in an event, and says what to do next.
  ///
  /// The first event is ``FlowEvent/started``. After an error, or an action that ends the flow, nothing
  /// more is taken in.
  /// - Throws: ``AuthenticationError`` when the flow has failed;
  ///   ``AuthenticationError/Code/invalidState`` when `event` is none that it waits for.
  mutating func next(
    _ event: FlowEvent, at date: Date
  ) throws(AuthenticationError) -> FlowAction
}

/// What a flow wants done; behind each, the event that tells what came of it.
enum FlowAction: Sendable {
  /// Get the authority's OpenID configuration: ``FlowEvent/described(_:)``.
  case describeAuthority(Authority)
  /// Get the cookies by which the broker vouches for the person on these pages:
  /// ``FlowEvent/cookies(_:)``.
  case requestCookies(WebAuthenticationRequest, InteractiveTokenParameters)
  /// Show the sign-in pages and wait for the redirect: ``FlowEvent/redirected(_:)``.
  case showPages(WebAuthenticationRequest, any WebAuthenticationSession)
  /// Send the form to the device authorization endpoint: ``FlowEvent/codeReplied(_:)``.
  case requestCode(TokenRequest)
  /// Show the code to the person: ``FlowEvent/codeShown``.
  case showCode(DeviceCode, @Sendable (DeviceCode) async -> Void)
  /// Let the person go on for a while: ``FlowEvent/waited``.
  case wait(Duration)
  /// Send the form to the token endpoint, and check the answer: ``FlowEvent/granted(_:)``.
  case requestTokens(TokenRequest, TokenGrant.Expectation)
  /// Ask the identity broker: ``FlowEvent/brokerReplied(_:)``.
  case askBroker(BrokerQuestion)
  /// See what the store has by now: ``FlowEvent/storeRead(_:)``.
  case lookAtStore(Account)
  /// Forget a refresh token that the server will not take again: ``FlowEvent/tokenForgotten``.
  case forgetRefreshToken(Secret<String>, Account)
  /// Keep the tokens, for which these scopes were asked; the flow is over.
  case keep(TokenGrant, scopes: [String])
  /// Give the caller this cached token; the flow is over.
  case useCached(CachedToken)
  /// Give the caller this cached token, as the server could not give a new one, and do not ask it for that
  /// again for a while; the flow is over.
  case makeDo(CachedToken, SilentRequestKey, because: AuthenticationError)
}

/// What came of a flow's action.
enum FlowEvent: Sendable {
  /// Nothing has been done yet.
  case started
  /// The authority says this of itself.
  case described(OpenIDConfiguration)
  /// The broker lends these cookies, or none.
  case cookies([WebCookie])
  /// The pages ended with this redirect.
  case redirected(String)
  /// The device authorization endpoint answered.
  case codeReplied(HTTPReply)
  /// The person sees the code.
  case codeShown
  /// The pause is over.
  case waited
  /// The token endpoint gave tokens that fit.
  case granted(TokenGrant)
  /// The broker gave a token; nil when there is no broker any more.
  case brokerReplied(TokenGrant?)
  /// The store has this by now; nil when the account is gone.
  case storeRead(KnownAccount?)
  /// The refresh token is forgotten.
  case tokenForgotten
  /// The action failed.
  case failed(AuthenticationError)
}

/// What a silent flow asks the identity broker.
struct BrokerQuestion: Sendable {
  var parameters: SilentTokenParameters
  var authority: Authority
  /// The broker's last token, which will not do; nil when there is none.
  var token: Secret<String>?
  /// Whether this app has the account already.
  var isKnown: Bool
}

extension AuthenticationError {
  /// The error of a flow that is told what it does not wait for.
  static func unexpectedEvent(step: Step) -> AuthenticationError {
    AuthenticationError(
      .invalidState, Sentence("This does not belong to a sign-in in progress."), step: step)
  }
}
