import HTTPTypes

/// The device authorization endpoint, and the page for entering codes.
struct DeviceCodeRoutes: Sendable {
  let emulator: Emulator

  func add(to router: inout Router) {
    for path in Endpoint.deviceAuthorization.routes { router.post(path, use: authorize) }
    router.get("/devicelogin") { _ in Page.enterCode().response() }
    router.post("/devicelogin", use: takeCode)
  }

  private func authorize(_ request: Request) async throws -> Response {
    let trace = RequestTrace(request)
    let authority = emulator.directory.authority(path: request.path)
    do {
      guard let authority else { throw EntraError.unknownTenant(path: request.path) }
      return .json(
        try await emulator.authorizeDevice(try request.bodyForm(), authority: authority))
    } catch let error as EntraError {
      return .json(
        error.json(trace, origin: await emulator.origin, kind: authority?.kind ?? .entra),
        status: .badRequest)
    }
  }

  /// Redirects from an entered code to the sign-in pages.
  private func takeCode(_ request: Request) async throws -> Response {
    let code = try request.bodyForm()["code"] ?? ""
    let outcome = await emulator.beginDevice(
      userCode: code, sessionID: request.cookie(BrowserSession.cookieName),
      trace: RequestTrace(request))
    guard let outcome else { return Page.enterCode(refused: code).response() }
    guard case .page(let signIn, _, let session) = outcome else {
      return await SignInRoutes(emulator: emulator).respond(to: outcome, pages: "/common")
    }
    let pages = signIn.request.authority.pages
    return Response.seeOther("\(pages)/signin?ctx=\(signIn.id)").setting(session)
  }
}
