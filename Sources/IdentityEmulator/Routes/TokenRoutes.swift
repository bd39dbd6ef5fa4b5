import HTTPTypes

/// The token endpoint.
struct TokenRoutes: Sendable {
  let state: EmulatorState

  func add(to router: inout Router) {
    for path in [
      "/{tenant}/oauth2/v2.0/token", "/te/{tenant}/{policy}/oauth2/v2.0/token",
      "/adfs/oauth2/token", "/realms/{realm}/token",
    ] {
      router.post(path, use: token)
    }
    router.post("/{tenant}/oauth2/token") { request in
      let trace = RequestTrace(request)
      return .json(
        EntraError.versionOne.json(trace, origin: await state.origin), status: .badRequest)
    }
  }

  private func token(_ request: Request) async throws -> Response {
    if let reply = await state.takeTokenReply() { return reply.response }
    let faults = await state.faults
    if let reply = faults.edited(\.tokenReply, nil) { return reply }
    let trace = RequestTrace(request)
    let authority = state.directory.authority(path: request.path, query: request.queryForm)
    var response: Response
    do {
      guard let authority else { throw EntraError.unknownTenant(path: request.path) }
      let json = try await state.token(
        try request.bodyForm(), authority: authority,
        isFromPage: request.headers[.origin] != nil)
      response = faults.edited(\.tokenResponseReply, .json(json))
    } catch let error as EntraError {
      response = .json(
        error.json(trace, origin: await state.origin, kind: authority?.kind ?? .entra),
        status: error.error == "invalid_client" ? .unauthorized : .badRequest)
    }
    guard authority?.kind.isMicrosoftEntra == true else { return response }
    response.headers[named: "x-ms-request-id"] = trace.traceID
    if request.headers[named: "return-client-request-id"] == "true"
      || request.headers[named: "client-request-id"] != nil
    {
      response.headers[named: "client-request-id"] = trace.correlationID
    }
    return response
  }
}
