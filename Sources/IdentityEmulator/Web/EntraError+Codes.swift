extension EntraError {
  // MARK: The request itself

  static func missingParameter(_ name: String) -> EntraError {
    EntraError(
      900144, "invalid_request",
      "The request body must contain the following parameter: '\(name)'.")
  }

  static func invalidParameter(_ name: String) -> EntraError {
    EntraError(
      90023, "invalid_request", "The value of the request parameter '\(name)' is not valid.")
  }

  static let resourceParameter = EntraError(
    901002, "invalid_request",
    "The 'resource' request parameter isn't supported. The emulator has only the v2.0 endpoints, "
      + "where 'scope' names the resource.")

  static func unknownResource(_ resource: String) -> EntraError {
    EntraError(
      500011, "invalid_resource",
      "The resource principal named \(resource) was not found in the tenant named Contoso. This can "
        + "happen if the application has not been installed by the administrator of the tenant or "
        + "consented to by any user in the tenant. You might have sent your authentication request "
        + "to the wrong tenant.")
  }

  static let severalResources = EntraError(
    28000, "invalid_request",
    "Provided value for the input parameter scope isn't valid because it contains more than one "
      + "resource.")

  static let missingProofKey = EntraError(
    9_002_325, "invalid_request",
    "Proof Key for Code Exchange is required for cross-origin authorization code redemption.")

  static let notFromPage = EntraError(
    9_002_327, "invalid_request",
    "Tokens issued for the 'Single-Page Application' client-type may only be redeemed via "
      + "cross-origin requests.")

  static let fromPage = EntraError(
    9_002_326, "invalid_request",
    "Cross-origin token redemption is permitted only for the 'Single-Page Application' "
      + "client-type.")

  static func publicClient(_ client: ClientRegistration) -> EntraError {
    EntraError(
      700025, "invalid_client",
      "Client is public so neither 'client_assertion' nor 'client_secret' should be presented. "
        + "The emulator plays no confidential clients: '\(client.displayName)' has no secret.")
  }

  static let missingSecret = EntraError(
    7_000_218, "invalid_client",
    "The request body must contain the following parameter: 'client_assertion' or "
      + "'client_secret'. The emulator plays no confidential clients.")

  static let versionOne = EntraError(
    901002, "invalid_request",
    "The emulator has no v1.0 endpoints. Use those below /oauth2/v2.0/, with 'scope' instead of "
      + "'resource'.")

  static let signInTooOld = EntraError(
    70044, "interaction_required",
    "The session has expired or is invalid due to sign-in frequency checks by Conditional Access.")

  static func unknownTenant(path: some StringProtocol) -> EntraError {
    let name = path.split(separator: "/").first ?? ""
    return EntraError(
      90002, "invalid_request",
      "Tenant '\(name)' not found. Check to make sure you have the correct tenant ID and are signing "
        + "into the correct cloud. Check with your subscription administrator, this may happen if "
        + "there are no active subscriptions for the tenant.")
  }

  static func singleTenant(_ client: ClientRegistration, tenant: String) -> EntraError {
    EntraError(
      50194, "invalid_request",
      "Application '\(client.clientID)'(\(client.displayName)) is not configured as a multi-tenant "
        + "application. Usage of the /\(tenant) endpoint is not supported for such apps created after "
        + "'10/15/2018'. Use a tenant-specific endpoint or configure the application to be "
        + "multi-tenant.")
  }

  static func unknownClient(_ clientID: String, tenant: String) -> EntraError {
    EntraError(
      700016, "unauthorized_client",
      "Application with identifier '\(clientID)' was not found in the directory '\(tenant)'. This "
        + "can happen if the application has not been installed by the administrator of the tenant "
        + "or consented to by any user in the tenant. You may have sent your authentication request "
        + "to the wrong tenant.")
  }

  static func wrongRedirectURI(_ uri: String, client: ClientRegistration) -> EntraError {
    EntraError(
      50011, "invalid_request",
      "The redirect URI '\(uri)' specified in the request does not match the redirect URIs "
        + "configured for the application '\(client.clientID)'. Make sure the redirect URI sent in "
        + "the request matches one added to your application in the Azure portal.")
  }

  static func unsupportedResponseType(_ type: String) -> EntraError {
    EntraError(
      700054, "unsupported_response_type",
      "response_type '\(type)' is not enabled for the application.")
  }

  static func unknownScope(_ scope: String, client: ClientRegistration) -> EntraError {
    EntraError(
      70011, "invalid_scope",
      "The provided value for the input parameter 'scope' is not valid. The application "
        + "'\(client.displayName)' asked for scope '\(scope)' that doesn't exist.")
  }

  static let invalidChallengeMethod = EntraError(
    50149, "invalid_request", "Invalid Code_Challenge_method parameter.")

  static let invalidChallengeSize = EntraError(
    501491, "invalid_request", "Invalid size of Code_Challenge parameter.")

  static func unsupportedResponseMode(_ mode: String) -> EntraError {
    EntraError(
      70007, "invalid_request",
      "'\(mode)' is not a supported value of 'response_mode' for this request.")
  }

  static func unsupportedPrompt(_ prompt: String) -> EntraError {
    EntraError(90023, "invalid_request", "Unsupported 'prompt' value '\(prompt)'.")
  }

  // MARK: Sign-in

  static let cancelled = {
    var error = EntraError(65004, "access_denied", "The user has cancelled the sign-in.")
    error.subcode = "cancel"
    return error
  }()

  /// The error of B2C's policies instead.
  static let cancelledPolicy = EntraError(
    nil, "access_denied",
    "AADB2C90091: The user has cancelled entering self-asserted information.")

  static let consentDeclined = EntraError(
    65004, "access_denied", "User declined to consent to access the app.")

  static let notSignedIn = EntraError(
    50058, "login_required", "A silent sign-in request was sent but no user is signed in.")

  static let severalSignedIn = EntraError(
    16000, "interaction_required",
    "Either multiple user identities are available for the current request or selected account is "
      + "not supported for the scenario.")

  static func consentRequired(_ client: ClientRegistration) -> EntraError {
    var error = EntraError(
      65001, "consent_required",
      "The user or administrator has not consented to use the application with ID "
        + "'\(client.clientID)' named '\(client.displayName)'. Send an interactive authorization "
        + "request for this user and resource.")
    error.suberror = "consent_required"
    return error
  }

  static func notInTenant(_ user: User, tenant: String, client: ClientRegistration) -> EntraError {
    EntraError(
      50020, "invalid_request",
      "User account '\(user.username)' from identity provider '\(user.homeTenant.displayName)' does "
        + "not exist in tenant '\(tenant)' and cannot access the application "
        + "'\(client.clientID)'(\(client.displayName)) in that tenant. The account needs to be added "
        + "as an external user in the tenant first. Sign out and sign in again with a different "
        + "account.")
  }

  static let signInOver = EntraError(
    50196, "invalid_request",
    "This sign-in is over, or it was begun in another browser. Go back to the application and sign "
      + "in from there.")

  // MARK: The token endpoint

  static func unsupportedGrantType(_ type: String) -> EntraError {
    EntraError(
      70003, "unsupported_grant_type", "The app requested an unsupported grant type '\(type)'.")
  }

  static let malformedGrant = EntraError(
    9002313, "invalid_grant", "Invalid request. Request is malformed or invalid.")

  static let codeExpired = EntraError(
    70008, "invalid_grant",
    "The provided authorization code or refresh token has expired due to inactivity. Send a new "
      + "interactive authorization request for this user and resource.")

  static let codeRedeemed = EntraError(
    54005, "invalid_grant",
    "OAuth2 Authorization code was already redeemed, please retry with a new valid code or use an "
      + "existing refresh token.")

  // MARK: Device codes

  static let authorizationPending = EntraError(
    70016, "authorization_pending",
    "OAuth 2.0 device flow error. Authorization is pending. Continue polling.")

  static let slowDown = EntraError(
    nil, "slow_down", "The device polls too often. Poll more slowly.")

  static let authorizationDeclined = EntraError(
    nil, "authorization_declined", "The user declined the sign-in on the other device.")

  static let deviceCodeExpired = EntraError(
    70020, "expired_token",
    "The provided value for the input parameter 'device_code' is not valid. This device code has "
      + "expired.")

  static let unknownDeviceCode = EntraError(
    70018, "bad_verification_code",
    "The provided value for the input parameter 'device_code' is not valid.")

  // MARK: Authorization codes

  static let wrongClient = EntraError(
    700005, "invalid_grant",
    "Provided Authorization Code is intended to use against other tenant or application, thus "
      + "rejected.")

  static func otherRedirectURI(_ uri: String, original: String) -> EntraError {
    EntraError(
      500112, "invalid_grant",
      "The reply address '\(uri)' does not match the reply address '\(original)' provided when "
        + "requesting Authorization code.")
  }

  static let wrongVerifier = EntraError(
    501481, "invalid_grant",
    "The Code_Verifier does not match the code_challenge supplied in the authorization request.")

  static let missingVerifier = EntraError(
    50148, "invalid_grant",
    "The code_verifier does not match the code_challenge supplied in the authorization request for "
      + "PKCE.")

  static func revoked(issued: String) -> EntraError {
    var error = EntraError(
      50173, "invalid_grant",
      "The provided grant has expired due to it being revoked, a fresh auth token is needed. The "
        + "user might have changed or reset their password. The grant was issued on '\(issued)'.")
    error.suberror = "bad_token"
    return error
  }

  /// The same error as discovery tells it.
  func asInvalidTenant() -> EntraError { EntraError(code, "invalid_tenant", message) }

  /// The same error as an error of a grant.
  func asInvalidGrant() -> EntraError {
    var error = EntraError(code, "invalid_grant", message)
    error.suberror = suberror
    return error
  }
}
