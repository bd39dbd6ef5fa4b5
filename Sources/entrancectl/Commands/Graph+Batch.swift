import ArgumentParser
import AuthCore
import CurlHTTP
import FoundationEssentials
import HTTPTypes
import Localization
import MicrosoftGraph
import Sentences

extension Graph {
  struct SendBatch: ClientCommand {
    static let configuration = CommandConfiguration(
      commandName: "batch", abstract: tr("Send the requests of a file, up to 20 at a time."),
      discussion: tr(
        "The file is a JSON batch as Graph takes it: requests, each with id, method and url, and"
          + " optionally headers, body and dependsOn. There can be more than 20; those that are"
          + " throttled are sent again. The responses are printed in the same order. The exit"
          + " status is 1 when one of the requests failed."))

    @OptionGroup var common: CommonOptions
    @OptionGroup var choice: AccountOptions
    @OptionGroup var scope: ScopeOptions
    @OptionGroup var cassette: CassetteOptions
    @Argument(
      help: ArgumentHelp(tr("The file, or - for standard input."), valueName: tr("file")),
      completion: .file())
    var file: String

    func perform() async throws(CommandError) {
      let batch = try Batch(JSON(reading: file), file: file)
      let session = try await GraphSession(common, choice, scope, cassette)
      let results = try await session.translating { () async throws(GraphError) in
        try await session.client.batch(batch.requests, dependsOn: batch.dependsOn)
      }
      let responses = zip(batch.ids, results).map(Self.json)
      let document = Output.object([("responses", .array(responses))])
      try output.print(raw: (document.prettyText + "\n").utf8)
      try session.checkSaved()
      let failed = results.count { if case .failure = $0 { true } else { false } }
      guard failed > 0 else { return }
      var error = CommandError(
        "requestsFailed",
        Sentence.plural(
          "{count} request of the batch failed.", "{count} requests of the batch failed.",
          count: failed))
      // The JSON has it for each request.
      error.isReported = common.json
      throw error
    }

    /// A response as Graph writes it.
    private static func json(_ id: String, _ result: Result<GraphResponse, GraphError>) -> JSON {
      var members: [(name: String, value: JSON)] = [("id", .string(id))]
      let response: GraphResponse
      switch result {
      case .success(let success): response = success
      case .failure(let error):
        response = GraphResponse(
          status: error.status ?? 0, headerFields: error.headerFields, body: error.body)
        if error.status == nil || error.body.isEmpty {
          members.append(("error", .string("\(error.sentence)")))
        }
      }
      members.append(("status", .number("\(response.status)")))
      if !response.headerFields.isEmpty {
        members.append(("headers", Output.object(of: response)))
      }
      if let json = try? response.json() {
        members.append(("body", json))
      } else if !response.body.isEmpty {
        members.append(("body", .string(response.body.base64EncodedString())))
      }
      return Output.object(members)
    }
  }

  /// The requests of a file.
  private struct Batch {
    var ids: [String] = []
    var requests: [GraphRequest] = []
    var dependsOn: [Int: [Int]] = [:]

    init(_ json: JSON, file: String) throws(CommandError) {
      var indices: [String: Int] = [:]
      for part in json["requests"]?.array ?? json.array ?? [] {
        let id = part["id"]?.string ?? "\(ids.count + 1)"
        guard indices[id] == nil else {
          throw Self.error(
            file, Sentence("Two requests have the ID '{id}'.", ["id": id]))
        }
        requests.append(try Self.request(part, id: id, file: file))
        for earlier in part["dependsOn"]?.array ?? [] {
          guard let index = earlier.string.flatMap({ indices[$0] }) else {
            throw Self.error(
              file,
              Sentence(
                "Request '{id}' depends on one that is not before it.", ["id": id]))
          }
          dependsOn[ids.count, default: []].append(index)
        }
        indices[id] = ids.count
        ids.append(id)
      }
      guard !requests.isEmpty else {
        throw Self.error(file, Sentence("The file contains no requests."))
      }
    }

    private static func request(
      _ part: JSON, id: String, file: String
    ) throws(CommandError) -> GraphRequest {
      guard let url = part["url"]?.string,
        let method = GraphMethod.named(part["method"]?.string ?? "GET")
      else {
        throw error(
          file, Sentence("Request '{id}' has no URL, or no valid method.", ["id": id]))
      }
      var request = GraphRequest(method, GraphPath(stringLiteral: url))
      let fields = part["headers"]?.object ?? []
      if let body = part["body"] {
        // What is not JSON is base64.
        let isJSON =
          fields.first { $0.name.lowercased() == "content-type" }?
          .value.string?.contains("json") ?? true
        if isJSON {
          request.body = .json(body)
        } else if let data = body.string.flatMap({ Data(base64Encoded: $0) }) {
          request.body = GraphBody(data)
        } else {
          throw error(
            file, Sentence("The body of request '{id}' is not base64.", ["id": id]))
        }
      }
      guard fields.count <= HTTPFields.limit else { throw CommandError(.tooManyFields) }
      for member in fields {
        switch HTTPField.given("\(member.name): \(member.value.string ?? "")") {
        case .success(let field): request.headerFields[field.name] = field.value
        case .failure(let refusal): throw error(file, refusal.reason)
        }
      }
      return request
    }

    private static func error(_ file: String, _ reason: Sentence) -> CommandError {
      CommandError(
        "usage",
        Sentence([Sentence("The batch in '{path}' cannot be sent.", ["path": file]), reason]),
        exitStatus: .usage)
    }
  }
}

extension JSON {
  /// Reads a JSON document that an argument names.
  fileprivate init(reading file: String) throws(CommandError) {
    let data = try Input.read(file, of: "file")
    do throws(JSONError) {
      self = try JSON(parsing: data)
    } catch {
      var failure = CommandError(
        "usage",
        Sentence(
          "There is an error in {path}: {error}.", ["path": file, "error": error.reason]),
        nextStep: Sentence("Correct the file and try again."), exitStatus: .usage)
      failure.details.append(("line", .number("\(error.line)")))
      throw failure
    }
  }
}
