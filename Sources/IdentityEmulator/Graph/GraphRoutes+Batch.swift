import FoundationEssentials
import HTTPTypes

/// JSON batching: several requests in one.
extension GraphRoutes {
  private struct Part: Decodable {
    var id: String
    var method: String
    var url: String
    var headers: [String: String]?
    var body: JSON?
    var dependsOn: [String]?
  }

  /// The largest number of headers of a part.
  private static let maximumHeaders = 1000

  private struct Batch: Decodable {
    var requests: [Part]
  }

  /// Answers the parts, in reverse order: clients must not rely on it.
  func batch(_ request: Request, version: String) async throws -> Response {
    guard let batch = try? JSONDecoder().decode(Batch.self, from: Data(request.body)) else {
      return refuse("Invalid batch payload format.")
    }
    let ids = batch.requests.map(\.id)
    guard batch.requests.count <= 20 else {
      return refuse("Number of batch request steps exceeds the maximum value of 20.")
    }
    guard Set(ids).count == ids.count else {
      return refuse("Request Id is not unique: each request of a batch needs another one.")
    }
    for (index, part) in batch.requests.enumerated() {
      guard (part.dependsOn ?? []).allSatisfy(ids[..<index].contains) else {
        return refuse("Invalid dependsOn: it names requests that come before this one.")
      }
      guard !part.url.lowercased().contains("$batch") else {
        return refuse("A batch must not contain another one.")
      }
    }
    var answers: [(id: String, response: Response)] = []
    for part in batch.requests {
      let isHopeless = (part.dependsOn ?? []).contains { id in
        answers.contains { $0.id == id && $0.response.status.code >= 400 }
      }
      answers.append(
        (part.id, isHopeless ? Self.hopeless : try await answer(part, request, version)))
    }
    return .json(["responses": .array(answers.reversed().map(Self.json))])
  }

  private func refuse(_ message: String) -> Response {
    let id = Random.guid()
    return .json(
      GraphError.badRequest(message).json(requestID: id, clientRequestID: id),
      status: .badRequest)
  }

  private static let hopeless: Response = {
    let id = Random.guid()
    let error = GraphError(
      status: .init(code: 424), code: "FailedDependency",
      message: "A request that this one depends on failed.")
    return .json(error.json(requestID: id, clientRequestID: id), status: error.status)
  }()

  private func answer(
    _ part: Part, _ batch: Request, _ version: String
  ) async throws -> Response {
    var url = part.url
    // Some of Graph's SDKs send whole URLs.
    let prefix = "\(await emulator.origin(for: batch))/\(version)/"
    if url.hasPrefix(prefix) { url.removeFirst(prefix.count - 1) }
    guard !url.contains("://") || url.hasPrefix("/") else {
      return refuse("Invalid batch url: '\(url)' is not below '\(prefix)'.")
    }
    var request = Request(target: "/\(version)\(url.hasPrefix("/") ? "" : "/")\(url)")
    guard let method = HTTPRequest.Method(part.method.uppercased()) else {
      return refuse("Invalid method '\(part.method)'.")
    }
    request.method = method
    request.headers[.authorization] = batch.headers[.authorization]
    request.headers[named: "Host"] = batch.headers[named: "Host"]
    guard (part.headers ?? [:]).count <= Self.maximumHeaders else {
      return refuse("The request '\(part.id)' has too many headers.")
    }
    for (name, value) in part.headers ?? [:] {
      guard let name = HTTPField.Name(name) else { continue }
      request.headers[fields: name] = [HTTPField(name: name, value: value)]
    }
    switch part.body {
    // What is not JSON comes in base64url.
    case .string(let text)?:
      guard let data = Data(base64URL: text) else {
        return refuse("The body of the request '\(part.id)' is neither JSON nor base64url.")
      }
      request.body = Array(data)
    case let body?: request.body = Array(body.text.utf8)
    case nil: break
    }
    return try await handler(answer(_:_:))(request)
  }

  private static func json(_ answer: (id: String, response: Response)) -> JSON {
    let (id, response) = answer
    let fields = response.headers.map { ($0.name.rawName, JSON.string($0.value)) }
    let bytes = response.body
    let isJSON = response.headers[.contentType]?.contains("json") == true
    let body: JSON =
      isJSON
      ? .raw(String(decoding: bytes, as: UTF8.self)) : .string(Data(bytes).base64EncodedString())
    return [
      "id": .string(id), "status": .number(response.status.code), "headers": .object(fields),
      "body": bytes.isEmpty ? .null : body,
    ]
  }
}
