/// A validated authorization request.
struct AuthorizationRequest: Sendable {
  /// The `prompt` parameter.
  enum Prompt: String, Sendable {
    case login, consent, create
    case selectAccount = "select_account"
    /// No pages: answer from the session, or fail.
    case silent = "none"
  }

  /// How the response is sent to the redirect URI.
  enum ResponseMode: String, Sendable {
    case query, fragment
    case formPost = "form_post"
  }

  let authority: Authority
  let client: ClientRegistration
  let redirectURI: String
  let responseMode: ResponseMode
  let scopes: ScopeRequest
  let state: String?
  let nonce: String?
  /// The challenge of PKCE; nil without it.
  let challenge: PKCE.Challenge?
  let prompt: Prompt?
  let loginHint: String?
  /// How many seconds ago the user may have signed in; nil for any time.
  let maximumAge: Int?
  /// What the `claims` parameter asks for.
  let claims: RequestedClaims
  let wantsClientInfo: Bool
  let trace: RequestTrace
  /// The device code whose user code was entered; nil for a request with a redirect.
  let deviceCode: String?
}

/// The destination of an authorization response, known before the rest of the request is checked.
struct ResponseTarget: Sendable {
  let redirectURI: String
  let responseMode: AuthorizationRequest.ResponseMode
  let state: String?

  /// The redirect with `response`.
  func location(_ response: Form) -> String {
    redirectURI + (responseMode == .fragment ? "#" : "?") + response.encoded
  }
}

/// How a rejected authorization request is reported.
enum AuthorizationRefusal: Error {
  /// To the user: the request has no valid redirect URI.
  case page(EntraError)
  /// To the client, with a redirect.
  case redirect(EntraError, ResponseTarget)
}

extension AuthorizationRequest {
  var target: ResponseTarget {
    ResponseTarget(redirectURI: redirectURI, responseMode: responseMode, state: state)
  }

  /// Parses and validates a request.
  ///
  /// Client and redirect URI come first: until they are known to belong together, nothing may be
  /// sent to the redirect URI (RFC 6749, section 4.1.2.1).
  init(
    _ form: Form, path: String, directory: Directory, origin: String, trace: RequestTrace
  ) throws(AuthorizationRefusal) {
    guard let authority = directory.authority(path: path, query: form) else {
      throw .page(.unknownTenant(path: path))
    }
    guard let clientID = form["client_id"] else { throw .page(.missingParameter("client_id")) }
    let client: ClientRegistration
    do throws(EntraError) {
      client = try directory.client(clientID, at: authority)
    } catch {
      throw .page(error)
    }
    guard let redirectURI = form["redirect_uri"] else {
      throw .page(.missingParameter("redirect_uri"))
    }
    guard client.allows(redirectURI: redirectURI) else {
      throw .page(.wrongRedirectURI(redirectURI, client: client))
    }

    let mode = form["response_mode"] ?? "query"
    let responseMode = ResponseMode(rawValue: mode)
    let target = ResponseTarget(
      redirectURI: redirectURI, responseMode: responseMode ?? .query, state: form["state"])
    do throws(EntraError) {
      if responseMode == nil { throw .unsupportedResponseMode(mode) }
      guard let type = form["response_type"] else { throw .missingParameter("response_type") }
      guard type == "code" else { throw .unsupportedResponseType(type) }
      guard let scope = form["scope"] else { throw .missingParameter("scope") }
      guard form["resource"] == nil else { throw .resourceParameter }
      let challenge = try PKCE.Challenge(form)
      // Microsoft requires it of web pages only.
      guard challenge != nil || !client.isPage(redirectURI: redirectURI) else {
        throw .missingProofKey
      }
      guard challenge != nil || authority.kind != .oidc else {
        throw .missingParameter("code_challenge")
      }
      let maximumAge = form["max_age"].map { Int($0).flatMap { $0 >= 0 ? $0 : nil } }
      if let maximumAge, maximumAge == nil { throw .invalidParameter("max_age") }
      let prompt = form["prompt"].map { ($0, Prompt(rawValue: $0)) }
      if let prompt, prompt.1 == nil { throw .unsupportedPrompt(prompt.0) }

      self.authority = authority
      self.client = client
      self.redirectURI = redirectURI
      self.responseMode = target.responseMode
      self.scopes = try ScopeRequest(
        scope, directory.scopeContext(client, authority.kind, origin: origin))
      self.state = target.state
      self.nonce = form["nonce"]
      self.challenge = challenge
      self.maximumAge = maximumAge ?? nil
      self.claims = try RequestedClaims(form)
      self.prompt = prompt?.1
      self.loginHint = form["login_hint"]
      self.wantsClientInfo = form["client_info"] == "1"
      self.trace = trace
      self.deviceCode = nil
    } catch {
      throw .redirect(error, target)
    }
  }
}
