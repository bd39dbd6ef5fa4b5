import Hummingbird

/// The authorization endpoint and the pages behind it.
struct SignInRoutes: Sendable {
  let state: EmulatorState

  func add(to router: Router<BasicRequestContext>) {
    router.get("/{tenant}/oauth2/v2.0/authorize", use: authorize)
    router.get("/{tenant}/signin", use: showPage)
    router.post("/{tenant}/signin", use: takeAnswer)
    router.get("/{tenant}/resume", use: resume)
    router.post("/{tenant}/resume", use: resume)
    router.get("/{tenant}/oauth2/v2.0/logout", use: signOut)
  }

  private func authorize(_ request: Request, _ context: BasicRequestContext) async throws
    -> Response
  {
    let tenant = context.parameters.get("tenant") ?? ""
    let trace = RequestTrace(request)
    do throws(AuthorizationRefusal) {
      let authorization = try AuthorizationRequest(
        request.queryForm, tenantSegment: tenant, clients: state.clients, trace: trace)
      return await respond(
        to: state.begin(authorization, sessionID: request.cookie(BrowserSession.cookieName)),
        tenant: tenant)
    } catch {
      switch error {
      case .page(let error):
        return Page.error(error, trace: trace).response(status: .badRequest)
      case .redirect(let error, let target):
        let form = EmulatorState.errorResponse(error, target: target, trace: trace)
        return await deliver(form, to: target, tenant: tenant)
      }
    }
  }

  /// Shows the page of the step a sign-in has come to.
  private func showPage(_ request: Request, _ context: BasicRequestContext) async throws -> Response
  {
    let outcome = await state.proceed(
      signInID: request.queryForm["ctx"], sessionID: request.cookie(BrowserSession.cookieName),
      answer: nil)
    return await respond(to: outcome, tenant: context.parameters.get("tenant") ?? "")
  }

  /// Takes in the answer to a page.
  ///
  /// The next page is had with GET, so that it can be reloaded.
  private func takeAnswer(_ request: Request, _ context: BasicRequestContext) async throws
    -> Response
  {
    let tenant = context.parameters.get("tenant") ?? ""
    let answer = try await request.bodyForm()
    let outcome = await state.proceed(
      signInID: answer["ctx"], sessionID: request.cookie(BrowserSession.cookieName), answer: answer)
    guard case .page(let signIn, _, let session) = outcome else {
      return await respond(to: outcome, tenant: tenant)
    }
    var response = Response.seeOther("/\(Form.encode(tenant))/signin?ctx=\(signIn.id)")
    response.headers[.setCookie] = session.cookie
    return response
  }

  /// What the browser gets for `outcome`.
  func respond(to outcome: SignInOutcome, tenant: String) async -> Response {
    switch outcome {
    case .page(let signIn, let step, let session):
      guard let page = SignInPages(signIn: signIn, demoUsers: User.demo).page(step) else {
        return Response(status: .internalServerError)
      }
      var response = page.response()
      response.headers[.setCookie] = session.cookie
      return response
    case .response(let form, let target, let session):
      var response = await deliver(form, to: target, tenant: tenant)
      response.headers[.setCookie] = session.cookie
      return response
    case .deviceAnswered(let isApproved, let session):
      var response = Page.deviceAnswered(isApproved: isApproved).response()
      response.headers[.setCookie] = session.cookie
      return response
    case .refused(let error, let trace):
      return Page.error(error, trace: trace).response(status: .badRequest)
    }
  }

  /// Sends an authorization response to the client, in the mode it asked for and by the delivery
  /// the emulator is set to.
  private func deliver(_ form: Form, to target: ResponseTarget, tenant: String) async -> Response {
    if target.responseMode == .formPost {
      return Page.returning(form, to: target.redirectURI, method: "post").response()
    }
    let location = target.location(form)
    switch await state.redirectDelivery {
    case .http302: return .found(location)
    case .script: return Page.scripted(to: location).response()
    case .form: return Page.returning(form, to: target.redirectURI, method: "get").response()
    case .meta: return Page.metaRefresh(to: location).response()
    case .formCSP:
      let id = await state.keepRedirect(location)
      let action = "/\(Form.encode(tenant))/resume?id=\(id)"
      return Page.returning(Form(), to: action, method: "post", keepsFormsHere: true).response()
    case .iframe:
      let id = await state.keepRedirect(location)
      let source = "/\(Form.encode(tenant))/resume?id=\(id)"
      return Page.framed(source, redirectingTo: location).response()
    }
  }

  /// The redirect behind a page of ``deliver(_:to:tenant:)``.
  private func resume(_ request: Request, _ context: BasicRequestContext) async throws -> Response {
    guard let location = await state.pendingRedirect(request.queryForm["id"] ?? "") else {
      return Page.error(.signInOver, trace: RequestTrace(request)).response(status: .badRequest)
    }
    return .found(location)
  }

  /// RP-initiated logout (OpenID Connect RP-Initiated Logout 1.0).
  private func signOut(_ request: Request, _ context: BasicRequestContext) async throws -> Response
  {
    let query = request.queryForm
    let isEmpty = await state.signOut(
      sessionID: request.cookie(BrowserSession.cookieName), logoutHint: query["logout_hint"])
    var response = Page.signedOut.response()
    // Without a client ID any registered address will do; all others are passed over in silence.
    if let uri = query["post_logout_redirect_uri"],
      state.clients.contains(where: { $0.allows(redirectURI: uri) })
    {
      let state = query["state"].map { Form([("state", $0)]).encoded }
      response = .found(uri + (state.map { "?" + $0 } ?? ""))
    }
    if isEmpty { response.headers[.setCookie] = BrowserSession.expiredCookie }
    return response
  }
}
