import HTTPTypes

/// The authorization endpoint and its pages.
struct SignInRoutes: Sendable {
  let emulator: Emulator

  func add(to router: inout Router) {
    for path in Endpoint.authorization.routes {
      router.get(path) { try await authorize($0, $0.queryForm) }
      router.post(path) { try await authorize($0, try $0.bodyForm()) }
    }
    router.get("/{tenant}/oauth2/authorize") { request in
      Page.error(.versionOne, trace: RequestTrace(request)).response(status: .badRequest)
    }
    for pages in ["/{tenant}/", "/te/", "/adfs/", "/realms/"] {
      router.get(pages + "signin", use: showPage)
      router.post(pages + "signin", use: takeAnswer)
      router.get(pages + "resume", use: resume)
      router.post(pages + "resume", use: resume)
    }
  }

  /// The path of the pages for a request.
  private func pages(of request: Request) -> String {
    "/" + Form.encode(String(request.path.split(separator: "/").first ?? ""))
  }

  private func authorize(_ request: Request, _ form: Form) async throws -> Response {
    let pages = pages(of: request)
    let trace = RequestTrace(request)
    let (origin, directory) = await (emulator.origin, emulator.currentDirectory)
    do throws(AuthorizationRefusal) {
      let authorization = try AuthorizationRequest(
        form, path: request.path, directory: directory, origin: origin, trace: trace)
      return await respond(
        to: emulator.begin(authorization, sessionID: request.cookie(BrowserSession.cookieName)),
        pages: pages)
    } catch {
      switch error {
      case .page(let error):
        return Page.error(error, trace: trace).response(status: .badRequest)
      case .redirect(let error, let target):
        let form = Emulator.errorResponse(error, target: target, trace: trace)
        return await deliver(form, to: target, pages: pages)
      }
    }
  }

  /// Shows the page for the current step of a sign-in.
  private func showPage(_ request: Request) async throws -> Response {
    let outcome = await emulator.proceed(
      signInID: request.queryForm["ctx"], sessionID: request.cookie(BrowserSession.cookieName),
      answer: nil)
    return await respond(to: outcome, pages: pages(of: request))
  }

  /// Handles the answer to a page.
  ///
  /// It redirects to the next page, so that this can be reloaded.
  private func takeAnswer(_ request: Request) async throws -> Response {
    let answer = try request.bodyForm()
    let outcome = await emulator.proceed(
      signInID: answer["ctx"], sessionID: request.cookie(BrowserSession.cookieName), answer: answer)
    guard case .page(let signIn, _, let session) = outcome else {
      return await respond(to: outcome, pages: pages(of: request))
    }
    return Response.seeOther("\(pages(of: request))/signin?ctx=\(signIn.id)").setting(session)
  }

  /// The response for `outcome`.
  ///
  /// - Parameter pages: the path of the pages.
  func respond(to outcome: SignInOutcome, pages: String) async -> Response {
    switch outcome {
    case .page(let signIn, let step, let session):
      let users = emulator.directory.shownUsers
      guard let page = SignInPages(signIn: signIn, demoUsers: users).page(step) else {
        return Response(status: .internalServerError)
      }
      return page.response().setting(session)
    case .response(let form, let target, let session):
      return await deliver(form, to: target, pages: pages).setting(session)
    case .deviceAnswered(let isApproved, let session):
      return Page.deviceAnswered(isApproved: isApproved).response().setting(session)
    case .refused(let error, let trace):
      return Page.error(error, trace: trace).response(status: .badRequest)
    }
  }

  /// Sends an authorization response to the client, in the requested mode and with the configured
  /// delivery.
  private func deliver(_ form: Form, to target: ResponseTarget, pages: String) async -> Response {
    let target = await ResponseTarget(
      redirectURI: target.redirectURI,
      responseMode: emulator.faults.edited(\.responseMode, target.responseMode),
      state: target.state)
    if target.responseMode == .formPost {
      return Page.returning(form, to: target.redirectURI, method: "post").response()
    }
    let location = target.location(form)
    switch await emulator.redirectDelivery {
    case .http302: return .found(location)
    case .script: return Page.scripted(to: location).response()
    case .form: return Page.returning(form, to: target.redirectURI, method: "get").response()
    case .meta: return Page.metaRefresh(to: location).response()
    case .formCSP:
      let id = await emulator.keepRedirect(location)
      let action = "\(pages)/resume?id=\(id)"
      return Page.returning(Form(), to: action, method: "post", restrictsFormAction: true)
        .response()
    case .iframe:
      let id = await emulator.keepRedirect(location)
      let source = "\(pages)/resume?id=\(id)"
      return Page.framed(source, redirectingTo: location).response()
    }
  }

  /// The redirect that a page of ``deliver(_:to:pages:)`` requests.
  private func resume(_ request: Request) async throws -> Response {
    guard let location = await emulator.pendingRedirect(request.queryForm["id"] ?? "") else {
      return Page.error(.signInOver, trace: RequestTrace(request)).response(status: .badRequest)
    }
    return .found(location)
  }
}
