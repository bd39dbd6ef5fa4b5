import ArgumentParser
import AuthCore
import Connections
import CurlHTTP
import FoundationEssentials
import HTTPFiles
import HTTPTypes
import Localization
import MicrosoftGraph
import Sentences

extension HTTP {
  /// Sends a request that is kept in a file.
  struct Send: SessionCommand {
    static let configuration = CommandConfiguration(
      commandName: "send",
      abstract: tr("Send a request of an .http file. The word 'send' can be left out."),
      discussion: paragraphs(
        Sentence(
          "The file is one that editors read, too: Visual Studio Code’s REST Client, JetBrains’"
            + " HTTP client, and Visual Studio. For the header field Authorization, write"
            + " 'Bearer {token}': the account’s token is sent in its place, and only to the host of"
            + " the app’s API.",
          ["token": "{{$aadV2Token}}"]),
        Sentence(
          "Variables have the values of --variable, or those in the file. {dotenv} is a variable of"
            + " the file .env beside it, and {environment} one of the environment.",
          ["dotenv": "{{$dotenv NAME}}", "environment": "{{$processEnv NAME}}"]),
        Sentence(
          "Values of the environment, of .env, and of files that the file names are sent to the"
            + " app’s API, to Microsoft Graph, and to this computer. For another host, you are asked"
            + " first, or name it with --allow-host.")))

    @OptionGroup var options: SessionOptions
    @OptionGroup var form: ResponseOptions

    @Option(
      name: .customLong("allow-host"), parsing: .singleValue,
      help: ArgumentHelp(
        tr(
          "Send values of the environment, .env, and files to this host, too. Can be repeated."),
        valueName: tr("host")))
    var allowedHosts: [String] = []

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
      for host in allowedHosts { try ValidationError.refuseEmpty(host, of: "--allow-host") }
      if common.json, let option = form.noJSON { throw ValidationError.together("--json", option) }
    }

    func perform() async throws(CommandError) {
      try form.checkPlace()
      let requests = try RequestFileArgument(file)
      let request = try requests.request(name)
      let given = Dictionary(variables.map { ($0.name, $0.value) }) { $1 }
      let resolved: HTTPFile.ResolvedRequest
      do throws(HTTPFile.Remark) {
        resolved = try requests.file.resolve(
          request, requests.values(given), directory: requests.directory,
          opensLargeFile: request.content.method != "GET")
      } catch {
        var failure = refusal(error.line, error.reason)
        failure.nextStep = error.variable.map { name in
          Sentence("Or set it with '--variable {name}=VALUE'.", ["name": name.asArgument])
        }
        throw failure
      }
      requests.say(requests.file.notes + resolved.notes)
      let written = WrittenRequest(request, in: requests, given, sending: resolved)
      let graphRequest = try self.request(resolved, written)
      let session = try await session(for: resolved, graphRequest, written)
      let content = resolved.largeFile.map {
        GraphContent.file(
          $0.file, at: $0.name,
          contentType: graphRequest.headerFields[.contentType] ?? "application/json")
      }
      try await ResponsePrinter(form: form, output: output).send(
        graphRequest, content: content, session)
    }

    /// The request that is sent.
    private func request(
      _ resolved: HTTPFile.ResolvedRequest, _ written: WrittenRequest
    ) throws(CommandError) -> GraphRequest {
      let line = written.line
      guard let method = GraphMethod.named(resolved.method) else {
        throw refusal(line, Sentence("Only GET, POST, PUT, PATCH, and DELETE can be sent."))
      }
      guard method == .get || !form.needsGet else {
        throw CommandError(usage: ResponseOptions.onlyGet)
      }
      guard resolved.url.prefix(8).lowercased() == "https://" else {
        throw refusal(line, written.notHTTPS)
      }
      guard !RequestFileArgument.host(of: resolved.url).isEmpty else {
        throw refusal(line, written.noHost)
      }
      var request = GraphRequest(method, GraphPath(resolved.url))
      if !resolved.body.isEmpty {
        request.body = GraphBody(Data(resolved.body), contentType: "application/json")
      }
      var names: Set<HTTPField.Name> = []
      guard resolved.fields.count <= HTTPFields.limit else { throw CommandError(.tooManyFields) }
      for field in resolved.fields {
        guard let name = HTTPField.Name(field.name) else {
          // Without the value, which can be a secret.
          throw refusal(line, HTTPField.Refusal.notAField(field.name).reason)
        }
        switch HTTPField.validated(name, field.value) {
        case .success(let given):
          if names.insert(given.name).inserted { request.headerFields[given.name] = nil }
          request.headerFields.append(given)
        case .failure(.isSetHere):
          Output.warn(
            Sentence(
              "The header field “{name}” of the file is not sent: entrancectl sets it.",
              ["name": "\(name)"]))
        case .failure(let failure): throw refusal(line, failure.reason)
        }
      }
      return request
    }

    /// The session that sends it: with a token only if the file wants one, and to the API's host.
    private func session(
      for resolved: HTTPFile.ResolvedRequest, _ request: GraphRequest, _ written: WrittenRequest
    ) async throws(CommandError) -> GraphSession {
      if options.cassette.replay != nil { return try await GraphSession(options) }
      let context = try options.context()
      let api = try await GraphSession.api(of: context).host
      let other: GraphSession
      do throws(CommandError) {
        other = try await GraphSession(context, withoutTokenAt: request.path.description)
      } catch {
        // Its words have the address.
        throw resolved.sources.isEmpty ? error : refusal(written.line, written.notHTTPS)
      }
      let isAPI = other.client.host == api
      if !isAPI { try check(resolved.sources, for: other.client.host, written, context) }
      // Without an API, it says so.
      if resolved.usesToken, isAPI || api.isEmpty {
        return try await GraphSession(
          context, options.choice.account, options.scope.choice(or: resolved.scopes))
      }
      if resolved.usesToken {
        Output.warn(
          Sentence(
            "The token is not sent to “{other}”, because it is only for “{host}”.",
            ["other": other.client.host, "host": api]))
      } else if isAPI {
        Output.warn(
          Sentence(
            "No token is sent, because the request has no header field"
              + " 'Authorization: Bearer {token}'.", ["token": "{{$aadV2Token}}"]))
      }
      return other
    }

    /// Sees whether a host may get what the file takes from this computer: a file can be another
    /// person's.
    private func check(
      _ sources: [HTTPRequestSource], for host: String, _ written: WrittenRequest,
      _ context: CommandContext
    ) throws(CommandError) {
      let cloud = context.connection.application.authority.environment
      let graph = GraphCloud.all.first { $0.signInHosts.contains(cloud) }?.host
      guard !sources.isEmpty, host != graph, !Self.isThisComputer(host),
        !allowedHosts.contains(where: { $0.lowercased() == host })
      else { return }
      let names = sources.map(\.name).joined(separator: ", ")
      // The name of the host, which everyone on the way would learn, is itself what is refused.
      guard !written.hidesHost else { throw Self.refusal(of: written.url, names, .usage) }
      let question = Sentence(
        "The file would send values of this computer to {host}: {names}. Send them?",
        ["host": host, "names": names])
      if try context.prompt.agrees(to: question) { return }
      var error = Self.refusal(of: host, names, options.input.noInput ? .inputRequired : .usage)
      error.nextStep = Sentence(
        "If you trust the file and the host, add '--allow-host {host}'.",
        ["host": host.asArgument])
      throw error
    }

    private static func refusal(
      of host: String, _ names: String, _ status: ExitStatus
    ) -> CommandError {
      CommandError(
        "hostNotAllowed",
        Sentence(
          "The request was not sent. The file would send values of this computer to {host}:"
            + " {names}.",
          ["host": host, "names": names]),
        exitStatus: status)
    }

    /// Whether a host, which can have a port, is this computer.
    private static func isThisComputer(_ host: String) -> Bool {
      ["localhost", "127.0.0.1", "[::1]"].contains { host == $0 || host.hasPrefix("\($0):") }
    }

    private func refusal(_ line: Int, _ reason: Sentence) -> CommandError {
      RequestFileArgument.error(in: file, line, reason)
    }

    private static func variable(_ text: String) throws -> Variable {
      guard let (name, value) = text.assignment else {
        throw ValidationError(
          Sentence("“{text}” is not a variable. Write it as 'name=value'.", ["text": text]))
      }
      return Variable(name: name, value: value)
    }
  }
}

/// A request as the file has it, for messages: an address can have a value that nobody is to see.
private struct WrittenRequest {
  let line: Int
  /// The address with its variables.
  private let text: String
  /// The address, without the values of this computer.
  let url: String
  /// Whether the host has a value of this computer.
  let hidesHost: Bool

  init(
    _ request: HTTPFile.Request, in file: RequestFileArgument, _ given: [String: String],
    sending resolved: HTTPFile.ResolvedRequest
  ) {
    line = request.line
    let content = request.content
    text = content.url
    let host =
      content.url.hasPrefix("/")
      ? content.fields.first { $0.name.lowercased() == "host" }?.value ?? "" : ""
    url = resolved.sources.isEmpty ? resolved.url : host + content.url
    // Without the values of this computer, the same host is another one then.
    let values = HTTPFile.Values(given: given, hasPlaceholders: true)
    let other = try? file.file.resolve(request, values, directory: nil)
    hidesHost =
      !resolved.sources.isEmpty
      && other.map { RequestFileArgument.host(of: $0.url) }
        != RequestFileArgument.host(of: resolved.url)
  }

  /// Why the address cannot be used.
  var notHTTPS: Sentence {
    Sentence("“{url}” cannot be requested: write it with https.", ["url": url])
  }

  /// Why the address cannot be used: a variable in it may be empty.
  var noHost: Sentence { Sentence("The address “{url}” has no host.", ["url": text]) }
}

extension HTTPRequestSource {
  /// How a file names it.
  fileprivate var name: String {
    switch self {
    case .environment(let name): "{{$processEnv \(name)}}"
    case .dotEnv(let name): "{{$dotenv \(name)}}"
    case .file(let path): "< \(path)"
    }
  }
}
