import HTTPTypes

/// Passes each request to its route, records it, delays it if requested, and writes the log.
struct RequestRecorder: Sendable {
  let emulator: Emulator
  let router: Router
  let log: (@Sendable (String) -> Void)?

  @concurrent func respond(to request: Request) async throws -> Response {
    let match = router.match(request)
    var response: Response
    do {
      if let preflight = CrossOrigin.preflight(request) {
        response = preflight
      } else {
        guard let match else { throw HTTPError(.notFound) }
        response = try await match.handler(request)
      }
    } catch let error as HTTPError {
      response = error.response
    }
    CrossOrigin.allow(request, &response)
    let recorded = RecordedRequest(
      method: request.method.rawValue, path: request.path, route: match?.route ?? "unknown",
      status: response.status.code, query: request.query, headers: request.headers,
      body: request.body.count <= RecordedRequest.maximumBody
        ? String(decoding: request.body, as: UTF8.self) : "")
    // Before it is counted: whoever sees the count may set another delay, for the next request.
    let delay = await emulator.delay(of: recorded.route)
    await emulator.record(recorded)
    log?(recorded.description)
    if let delay { try await Task.sleep(for: delay) }
    return response
  }
}
