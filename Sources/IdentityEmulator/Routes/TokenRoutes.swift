import HTTPTypes
import Hummingbird
import NIOCore

/// The token endpoint.
struct TokenRoutes: Sendable {
  let state: EmulatorState

  func add(to router: Router<BasicRequestContext>) {
    router.post("/{tenant}/oauth2/v2.0/token", use: token)
  }

  private func token(_ request: Request, _ context: BasicRequestContext) async throws -> Response {
    if let reply = await state.takeTokenReply() { return canned(reply) }
    let trace = RequestTrace(request)
    var response: Response
    do {
      let form = try await request.bodyForm()
      response = .json(
        try await state.token(form, tenantSegment: context.parameters.get("tenant") ?? ""))
    } catch let error as EntraError {
      response = .json(error.json(trace, origin: await state.origin), status: .badRequest)
    }
    response.headers[named: "x-ms-request-id"] = trace.traceID
    if request.headers[named: "return-client-request-id"] == "true"
      || request.headers[named: "client-request-id"] != nil
    {
      response.headers[named: "client-request-id"] = trace.correlationID
    }
    return response
  }

  private func canned(_ reply: CannedReply) -> Response {
    var headers = HTTPFields()
    for (name, value) in reply.headers { headers[named: name] = value }
    return Response(
      status: HTTPResponse.Status(code: reply.status), headers: headers,
      body: ResponseBody(byteBuffer: ByteBuffer(string: reply.body)))
  }
}
