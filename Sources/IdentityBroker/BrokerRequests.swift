import AuthCore

/// What a broker is asked, as it goes over the bus.
///
/// No document of Microsoft's tells; this is what Edge and the brokers' other callers send.
enum BrokerRequests {
  /// How a token is to be got (`authorizationType`).
  enum AuthorizationType: String {
    /// With the refresh token that the broker keeps.
    case cachedRefreshToken = "1"
    /// With the person.
    case interactive = "6"
    /// Not a token: the cookies of single sign-on.
    case singleSignOnCookie = "8"
  }

  /// Where a broker's own pages send the person back to; an app that uses one has it registered.
  static let redirectURI = "https://login.microsoftonline.com/common/oauth2/nativeclient"

  /// The version of MSAL's C++ runtime whose words these are.
  static let version = JSON.object([.init("msalCppVersion", .string("1.31.0"))])

  /// Asks for the accounts that an app may use.
  static func accounts(clientID: String) -> JSON {
    .object([
      .init("clientId", .string(clientID)), .init("redirectUri", .string(redirectURI)),
    ])
  }

  /// Asks for a token.
  static func token(_ request: BrokerTokenRequest, _ type: AuthorizationType) -> JSON {
    .object([.init("authParameters", .object(parameters(request, type)))])
  }

  /// Asks for the cookies of single sign-on at `url`.
  ///
  /// Brokers differ in where they look for the account and the URL.
  static func cookies(for url: String, _ request: BrokerTokenRequest) -> JSON {
    let parameters = parameters(request, .singleSignOnCookie) + [.init("ssoUrl", .string(url))]
    return .object([
      .init("account", request.account?.original ?? .null),
      .init("authParameters", .object(parameters)), .init("ssoUrl", .string(url)),
      .init("mamEnrollment", .bool(false)),
    ])
  }

  /// Takes an account away from an app.
  static func removal(of account: BrokerAccount, clientID: String) -> JSON {
    .object([.init("clientId", .string(clientID)), .init("account", account.original)])
  }

  /// Ends an interactive request, which the call's correlation ID names.
  ///
  /// What else is read of it nobody tells; an empty text is known to end Microsoft's broker 3.0.2.
  static func cancellation(of request: BrokerTokenRequest) -> JSON {
    .object([
      .init("clientId", .string(request.clientID)),
      .init("correlationId", .string(request.correlationID)),
    ])
  }

  private static func parameters(
    _ request: BrokerTokenRequest, _ type: AuthorizationType
  ) -> [JSON.Member] {
    var members: [JSON.Member] = []
    // Without either the person is shown the accounts to choose from.
    if let account = request.account {
      members.append(.init("account", account.original))
      members.append(.init("username", .string(account.username)))
    } else if let loginHint = request.loginHint {
      members.append(.init("username", .string(loginHint)))
    }
    let query = request.extraQueryParameters.sorted { $0.key < $1.key }
    members += [
      .init("authority", .string(request.authority.description)),
      .init("authorizationType", .number(type.rawValue)),
      .init("clientId", .string(request.clientID)),
      .init("redirectUri", .string(redirectURI)),
      .init("requestedScopes", .array(request.scopes.map { .string($0) })),
      .init(
        "additionalQueryParametersForAuthorization",
        .object(query.map { .init($0.key, .string($0.value)) })),
      .init("uxContextHandle", .number("-1")),
    ]
    if type == .interactive, let prompt = promptName(request.prompt) {
      members.append(.init("prompt", .string(prompt)))
    }
    if let claims = request.claims { members.append(.init("decodedClaims", .string(claims))) }
    if let token = request.accessTokenToRenew {
      members.append(.init("accessTokenToRenew", .string(token.exposed)))
    }
    return members
  }

  private static func promptName(_ prompt: Prompt) -> String? {
    prompt == .promptIfNecessary ? nil : prompt.rawValue
  }
}
