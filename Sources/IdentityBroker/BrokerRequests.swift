import AuthCore

/// Builds the requests to a broker.
///
/// Microsoft does not document them; Edge and the brokers' other callers send these.
enum BrokerRequests {
  /// How to get a token (`authorizationType`).
  enum AuthorizationType: String {
    /// With the refresh token that the broker keeps.
    case cachedRefreshToken = "1"
    /// With the user's interaction.
    case interactive = "6"
    /// No token: single sign-on cookies.
    case singleSignOnCookie = "8"
  }

  /// The redirect URI of the broker's own pages; an app that uses a broker has it registered.
  private static let redirectURI = PublicClientApplicationConfiguration.brokerRedirectURI

  /// The version of MSAL's C++ runtime that uses this format.
  static let version: JSON = ["msalCppVersion": "1.31.0"]

  /// Requests the accounts that an app may use.
  static func accounts(clientID: String) -> JSON {
    ["clientId": .string(clientID), "redirectUri": .string(redirectURI)]
  }

  /// Requests a token.
  static func token(_ request: BrokerTokenRequest, _ type: AuthorizationType) -> JSON {
    // Microsoft's client names the window twice.
    let window = type == .interactive ? request.parentWindow : nil
    return .object(
      [.init("authParameters", .object(parameters(request, type)))]
        + (window?.members("parentWindowHandle", "parentWindowExportedHandle") ?? []))
  }

  /// Requests the single sign-on cookies for `url`.
  ///
  /// Brokers differ in where they look for the account and the URL.
  static func cookies(for url: String, _ request: BrokerTokenRequest) -> JSON {
    let parameters = parameters(request, .singleSignOnCookie) + [.init("ssoUrl", .string(url))]
    return [
      "account": request.account?.original ?? .null, "authParameters": .object(parameters),
      "ssoUrl": .string(url), "mamEnrollment": false,
    ]
  }

  /// Removes an account from an app.
  static func removal(of account: BrokerAccount, clientID: String) -> JSON {
    ["clientId": .string(clientID), "account": account.original]
  }

  /// Cancels an interactive request.
  ///
  /// Microsoft's client sends the error that its caller gets, in a call with an ID of its own; other
  /// callers name the app and the ID of the call to cancel. Empty text is known to crash Microsoft's
  /// broker 3.0.2.
  static func cancellation(of request: BrokerTokenRequest) -> JSON {
    [
      "clientId": .string(request.clientID), "correlationId": .string(request.correlationID),
      "error": [
        "context": "The user canceled the request.", "diagnostics": .null, "errorCode": 0,
        "status": .number("\(BrokerError.Status.userCanceled)"), "subStatus": 0,
        // No tag: it is for places in Microsoft's code.
        "tag": 0,
      ],
    ]
  }

  /// Query parameters that Microsoft's client rejects in a request to a broker.
  private static let rejectedQueryParameters: Set<String> = [
    "dc", "domain_hint", "mkt", "nonce", "prompt",
  ]

  private static func parameters(
    _ request: BrokerTokenRequest, _ type: AuthorizationType
  ) -> [JSON.Member] {
    var members: [JSON.Member] = []
    // Without either, Microsoft's brokers show an account picker.
    if let account = request.account {
      members.append(.init("account", account.original))
      members.append(.init("username", .string(account.username)))
    } else if let loginHint = request.loginHint {
      members.append(.init("username", .string(loginHint)))
    }
    let query = request.extraQueryParameters
      .filter { !rejectedQueryParameters.contains($0.key.lowercased()) }
      .sorted { $0.key < $1.key }
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
    if type == .interactive {
      if let prompt = request.prompt.parameter {
        members.append(.init("prompt", .string(prompt)))
      }
      if let window = request.parentWindow {
        members.append(.init("parentWindow", .object(window.members("handle", "exportedHandle"))))
      }
    }
    if let claims = request.claims { members.append(.init("decodedClaims", .string(claims))) }
    if let token = request.accessTokenToRenew {
      members.append(.init("accessTokenToRenew", .string(token.exposed)))
    }
    return members
  }
}

extension ParentWindow {
  /// The members of a request that identify the window.
  fileprivate func members(_ x11: String, _ wayland: String) -> [JSON.Member] {
    switch known {
    case .x11(let window): [.init(x11, .number("\(window)"))]
    case .wayland(let handle): [.init(wayland, .string(handle))]
    }
  }
}
