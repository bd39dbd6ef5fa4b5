import FoundationEssentials

/// The response to the browser after a step of a sign-in.
enum SignInOutcome: Sendable {
  /// A page that asks the user something.
  case page(SignIn, SignIn.Step, BrowserSession)
  /// An authorization response for the client.
  case response(Form, ResponseTarget, BrowserSession)
  /// A page with the result of a sign-in for another device.
  case deviceAnswered(isApproved: Bool, BrowserSession)
  /// An error page.
  case refused(EntraError, RequestTrace)
}

extension Emulator {
  /// Begins a sign-in in the browser session `sessionID`, or in a new one.
  func begin(_ request: AuthorizationRequest, sessionID: String?) -> SignInOutcome {
    let session = sessionID.flatMap { sessions[$0] } ?? BrowserSession(id: Random.token())
    sessions[session.id] = session
    return proceed(SignIn(request: request, session: session, users: users))
  }

  /// Handles the answer to a page, and continues.
  ///
  /// Without an answer, the page is shown again.
  func proceed(signInID: String?, sessionID: String?, answer: Form?) -> SignInOutcome {
    guard let signInID, var signIn = signIns[signInID], signIn.sessionID == sessionID,
      var session = sessions[signIn.sessionID]
    else { return .refused(.signInOver, RequestTrace(correlationID: nil)) }
    guard let answer else { return proceed(signIn) }

    let step = step(of: signIn, session)
    switch signIn.answer(answer, to: step, users: users, directory: directory) {
    case .none: break
    case .created(let user): add(user)
    case .signedIn(let user):
      session.usernames.removeAll { $0 == user.username }
      session.usernames.append(user.username)
      session.signedIn[user.username] = Date()
    case .consented(let user):
      consents[consentKey(user, signIn.request.client), default: []].formUnion(
        signIn.request.scopes.scopes)
    case .staysSignedIn(let stays): session.isPersistent = stays
    case .cancelled(let error):
      sessions[session.id] = session
      return deny(signIn, error, session)
    }
    sessions[session.id] = session
    return proceed(signIn)
  }

  private func proceed(_ signIn: SignIn) -> SignInOutcome {
    guard let session = sessions[signIn.sessionID] else {
      return .refused(.signInOver, signIn.request.trace)
    }
    signIns[signIn.id] = signIn
    let step = step(of: signIn, session)
    switch step {
    case .finish(let user, let tenant):
      signIns[signIn.id] = nil
      if let code = signIn.request.deviceCode {
        deviceAuthorizations[code]?.progress = .approved(user, tenant)
        return .deviceAnswered(isApproved: true, session)
      }
      return .response(
        codeResponse(signIn.request, user: user, tenant: tenant, session: session),
        signIn.request.target, session)
    case .denied(let error): return deny(signIn, error, session)
    case .refused(let error):
      signIns[signIn.id] = nil
      return .refused(error, signIn.request.trace)
    default: return .page(signIn, step, session)
    }
  }

  private func step(of signIn: SignIn, _ session: BrowserSession) -> SignIn.Step {
    signIn.step(session: session, users: users) { user in
      isConsented(user, client: signIn.request.client, to: signIn.request.scopes.scopes)
    }
  }

  private func deny(_ signIn: SignIn, _ error: EntraError, _ session: BrowserSession)
    -> SignInOutcome
  {
    signIns[signIn.id] = nil
    if let code = signIn.request.deviceCode {
      deviceAuthorizations[code]?.progress = .declined
      return .deviceAnswered(isApproved: false, session)
    }
    let form = Self.errorResponse(error, target: signIn.request.target, trace: signIn.request.trace)
    return .response(form, signIn.request.target, session)
  }

  /// The parameters of an error response (RFC 6749, section 4.1.2.1).
  static func errorResponse(_ error: EntraError, target: ResponseTarget, trace: RequestTrace)
    -> Form
  {
    var form = Form([
      ("error", error.error), ("error_description", error.description(trace)),
    ])
    if let subcode = error.subcode { form.append("error_subcode", subcode) }
    if let suberror = error.suberror { form.append("suberror", suberror) }
    if let state = target.state { form.append("state", state) }
    return form
  }

  private func codeResponse(
    _ request: AuthorizationRequest, user: User, tenant: Tenant, session: BrowserSession
  ) -> Form {
    let code = (tenant == .personal ? "M.C" : "1.") + Random.token(bytes: 96)
    codes[code] = AuthorizationCode(
      request: request, user: user, tenant: tenant, issued: Date(),
      signedIn: session.signedIn[user.username] ?? Date())
    var form = Form([("code", code)])
    if request.wantsClientInfo, request.authority.kind.hasClientInfo {
      form.append("client_info", clientInfo(user, at: request.authority))
    }
    if let state = request.state { form.append("state", state) }
    switch request.authority.kind {
    case .entra, .externalID: form.append("session_state", session.state)
    case .b2c: break
    case .adfs: form.append("client-request-id", request.trace.correlationID)
    case .oidc:
      // RFC 9207, section 2.
      form.append("iss", request.authority.issuer(tenantID: tenant.id, origin: origin))
    }
    faults.edit(\.redirect, &form)
    return form
  }

  /// The user of an ID token; nil for an unknown token.
  func username(idToken: String?) -> String? { idToken.flatMap { idTokens[$0] } }

  /// Ends a browser session, or signs out only the user whom `logoutHint` names.
  /// - Returns: whether nobody is signed in any longer.
  func signOut(sessionID: String?, logoutHint: String?) -> Bool {
    guard let sessionID, var session = sessions[sessionID] else { return true }
    if let name = logoutHint.flatMap({ users.named(by: $0)?.username ?? $0.lowercased() }),
      session.usernames.contains(name)
    {
      session.usernames.removeAll { $0 == name }
    } else {
      session.usernames = []
    }
    sessions[sessionID] = session.usernames.isEmpty ? nil : session
    return session.usernames.isEmpty
  }

  // MARK: Consent

  func consentKey(_ user: User, _ client: ClientRegistration) -> ConsentKey {
    ConsentKey(username: user.username, clientID: client.clientID)
  }

  /// Whether `user` has consented to all of `scopes` for `client`.
  func isConsented(_ user: User, client: ClientRegistration, to scopes: [Scope]) -> Bool {
    let given = consents[consentKey(user, client), default: []]
    // Any consent includes openid and similar scopes.
    return !given.isEmpty && scopes.allSatisfy { $0.isOpenID || given.contains($0) }
  }

  /// Keeps a redirect until the page that delivers it requests it.
  func keepRedirect(_ location: String) -> String {
    let id = Random.token()
    pendingRedirects[id] = location
    return id
  }

  func pendingRedirect(_ id: String) -> String? { pendingRedirects[id] }
}
