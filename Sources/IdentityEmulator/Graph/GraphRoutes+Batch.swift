import FoundationEssentials
import HTTPTypes

/// JSON batching: several requests in one.
extension GraphRoutes {
  private struct Part: Decodable {
    var id: String
    var method: String
    var url: String
    var headers: [String: String]?
    var dependsOn: [String]?
  }

  private struct Batch: Decodable {
    var requests: [Part]
  }

  /// Answers the parts with the routes of `router`, in reverse order: clients must not rely on it.
  func batch(_ request: Request, version: String, by router: Router) async throws -> Response {
    guard let batch = try? JSONDecoder().decode(Batch.self, from: Data(request.body)),
      batch.requests.count <= 20, Set(batch.requests.map(\.id)).count == batch.requests.count
    else {
      let error = GraphError.invalidBatch
      return .json(error.json(requestID: Random.guid(), clientRequestID: ""), status: error.status)
    }
    var answers: [(id: String, response: Response)] = []
    for part in batch.requests {
      let isHopeless = (part.dependsOn ?? []).contains { id in
        answers.contains { $0.id == id && $0.response.status.code >= 400 }
      }
      answers.append(
        (
          part.id,
          isHopeless
            ? Response(status: .init(code: 424)) : try await answer(part, request, version, router)
        ))
    }
    return .json(["responses": .array(answers.reversed().map(Self.json))])
  }

  private func answer(
    _ part: Part, _ batch: Request, _ version: String, _ router: Router
  ) async throws -> Response {
    var request = Request(target: "/\(version)\(part.url)")
    guard let method = HTTPRequest.Method(part.method) else { return Response(status: .badRequest) }
    request.method = method
    request.headers[.authorization] = batch.headers[.authorization]
    for (name, value) in part.headers ?? [:] { request.headers[named: name] = value }
    guard let match = router.match(request) else { return Response(status: .notFound) }
    return try await match.handler(request)
  }

  private static func json(_ answer: (id: String, response: Response)) -> JSON {
    let (id, response) = answer
    let fields = response.headers.map { ($0.name.rawName, JSON.string($0.value)) }
    let isJSON = response.headers[.contentType]?.contains("json") == true
    let body: JSON =
      isJSON
      ? .raw(String(decoding: response.body, as: UTF8.self))
      : .string(Data(response.body).base64EncodedString())
    return [
      "id": .string(id), "status": .number(response.status.code), "headers": .object(fields),
      "body": response.body.isEmpty ? .null : body,
    ]
  }
}
