import ArgumentParser
import AuthCore
import Clients
import Connections
import CurlHTTP
import FoundationEssentials
import Glibc
import HTTPTypes
import Localization
import MicrosoftGraph
import Sentences

struct Graph: EntranceCommand {
  static let configuration = CommandConfiguration(
    abstract: tr("Call Microsoft Graph, or the connection's own API."),
    discussion: paragraphs(
      Sentence(
        "A path such as /me is appended to the address of the API and its version; /beta/me selects"
          + " another version. The token is sent only to the host of the connection's API."),
      Sentence(
        "The body of the response is printed, with each JSON member on its own line. With --json,"
          + " it is part of one document with the status and the media type.")))

  @OptionGroup var common: CommonOptions
  @OptionGroup var choice: AccountOptions
  @OptionGroup var scope: ScopeOptions
  @Option(
    name: [.customShort("X"), .long],
    help: ArgumentHelp(tr("GET, POST, PUT, PATCH or DELETE."), valueName: tr("method")),
    completion: .list(Graph.methods.map(\.rawValue)), transform: Graph.method)
  var method: HTTPRequest.Method = .get

  @Option(
    name: [.customShort("H"), .customLong("header")], parsing: .singleValue,
    help: ArgumentHelp(
      tr("Send this header field, 'Name: value'. Can be repeated."), valueName: tr("field")),
    transform: Graph.field)
  var fields: [HTTPField] = []

  @Option(
    name: [.customShort("d"), .long],
    help: ArgumentHelp(
      tr("Send this text, the file named after an @, or standard input with @-."),
      valueName: tr("body")))
  var body: String?

  @Argument(
    help: ArgumentHelp(tr("What to request: a path or a complete URL."), valueName: tr("path")))
  var path: String

  func validate() throws {
    // A path can contain "://" further back.
    let scheme = path.firstRange(of: "://").map { path[..<$0.lowerBound] } ?? ""
    let isScheme = scheme.utf8.allSatisfy { byte in
      UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte | 0x20 || "0123456789+-.".utf8.contains(byte)
    }
    guard scheme.isEmpty || !isScheme || scheme.lowercased() == "https" else {
      throw ValidationError(
        Sentence(
          "'{url}' cannot be requested: tokens are sent with https only.", ["url": path]))
    }
  }

  func perform() async throws(CommandError) {
    let context = try CommandContext(common)
    let url = Self.url(path, api: context.connection.api)
    let body = try body.map(Self.contents) ?? Data()
    let account = try await context.account(choice.account)
    let token = try await context.token(for: account, scopes: scope.scopes)
    var headers = HTTPFields(fields)
    if !body.isEmpty, headers[.contentType] == nil { headers[.contentType] = "application/json" }
    let response: GraphResponse
    do throws(GraphError) {
      response = try await context.client.graph().send(
        method, url, headers: headers, body: body, authorization: token.authorizationHeader)
    } catch {
      throw CommandError(error)
    }
    try print(response)
    try context.checkSaved(token)
  }

  private func print(_ response: GraphResponse) throws(CommandError) {
    let json = response.contentType.contains("json") ? try? response.json() : nil
    guard common.json else { return try printBody(response.body, json) }
    try output.print(
      [],
      [
        ("status", .number("\(response.status)")),
        ("contentType", .string(response.contentType)),
        Self.member(response.body, json),
      ])
  }

  /// Prints a body, which `json` is if it is JSON.
  private func printBody(_ body: Data, _ json: JSON?) throws(CommandError) {
    if let json { return try output.print(raw: (json.prettyText + "\n").utf8) }
    guard isatty(STDOUT_FILENO) != 0 else { return try output.print(raw: body) }
    guard let text = String(validating: body, as: UTF8.self) else {
      throw CommandError(
        "isTerminal", Sentence("The response is not text, so it is not shown on the terminal."),
        nextStep: Sentence("Write it to a file: 'entrancectl graph … > FILE'."))
    }
    let lines = text.split(whereSeparator: \.isNewline)
    try output.print(lines.map { Line(Sentence(verbatim: String($0))) }, [])
  }

  /// The member of the output that has a body.
  private static func member(_ body: Data, _ json: JSON?) -> (name: String, value: JSON) {
    if body.isEmpty { return ("body", .null) }
    if let json { return ("body", json) }
    if let text = String(validating: body, as: UTF8.self) { return ("body", .string(text)) }
    return ("bodyBase64", .string(body.base64EncodedString()))
  }

  /// The whole URL of `path`, for a connection whose API is at `api`.
  ///
  /// What cannot stand in a URL is escaped; nothing else is changed.
  private static func url(_ path: String, api: String) -> String {
    let escaped = path.unicodeScalars.map { scalar in
      (0x21...0x7e).contains(scalar.value)
        ? String(scalar) : FormEncoding.percentEncoded(String(scalar))
    }.joined()
    guard !escaped.lowercased().hasPrefix("https://") else { return escaped }
    let host = api.dropFirst("https://".count).prefix { !"/?#".contains($0) }
    let rest = escaped.drop { $0 == "/" }
    let versions = ["v1.0", "beta"]
    let first = rest.prefix { !"/?".contains($0) }
    let apiVersion = api.dropFirst("https://".count + host.count).split(separator: "/").first
    let version = apiVersion.flatMap { versions.contains(String($0)) ? "\($0)/" : nil }
    let isVersioned = versions.contains(String(first))
    return "https://\(host)/\(isVersioned ? "" : version ?? "")\(rest)"
  }

  /// The body that the option means.
  private static func contents(_ text: String) throws(CommandError) -> Data {
    guard text.hasPrefix("@") else { return Data(text.utf8) }
    return try Input.read(String(text.dropFirst()), of: "--body")
  }

  private static let methods: [HTTPRequest.Method] = [.get, .post, .put, .patch, .delete]

  private static func method(_ name: String) throws -> HTTPRequest.Method {
    guard let method = methods.first(where: { $0.rawValue == name.uppercased() }) else {
      throw ValidationError(
        Sentence(
          "'{name}' is not a valid method. Use {names}.",
          ["name": name, "names": methods.map(\.rawValue).joined(separator: ", ")]))
    }
    return method
  }

  private static func field(_ text: String) throws -> HTTPField {
    let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2, let name = HTTPField.Name(String(parts[0])) else {
      throw ValidationError(
        Sentence(
          "'{text}' is not a valid header field. Write it as 'Name: value'.", ["text": text]))
    }
    guard !name.isTransports, !GraphClient.sets(name) else {
      throw ValidationError(
        Sentence(
          "The header field '{name}' is set by entrancectl and cannot be given.",
          ["name": "\(name)"]))
    }
    let value = String(parts[1].drop { $0 == " " })
    guard HTTPField.isValidValue(value) else {
      throw ValidationError(
        Sentence(
          "The header field '{name}' contains invalid characters.", ["name": "\(name)"]))
    }
    return HTTPField(name: name, value: value)
  }
}
