import HTTPTypes
import Hummingbird
import NIOCore

/// Notes each request, holds it back when told to, and writes the log.
struct RequestRecorder: RouterMiddleware {
  typealias Context = BasicRequestContext

  let state: EmulatorState
  let log: (@Sendable (String) -> Void)?

  @concurrent func handle(
    _ request: Request, context: Context,
    next: @concurrent (Request, Context) async throws -> Response
  ) async throws -> Response {
    var request = request
    let body = String(buffer: try await request.collectBody(upTo: 1 << 20))
    let response: Response
    do {
      response = try await next(request, context)
    } catch let error as any HTTPResponseError {
      response = try error.response(from: request, context: context)
    }
    let recorded = RecordedRequest(
      method: request.method.rawValue, path: request.uri.path,
      route: context.endpointPath ?? "unknown", status: response.status.code,
      query: request.uri.query ?? "", headers: request.headers, body: body)
    await state.record(recorded)
    log?(recorded.description)
    if let delay = await state.delay(of: recorded.route) { try await Task.sleep(for: delay) }
    return response
  }
}
