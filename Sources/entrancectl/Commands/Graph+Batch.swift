import ArgumentParser
import AuthCore
import CurlHTTP
import FoundationEssentials
import HTTPTypes
import Localization
import MicrosoftGraph
import Sentences

extension Graph {
  struct SendBatch: SessionCommand {
    static let configuration = CommandConfiguration(
      commandName: "batch", abstract: tr("Send the requests of a file, up to 20 at a time."),
      discussion: tr(
        "The file is a JSON batch as Graph takes it: requests, each with id, method, and url, and"
          + " optionally headers, body, and dependsOn. There can be more than 20; those that are"
          + " throttled are sent again. The responses are printed in the same order. The exit"
          + " status is 1 when one of the requests failed."))

    @OptionGroup var options: SessionOptions
    @Argument(
      help: ArgumentHelp(tr("The file, or - for standard input."), valueName: tr("file")),
      completion: .file())
    var file: String

    func perform() async throws(CommandError) {
      let batch = try Batch(JSON(reading: file), file: file)
      let session = try await GraphSession(options)
      var results: [Result<GraphResponse, GraphError>] = []
      try await session.keeping { () async throws(CommandError) in
        results = try await session.translating { () async throws(GraphError) in
          try await session.client.batch(batch.requests, dependsOn: batch.dependsOn)
        }
        let responses = zip(batch.ids, results).map(Self.json)
        try output.print(document: ["responses": .array(responses)])
        if let error = results.lazy.compactMap(Self.batchFailure).first {
          do throws(CommandError) {
            try await session.translating { () async throws(GraphError) -> Void in throw error }
          } catch {
            throw Output.reported(error)
          }
        }
      }
      let failed = results.count { $0.refusal != nil }
      guard failed > 0 else { return }
      throw CommandError(
        "requestsFailed",
        Sentence.plural(
          "{count} request of the batch failed.", "{count} requests of the batch failed.",
          count: failed),
        // The JSON has it for each request.
        isReported: common.json)
    }

    /// The error of the batch that a request was to be sent with; nil when the request has a result.
    private static func batchFailure(_ result: Result<GraphResponse, GraphError>) -> GraphError? {
      if case .failure(let error) = result { error.cause as? GraphError } else { nil }
    }

    /// A response as Graph writes it.
    private static func json(_ id: String, _ result: Result<GraphResponse, GraphError>) -> JSON {
      var members = [JSON.Member("id", JSON(id))]
      let response: GraphResponse
      switch result {
      case .success(let success): response = success
      case .failure(let error):
        response = GraphResponse(
          status: error.status ?? 0, headerFields: error.headerFields, body: error.body)
        if let refusal = result.refusal, refusal.status == nil || refusal.body.isEmpty {
          members.append(JSON.Member("error", JSON(refusal.sentence)))
        }
      }
      members.append(JSON.Member("status", JSON(response.status)))
      if !response.headerFields.isEmpty {
        members.append(JSON.Member("headers", response.fields))
      }
      if let json = try? response.json() {
        members.append(JSON.Member("body", json))
      } else if !response.body.isEmpty {
        members.append(JSON.Member("body", JSON(response.body.base64EncodedString())))
      }
      return .object(members)
    }
  }

  /// The requests of a file.
  private struct Batch {
    var ids: [String] = []
    var requests: [GraphRequest] = []
    var dependsOn: [Int: [Int]] = [:]
    private let file: String

    init(_ json: JSON, file: String) throws(CommandError) {
      self.file = file
      var indices: [String: Int] = [:]
      for part in json["requests"]?.array ?? json.array ?? [] {
        let place = "\(ids.count + 1)"
        let id = try value("id", of: part, id: place, \.string) ?? place
        guard indices[id] == nil else {
          throw error(Sentence("Two requests have the ID “{id}”.", ["id": id]))
        }
        requests.append(try request(part, id: id))
        for earlier in try value("dependsOn", of: part, id: id, \.array) ?? [] {
          guard let index = earlier.string.flatMap({ indices[$0] }) else {
            throw error(
              Sentence(
                "Request “{id}” depends on one that is not before it.", ["id": id]))
          }
          dependsOn[ids.count, default: []].append(index)
        }
        indices[id] = ids.count
        ids.append(id)
      }
      guard !requests.isEmpty else {
        throw error(Sentence("The file contains no requests."))
      }
    }

    private func request(_ part: JSON, id: String) throws(CommandError) -> GraphRequest {
      let body = part["body"].flatMap { $0 == .null ? nil : $0 }
      // Without one, as 'graph request' does.
      let usual = body == nil ? "GET" : "POST"
      let name = try value("method", of: part, id: id, \.string) ?? usual
      guard let url = part["url"]?.string, !url.isEmpty, let method = GraphMethod.named(name) else {
        throw error(Sentence("Request “{id}” has no URL, or no valid method.", ["id": id]))
      }
      var request = GraphRequest(method, GraphPath(url))
      let fields = try value("headers", of: part, id: id, \.object) ?? []
      if let body {
        let isJSON =
          fields.first { $0.name.lowercased() == "content-type" }?
          .value.string?.contains("json") ?? true
        if isJSON {
          request.body = .json(body)
        } else if let body = body.string.flatMap(GraphBody.init(batchText:)) {
          request.body = body
        } else {
          throw error(Sentence("The body of request “{id}” is not base64.", ["id": id]))
        }
      }
      guard fields.count <= HTTPFields.limit else { throw CommandError(.tooManyFields) }
      for member in fields {
        guard let text = member.value.string else { throw wrongType(member.name, id: id) }
        switch HTTPField.validated("\(member.name): \(text)") {
        case .success(let field): request.headerFields[field.name] = field.value
        case .failure(let refusal): throw error(refusal.reason)
        }
      }
      return request
    }

    /// The value of a member of a request; nil when there is none, or null.
    ///
    /// - Throws: when it is of another type: without it, the request would be another one.
    private func value<Value>(
      _ name: String, of part: JSON, id: String, _ type: KeyPath<JSON, Value?>
    ) throws(CommandError) -> Value? {
      guard let member = part[name], member != .null else { return nil }
      guard let value = member[keyPath: type] else { throw wrongType(name, id: id) }
      return value
    }

    private func wrongType(_ name: String, id: String) -> CommandError {
      error(Sentence("“{name}” of request “{id}” has the wrong type.", ["name": name, "id": id]))
    }

    private func error(_ reason: Sentence) -> CommandError {
      CommandError(
        usage: Sentence([
          Sentence("The batch in “{path}” cannot be sent.", ["path": Input.name(of: file)]), reason,
        ]))
    }
  }
}

extension Result<GraphResponse, GraphError> {
  /// Why the request failed; nil also for content that is elsewhere (302) or unchanged (304), which
  /// is all that a batch can say about it.
  fileprivate var refusal: GraphError? {
    guard case .failure(let error) = self, error.status.map({ $0 >= 400 }) ?? true else {
      return nil
    }
    return error
  }
}

extension JSON {
  /// Reads a JSON document that an argument names.
  fileprivate init(reading file: String) throws(CommandError) {
    let data = try Input.text(file)
    do throws(JSONError) {
      self = try JSON(parsing: data)
    } catch {
      var failure = CommandError(
        usage: Sentence(
          "There is an error in {path}: {error}.",
          ["path": Input.name(of: file), "error": error.reason]),
        nextStep: Sentence("Correct the file and try again."))
      failure.add("line", error.line)
      throw failure
    }
  }
}
