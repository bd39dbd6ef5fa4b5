import AuthCore
import CurlHTTP
import FoundationEssentials
import HTTPTypes
import Sentences

extension GraphClient {
  /// Sends many requests with few (JSON batching), and returns their results in the same order.
  ///
  /// Graph takes 20 at a time; more are sent one batch after the other. A request that is throttled
  /// is sent again, alone or with others that are, after the pause that it was asked for.
  ///
  /// - Parameters:
  ///   - requests: the requests; each on ``host``.
  ///   - dependsOn: for the index of a request, those of earlier ones that must succeed before it;
  ///     when one does not, its error has status 424 (Failed Dependency).
  /// - Throws: ``GraphError`` when the batch itself fails.
  public func batch(
    _ requests: [GraphRequest], dependsOn: [Int: [Int]] = [:]
  ) async throws(GraphError) -> [Result<GraphResponse, GraphError>] {
    var batch = try GraphBatch(
      requests.map { request throws(GraphError) in
        try batchPart(request)
      }, dependsOn: dependsOn)
    // How often each request was sent again.
    var counts: [Int: Int] = [:]
    while let indices = batch.next() {
      let response = try await send(
        GraphRequest(.post, "/$batch", body: .json(batch.json(of: indices))))
      try batch.receive(response, of: indices, service: service, at: runtime.now())
      let pauses = indices.compactMap { index -> Duration? in
        guard case .failure(let error) = batch.results[index] else { return nil }
        let count = counts[index, default: 0]
        let pause = retry.pause(after: error, of: requests[index], count: count, random: random)
        guard pause != nil else { return nil }
        counts[index] = count + 1
        batch.repeats(index)
        return pause
      }
      if let pause = pauses.max() { try await sleep(pause) }
    }
    return batch.results.map { $0 ?? .failure(GraphBatch.missing) }
  }

  /// A request as a part of a batch, without its ID.
  private func batchPart(_ request: GraphRequest) throws(GraphError) -> [JSON.Member] {
    let target = try httpRequest(request)
    // Relative to the version of the batch.
    let path = target.path ?? "/"
    let prefix = "/\((version ?? .v1).rawValue)"
    guard path.hasPrefix(prefix + "/"), !path.hasPrefix(prefix + "/$batch") else {
      throw GraphError(
        .invalidURL, Sentence("A batch can have only requests to its own version of the API."))
    }
    var part = [
      JSON.Member("method", .string(request.method.rawValue)),
      JSON.Member("url", .string(String(path.dropFirst(prefix.count)))),
    ]
    if !request.headerFields.isEmpty {
      let fields = Dictionary(grouping: request.headerFields, by: \.name.rawName)
      part.append(
        JSON.Member(
          "headers",
          .object(
            fields.sorted { $0.key < $1.key }.map { name, fields in
              JSON.Member(name, .string(fields.map(\.value).joined(separator: ", ")))
            })))
    }
    if let body = request.body {
      let json = body.contentType.contains("json") ? try? JSON(parsing: body.data) : nil
      part.append(JSON.Member("body", json ?? .string(body.data.base64EncodedString())))
    }
    return part
  }
}

/// Which requests of a batch are done.
struct GraphBatch {
  /// The most requests that Graph takes at a time.
  static let largest = 20
  static let missing = GraphError.invalid()

  private let parts: [[JSON.Member]]
  private let dependsOn: [Int: [Int]]
  private(set) var results: [Result<GraphResponse, GraphError>?]
  /// The requests that are to be sent, the first one last.
  private var waiting: [Int]

  init(_ parts: [[JSON.Member]], dependsOn: [Int: [Int]]) throws(GraphError) {
    for (index, earlier) in dependsOn {
      guard parts.indices.contains(index), earlier.allSatisfy({ (0..<index).contains($0) }) else {
        throw GraphError(
          .invalidRequest,
          Sentence("A request of a batch can depend only on earlier requests of it."))
      }
    }
    self.parts = parts
    self.dependsOn = dependsOn
    results = Array(repeating: nil, count: parts.count)
    waiting = parts.indices.reversed()
  }

  /// The requests to send next; nil when all are done.
  ///
  /// A request whose dependency was refused in another batch is refused here.
  mutating func next() -> [Int]? {
    var indices: [Int] = []
    while indices.count < Self.largest, let index = waiting.popLast() {
      let isHopeless = dependsOn[index, default: []].contains { earlier in
        if case .failure = results[earlier] { true } else { false }
      }
      if isHopeless {
        results[index] = .failure(Self.failedDependency)
      } else {
        indices.append(index)
      }
    }
    return indices.isEmpty ? nil : indices
  }

  /// The document that sends these requests.
  func json(of indices: [Int]) -> JSON {
    let requests = indices.map { index -> JSON in
      var part = [JSON.Member("id", .string(String(index)))] + parts[index]
      let earlier = dependsOn[index, default: []].filter(indices.contains)
      if !earlier.isEmpty {
        part.append(JSON.Member("dependsOn", .array(earlier.map { .string(String($0)) })))
      }
      return .object(part)
    }
    return .object([JSON.Member("requests", .array(requests))])
  }

  /// Notes the responses, which can be in any order.
  mutating func receive(
    _ response: GraphResponse, of indices: [Int], service: String, at date: Date
  ) throws(GraphError) {
    guard let answers = (try? response.json())?["responses"]?.array else {
      throw GraphError(invalid: response)
    }
    for index in indices { results[index] = .failure(Self.missing) }
    for answer in answers {
      guard let index = answer["id"]?.string.flatMap({ Int($0) }), indices.contains(index),
        let status = answer["status"]?.integer, (100...999).contains(status)
      else { continue }
      results[index] = Self.result(answer, status: status, service: service, at: date)
    }
  }

  /// Sends a request again, and those that were refused because of it.
  mutating func repeats(_ index: Int) {
    var again: Set = [index]
    for (later, earlier) in dependsOn.sorted(by: { $0.key < $1.key }) {
      guard case .failure(let error) = results[later], error.status == 424,
        earlier.contains(where: again.contains)
      else { continue }
      again.insert(later)
    }
    for index in again { results[index] = nil }
    waiting = Set(waiting).union(again).sorted(by: >)
  }

  private static func result(
    _ answer: JSON, status: Int, service: String, at date: Date
  ) -> Result<GraphResponse, GraphError> {
    var fields = HTTPFields()
    for member in (answer["headers"]?.object ?? []).prefix(HTTPFields.limit) {
      if let name = HTTPField.Name(member.name), let value = member.value.string {
        fields[name] = value
      }
    }
    let body: Data =
      switch answer["body"] {
      case nil, .null: Data()
      // What is not JSON is base64.
      case .string(let text): Data(base64Encoded: text) ?? Data(text.utf8)
      case let json?: Data(json.compactText.utf8)
      }
    guard (200...299).contains(status) else {
      let reply = HTTPReply(
        response: HTTPResponse(status: .init(code: status), headerFields: fields), body: body)
      return .failure(
        GraphError(reply, of: service, clientRequestID: nil, sent: SentSecrets([]), at: date))
    }
    return .success(GraphResponse(status: status, headerFields: fields, body: body))
  }

  private static let failedDependency: GraphError = {
    var error = GraphError(
      .refused,
      Sentence("The request was not sent, because one that it depends on was refused."))
    error.status = 424
    return error
  }()
}
