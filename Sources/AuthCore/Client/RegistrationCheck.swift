import CurlHTTP
import FoundationEssentials
import HTTPTypes
public import Sentences

/// What could be told of an app registration without anyone signing in.
public struct RegistrationCheck: Sendable, Equatable {
  /// Whether the sign-in service knows the client ID and accepts the redirect URI.
  ///
  /// false when it did not say so either way: some services only tell when they know who is to sign in.
  public let isConfirmed: Bool

  /// Creates what a check came to, for tests of what shows it.
  public init(isConfirmed: Bool) {
    self.isConfirmed = isConfirmed
  }

  /// The result as a sentence for people.
  public var sentence: Sentence {
    isConfirmed
      ? Sentence("The sign-in service knows the client ID and accepts the redirect URI.")
      : Sentence(
        "The sign-in service is available. It confirms the client ID and the redirect URI only when"
          + " somebody signs in.")
  }
}

extension PublicClientApplication {
  /// Asks the sign-in service whether the authority exists, and whether it knows the client ID and accepts
  /// the redirect URI.
  ///
  /// Nobody signs in, and nothing is kept: the request is one for an answer without any page
  /// (`prompt=none`; OpenID Connect Core 1.0, section 3.1.2.1). A service that accepts client and redirect
  /// URI redirects with an error such as `login_required`; one that does not may redirect nowhere (RFC 6749,
  /// section 4.1.2.1), and shows a page with the reason.
  /// - Throws: ``AuthenticationError`` when the service cannot be reached, or says that something does not
  ///   fit.
  public func checkRegistration() async throws(AuthenticationError) -> RegistrationCheck {
    let correlationID = runtime.newCorrelationID()
    do throws(AuthenticationError) {
      let authority = configuration.authority
      let service = try await authorities.configuration(of: authority, correlationID)
      let state = Secret(Base64URL.encode(runtime.randomBytes(32)))
      let query: [FormEncoding.Parameter] = [
        ("client_id", configuration.clientID),
        ("response_type", "code"),
        ("response_mode", "query"),
        ("redirect_uri", configuration.redirectURI.description),
        ("scope", "openid"),
        ("state", state.exposed),
        ("nonce", Base64URL.encode(runtime.randomBytes(32))),
        ("code_challenge", PKCE(randomBytes: runtime.randomBytes(32)).challenge),
        ("code_challenge_method", "S256"),
        ("client-request-id", correlationID),
        ("prompt", "none"),
      ]
      let reply = try await network.get(
        FormEncoding.url(service.authorizationEndpoint, adding: query), correlationID,
        accept: "text/html", step: .authorization)
      return try check(reply, from: authority)
    } catch {
      throw error.naming(correlationID)
    }
  }

  private func check(
    _ reply: HTTPReply, from authority: Authority
  ) throws(AuthenticationError) -> RegistrationCheck {
    if let location = reply.response.headerFields[.location],
      configuration.redirectURI.matches(location)
    {
      return RegistrationCheck(isConfirmed: true)
    }
    // The page names its reason as AADSTS and a number, which is the same in every language.
    let page = String(decoding: reply.body, as: UTF8.self)
    if let code = ServerError.codes(in: page).first {
      var error = ServerError(
        authorizationResponse: "invalid_request", ["error_description": "AADSTS\(code)"],
        from: authority
      ).authenticationError
      error.httpStatus = reply.response.status.code
      throw error
    }
    // Django OAuth Toolkit lists `prompt=none` and fails on it (500), while its other pages work.
    let cannotAnswer = authority.kind == .oidc && [500, 501].contains(reply.response.status.code)
    if !cannotAnswer,
      let outage = AuthenticationError(
        outage: reply, of: authority.signInService, step: .authorization)
    {
      throw outage.withPause(of: reply, receivedAt: runtime.now())
    }
    return RegistrationCheck(isConfirmed: false)
  }
}
