import HTTPTypes

/// The token endpoint.
struct TokenRoutes: Sendable {
  let emulator: Emulator

  func add(to router: inout Router) {
    for path in Endpoint.token.routes { router.post(path, use: token) }
    router.post("/{tenant}/oauth2/token") { request in
      let trace = RequestTrace(request)
      return .json(
        EntraError.versionOne.json(trace, origin: await emulator.origin), status: .badRequest)
    }
  }

  private func token(_ request: Request) async throws -> Response {
    if let reply = await emulator.takeReply(of: .token) { return reply.response }
    let faults = await emulator.faults
    if let reply = faults.edited(\.tokenReply, nil) { return reply }
    let trace = RequestTrace(request)
    let authority = emulator.directory.authority(path: request.path, query: request.queryForm)
    var response: Response
    do {
      guard let authority else { throw EntraError.unknownTenant(path: request.path) }
      let json = try await emulator.token(
        try request.bodyForm(), authority: authority,
        isFromPage: request.headers[.origin] != nil)
      response = faults.edited(\.tokenResponseReply, .json(json))
    } catch let error as EntraError {
      response = .json(
        error.json(trace, origin: await emulator.origin, kind: authority?.kind ?? .entra),
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
