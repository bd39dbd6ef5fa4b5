import ArgumentParser
import AuthCore
import CurlHTTP
import FoundationEssentials
import HTTPFiles
import HTTPTypes
import Localization
import MicrosoftGraph
import Sentences

extension HTTP {
  /// Sends a request that is kept in a file.
  struct Send: ClientCommand {
    static let configuration = CommandConfiguration(
      commandName: "send",
      abstract: tr("Send a request of an .http file. The word 'send' can be left out."),
      discussion: paragraphs(
        Sentence(
          "The file is one that editors read, too: Visual Studio Code's REST Client, JetBrains' HTTP"
            + " client and Visual Studio. For the header field Authorization, write"
            + " 'Bearer {token}': the account's token is sent in its place, and only to the host of"
            + " the app's API.",
          ["token": "{{$aadV2Token}}"]),
        Sentence(
          "Variables have the values of --variable, or those in the file. {dotenv} is a variable of"
            + " the file .env beside it, and {environment} one of the environment.",
          ["dotenv": "{{$dotenv NAME}}", "environment": "{{$processEnv NAME}}"])))

    @OptionGroup var common: CommonOptions
    @OptionGroup var choice: AccountOptions
    @OptionGroup var scope: ScopeOptions
    @OptionGroup var cassette: CassetteOptions
    @OptionGroup var form: ResponseOptions

    @Option(
      name: .customLong("variable"), parsing: .singleValue,
      help: ArgumentHelp(
        tr("Set this variable, 'name=value'. Can be repeated."), valueName: tr("variable")),
      transform: Send.variable)
    var variables: [Variable] = []

    @Argument(
      help: ArgumentHelp(tr("The file, or - for standard input."), valueName: tr("file")),
      completion: .file())
    var file: String

    @Argument(
      help: ArgumentHelp(
        tr("The request, by its name or number; not needed if it is the only one."),
        valueName: tr("name")))
    var name: String?

    /// A variable with its value.
    struct Variable {
      var name: String
      var value: String
    }

    func validate() throws {
      if common.json, let option = form.noJSON { throw ValidationError.together("--json", option) }
    }

    func perform() async throws(CommandError) {
      let requests = try RequestFile(file)
      let request = try requests.request(name)
      let given = Dictionary(variables.map { ($0.name, $0.value) }) { $1 }
      let resolved: HTTPFile.ResolvedRequest
      do throws(HTTPFile.Remark) {
        resolved = try requests.file.resolve(
          request, requests.values(given), directory: requests.directory)
      } catch {
        throw RequestFile.error(error, in: file)
      }
      requests.say(requests.file.notes + resolved.notes)
      let graphRequest = try self.request(resolved, line: request.line)
      let session = try await session(for: resolved, graphRequest)
      try await ResponsePrinter(form: form, output: output).send(graphRequest, session)
    }

    /// The request that is sent.
    private func request(
      _ resolved: HTTPFile.ResolvedRequest, line: Int
    ) throws(CommandError) -> GraphRequest {
      guard let method = GraphMethod.named(resolved.method) else {
        throw refusal(Sentence("Only GET, POST, PUT, PATCH and DELETE can be sent."), line)
      }
      guard method == .get || !form.needsGet else {
        throw CommandError("usage", ResponseOptions.onlyGet, exitStatus: .usage)
      }
      guard resolved.url.prefix(8).lowercased() == "https://" else {
        throw refusal(
          Sentence("'{url}' cannot be requested: write it with https.", ["url": resolved.url]), line
        )
      }
      var request = GraphRequest(method, GraphPath(stringLiteral: resolved.url))
      if !resolved.body.isEmpty {
        request.body = GraphBody(Data(resolved.body), contentType: "application/json")
      }
      var names: Set<HTTPField.Name> = []
      guard resolved.fields.count <= HTTPFields.limit else { throw CommandError(.tooManyFields) }
      for field in resolved.fields {
        let name = HTTPField.Name(field.name)
        if let name, name.isSetHere {
          Output(isJSON: false).warn(
            Sentence(
              "The header field '{name}' of the file is not sent: entrancectl sets it.",
              ["name": "\(name)"]))
          continue
        }
        switch HTTPField.given("\(field.name): \(field.value)") {
        case .success(let given):
          if names.insert(given.name).inserted { request.headerFields[given.name] = nil }
          request.headerFields.append(given)
        case .failure(let failure): throw refusal(failure.reason, line)
        }
      }
      return request
    }

    /// The session that sends it: with a token only if the file wants one, and to the API's host.
    private func session(
      for resolved: HTTPFile.ResolvedRequest, _ request: GraphRequest
    ) async throws(CommandError) -> GraphSession {
      if cassette.replay != nil { return try await GraphSession(common, choice, scope, cassette) }
      let context = try CommandContext(common, recording: cassette.record)
      let api = try GraphSession.api(of: context).host
      let other = try GraphSession(context, withoutTokenAt: request.path.description)
      let isAPI = other.client.host == api
      if resolved.usesToken, isAPI {
        var scope = scope
        if scope.scopes.isEmpty { scope.scopes = resolved.scopes }
        return try await GraphSession(context, choice, scope)
      }
      if resolved.usesToken {
        Output(isJSON: false).warn(
          Sentence(
            "The token is not sent to '{other}', because it is only for '{host}'.",
            ["other": other.client.host, "host": api]))
      } else if isAPI {
        Output(isJSON: false).warn(
          Sentence(
            "No token is sent, because the request has no header field"
              + " 'Authorization: Bearer {token}'.", ["token": "{{$aadV2Token}}"]))
      }
      return other
    }

    private func refusal(_ reason: Sentence, _ line: Int) -> CommandError {
      var error = CommandError(
        "usage",
        Sentence([
          Sentence("The request in '{path}' cannot be used.", ["path": file]), reason,
        ]), exitStatus: .usage)
      error.details.append(("line", .number("\(line)")))
      return error
    }

    private static func variable(_ text: String) throws -> Variable {
      let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard parts.count == 2, !parts[0].isEmpty else {
        throw ValidationError(
          Sentence("'{text}' is not a variable. Write it as 'name=value'.", ["text": text]))
      }
      return Variable(name: String(parts[0]), value: String(parts[1]))
    }
  }
}
