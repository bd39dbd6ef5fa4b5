import AuthCore
import CurlHTTP
import FoundationEssentials
import HTTPTypes
import Sentences

extension GraphClient {
  /// Sends many requests with few (JSON batching), and returns their results in the same order.
  ///
  /// Graph takes 20 at a time; more are sent one batch after the other. A request that is throttled
  /// is sent again, alone or with others that are, after the pause that it was asked for. With
  /// ``pauses``, the pause of each is kept, and one that was asked for before is waited for; a request
  /// whose pause is longer than ``retry`` allows is not sent, and fails as it would alone.
  ///
  /// - Parameters:
  ///   - requests: the requests; each on ``host``.
  ///   - dependsOn: for the index of a request, those of earlier ones that must be done before it;
  ///     when one fails (status 400 or more), its error has status 424 (Failed Dependency).
  /// - Returns: the results. When a later batch fails or the task is canceled, each request that has
  ///   no result yet gets an error without a response, whose ``GraphError/cause`` is the `GraphError`
  ///   of the batch: the earlier requests may have changed something.
  /// - Throws: ``GraphError`` when the batch itself fails before any request has a result.
  public func batch(
    _ requests: [GraphRequest], dependsOn: [Int: [Int]] = [:]
  ) async throws(GraphError) -> [Result<GraphResponse, GraphError>] {
    let targets = try requests.map { request throws(GraphError) in try httpRequest(request) }
    var batch = try GraphBatch(
      targets.indices.map { index throws(GraphError) in
        try batchPart(requests[index], targets[index])
      }, dependsOn: dependsOn)
    // How often each request was sent again.
    var counts: [Int: Int] = [:]
    do throws(GraphError) {
      while let indices = try await next(of: &batch, targets) {
        let (response, sent) = try await exchange(batch.json(of: indices))
        try batch.receive(response, of: indices, service: service, sent: sent, at: runtime.now())
        for index in indices {
          guard case .failure(let error) = batch.results[index] else { continue }
          await pauses?.keep(error, to: targets[index], at: runtime.now())
        }
        let longest = indices.compactMap { index -> (pause: Duration, error: GraphError)? in
          guard case .failure(let error) = batch.results[index] else { return nil }
          let count = counts[index, default: 0]
          guard
            let pause = retry.pause(
              after: error, of: requests[index], count: count, random: random)
          else { return nil }
          counts[index] = count + 1
          batch.repeats(index)
          return (pause, error)
        }.max { $0.pause < $1.pause }
        if let longest { try await wait(longest.pause, after: longest.error) }
      }
      return batch.results.map { $0 ?? .failure(GraphBatch.missing) }
    } catch {
      guard batch.results.contains(where: { $0 != nil }) else { throw error }
      let noResult = GraphError(withoutResult: error)
      return batch.results.map { $0 ?? .failure(noResult) }
    }
  }

  /// Sends one batch.
  ///
  /// - Returns: the response, and the secrets that were sent, which no part of it may repeat.
  private func exchange(
    _ document: JSON
  ) async throws(GraphError) -> (response: GraphResponse, sent: SentSecrets) {
    let request = GraphRequest(.post, "/$batch", body: .json(document))
    let (reply, target) = try await performed(
      request, accepts: { (200...299).contains($0) }
    ) { client, httpRequest async throws(HTTPError) -> (HTTPReply, (HTTPReply, HTTPRequest)) in
      let reply = try await client.transport.execute(
        httpRequest, body: request.body?.data ?? Data(), limits: client.limits)
      return (reply, (reply, httpRequest))
    }
    return (GraphResponse(reply), SentSecrets(tokenOf: target))
  }

  /// The requests of a batch to send next, after the pauses that they, or other processes, were asked
  /// for; what would have to wait for too long is refused.
  private func next(
    of batch: inout GraphBatch, _ targets: [HTTPRequest]
  ) async throws(GraphError) -> [Int]? {
    guard let pauses else { return batch.next() }
    while let indices = batch.next() {
      let rests = await pauses.rests(of: indices.map { targets[$0] }, at: runtime.now())
      var refusals: [Int: GraphError] = [:]
      var longest: SharedPauses.Rest?
      for (index, rest) in zip(indices, rests) {
        guard let rest else { continue }
        if retry.waits(for: .seconds(rest.seconds)) {
          if rest.seconds > longest?.seconds ?? 0 { longest = rest }
        } else {
          refusals[index] = GraphError.paused(rest, by: service)
        }
      }
      guard refusals.isEmpty else {
        // What depends on them is not sent either.
        batch.refuse(refusals, of: indices)
        continue
      }
      if let longest {
        try await wait(.seconds(longest.seconds), after: .paused(longest, by: service))
      }
      return indices
    }
    return nil
  }

  /// A request as a part of a batch, without its ID.
  private func batchPart(
    _ request: GraphRequest, _ target: HTTPRequest
  ) throws(GraphError) -> [JSON.Member] {
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
        guard case .failure(let error) = results[earlier] else { return false }
        // A redirect to a file's content, and 304, are what was asked for.
        return error.status.map { $0 >= 400 } ?? true
      }
      if isHopeless {
        results[index] = .failure(Self.failedDependency)
      } else {
        indices.append(index)
      }
    }
    return indices.isEmpty ? nil : indices
  }

  /// Refuses some of the requests that were to be sent next; the others are yet to be sent.
  mutating func refuse(_ refusals: [Int: GraphError], of indices: [Int]) {
    for (index, error) in refusals { results[index] = .failure(error) }
    waiting += indices.reversed().filter { refusals[$0] == nil }
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
    return ["requests": .array(requests)]
  }

  /// Notes the responses, which can be in any order.
  mutating func receive(
    _ response: GraphResponse, of indices: [Int], service: String, sent: SentSecrets, at date: Date
  ) throws(GraphError) {
    guard let answers = (try? response.json())?["responses"]?.array else {
      throw GraphError(invalid: response)
    }
    for index in indices { results[index] = .failure(Self.missing) }
    for answer in answers {
      guard let index = answer["id"]?.string.flatMap({ Int($0) }), indices.contains(index),
        let status = answer["status"]?.integer, (100...999).contains(status)
      else { continue }
      results[index] = Self.result(answer, status: status, service: service, sent: sent, at: date)
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
    _ answer: JSON, status: Int, service: String, sent: SentSecrets, at date: Date
  ) -> Result<GraphResponse, GraphError> {
    var fields = HTTPFields()
    for member in (answer["headers"]?.object ?? []).prefix(HTTPFields.limit) {
      if let name = HTTPField.Name(member.name), let value = member.value.string {
        fields[name] = value
      }
    }
    // The documentation has a text as it is (OData JSON Format 4.01, "Batch Request"), and the service
    // writes base64. Many words look like base64url.
    let isText = fields[.contentType]?.lowercased().hasPrefix("text/") == true
    let body: Data =
      switch answer["body"] {
      case nil, .null: Data()
      case .string(let text):
        (isText ? Data(base64Encoded: text) : GraphBody(batchText: text)?.data) ?? Data(text.utf8)
      case let json?: Data(json.compactText.utf8)
      }
    guard (200...299).contains(status) else {
      let reply = HTTPReply(
        response: HTTPResponse(status: .init(code: status), headerFields: fields), body: body)
      return .failure(
        GraphError(reply, of: service, sent: sent, at: date))
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

extension GraphBody {
  /// Reads a body of a batch that is not JSON; nil when it is not encoded.
  ///
  /// The documentation has base64url, and the service writes base64 (RFC 4648, sections 4 and 5).
  package init?(batchText text: String) {
    var digits = text[...]
    while digits.last == "=" { digits.removeLast() }
    // Strict about stray bits, so that fewer plain words without a type are taken for it.
    guard let data = Data(base64Encoded: text) ?? Base64URL.decode(digits) else { return nil }
    self.init(data)
  }
}

extension GraphError {
  /// The error of a request that has no result, because its batch failed: the response is the batch's.
  fileprivate init(withoutResult batch: GraphError) {
    self = batch
    cause = batch
    status = nil
    headerFields = [:]
    body = Data()
  }
}
