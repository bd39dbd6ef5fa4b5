import ArgumentParser
import CurlHTTP
import EntranceKit
import FoundationEssentials
import Glibc
import HTTPTypes
import Localization
import MicrosoftGraph
import Sentences

struct Graph: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "graph",
    abstract: tr("Call Microsoft Graph, or the app’s own API."),
    discussion: paragraphs(
      Sentence(
        "To send a request, specify its path: 'entrancectl graph /me'. Its options are those of"
          + " 'entrancectl graph request'."),
      Sentence(
        "A path such as /me is appended to the address of the API and its version; /beta/me selects"
          + " another version. The token is sent only to the host of the app’s API.")),
    subcommands: [SendRequest.self, Upload.self, SendBatch.self, Delta.self, Explain.self],
    defaultSubcommand: SendRequest.self)
}

extension Graph {
  struct SendRequest: SessionCommand {
    static let configuration = CommandConfiguration(
      commandName: "request", abstract: tr("Send a request. The word 'request' can be left out."),
      discussion: tr(
        "The body of the response is printed, with each JSON member on its own line. With --json,"
          + " it is part of one document with the status and the media type."))

    @OptionGroup var options: SessionOptions
    @OptionGroup var form: ResponseOptions
    @Option(
      name: [.customShort("X"), .customLong("method")],
      help: ArgumentHelp(
        tr("GET, POST, PUT, PATCH, or DELETE. The default is GET, and POST with --body."),
        valueName: tr("method")),
      completion: .list(GraphMethod.all.map(\.rawValue)), transform: SendRequest.method)
    var chosenMethod: HTTPRequest.Method?

    @Option(
      name: [.customShort("H"), .customLong("header")], parsing: .singleValue,
      help: ArgumentHelp(
        tr("Send this header field, 'Name: value'. Can be repeated."), valueName: tr("field")),
      transform: SendRequest.field)
    var fields: [HTTPField] = []

    @Option(
      parsing: .singleValue,
      help: ArgumentHelp(
        tr("Add this query option, 'name=value'; the value is encoded. Can be repeated."),
        valueName: tr("option")),
      transform: SendRequest.option)
    var query: [GraphQueryOption] = []

    @Option(
      name: [.customShort("d"), .long],
      help: ArgumentHelp(
        tr("Send this text, the file named after an @, or standard input with @-."),
        valueName: tr("body")))
    var body: String?

    @Argument(
      help: ArgumentHelp(tr("What to request: a path or a complete URL."), valueName: tr("path")),
      completion: .graphPath)
    var path: String

    /// What is sent: a body is there to change something, as with curl.
    private var method: HTTPRequest.Method { chosenMethod ?? (body == nil ? .get : .post) }

    func validate() throws {
      try ValidationError.refuseUnusable(path)
      if common.json, let option = form.noJSON { throw ValidationError.together("--json", option) }
      guard method == .get || !form.needsGet else {
        throw ValidationError(ResponseOptions.onlyGet)
      }
    }

    func perform() async throws(CommandError) {
      try form.checkPlace()
      let file = largeFile
      let body = try file == nil ? body.map(contents) ?? Data() : Data()
      let session = try await GraphSession(options)
      var request = GraphRequest(method, GraphPath(path))
      request.query = query
      if !body.isEmpty { request.body = GraphBody(body, contentType: "application/json") }
      guard fields.count <= HTTPFields.limit else { throw CommandError(.tooManyFields) }
      for name in Set(fields.map(\.name)) {
        request.headerFields[fields: name] = fields.filter { $0.name == name }
      }
      let type = request.headerFields[.contentType] ?? "application/json"
      try await ResponsePrinter(form: form, output: output).send(
        request, content: file.map { .file($0, contentType: type) }, session)
    }

    /// The file to send, if it is so large that it is read while it is sent; nil for another body.
    private var largeFile: String? {
      guard method != .get, let body, body.hasPrefix("@") else { return nil }
      let path = String(body.dropFirst())
      var status = stat()
      guard path != "-", stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
        status.st_size > FileReader.Limit.body
      else { return nil }
      return path
    }

    /// The body that the option means.
    private func contents(_ text: String) throws(CommandError) -> Data {
      guard text.hasPrefix("@") else { return Data(text.utf8) }
      let contents = try Input.read(String(text.dropFirst()), of: "--body")
      return isJSON ? Data(MarkedText.utf8(Array(contents))) : contents
    }

    /// Whether the body is JSON, which is always sent in UTF-8, without a mark (RFC 8259, section 8.1).
    ///
    /// PUT stores a file, whose bytes are kept whatever they are.
    private var isJSON: Bool {
      let type = fields.first { $0.name == .contentType }?.value ?? "application/json"
      return method != .put && type.lowercased().contains("json")
    }

    private static func method(_ name: String) throws -> HTTPRequest.Method {
      guard let method = GraphMethod.named(name) else {
        throw ValidationError(GraphMethod.refusal(name))
      }
      return method
    }

    private static func field(_ text: String) throws -> HTTPField {
      switch HTTPField.validated(text) {
      case .success(let field): return field
      case .failure(let refusal): throw ValidationError(refusal.reason)
      }
    }

    private static func option(_ text: String) throws -> GraphQueryOption {
      guard let (name, value) = text.assignment else {
        throw ValidationError(
          Sentence(
            "“{text}” is not a valid query option. Write it as 'name=value'.", ["text": text]))
      }
      return GraphQueryOption(name, value)
    }
  }
}

/// In which form a response is wanted.
struct ResponseOptions: ParsableArguments {
  @Flag(
    name: [.customShort("i"), .long],
    help: ArgumentHelp(tr("Print the status and the header fields, too.")))
  var include = false

  @Option(
    name: [.customShort("o"), .customLong("output")],
    help: ArgumentHelp(
      tr(
        "Write the content to this file, or with - to standard output. A download that was"
          + " interrupted is continued."), valueName: tr("file")),
    completion: .file())
  var file: String?

  @Flag(help: ArgumentHelp(tr("Overwrite an existing file.")))
  var force = false

  @Flag(help: ArgumentHelp(tr("Request all pages, and print one document with all items.")))
  var all = false

  @Flag(help: ArgumentHelp(tr("Request all pages, and print each as its own document.")))
  var paginate = false

  @Option(
    help: ArgumentHelp(
      tr(
        "Print only what this JSONPath selects, such as '$.value[*].id': each text or value on a new"
          + " line."), valueName: tr("query")),
    transform: ResponseOptions.path)
  var jsonpath: JSONPath?

  @Flag(help: ArgumentHelp(tr("Print the items as a table.")))
  var table = false

  @Flag(help: ArgumentHelp(tr("Print the items as comma-separated values.")))
  var csv = false

  @Flag(help: ArgumentHelp(tr("Wait until what the service has accepted is done.")))
  var wait = false

  /// Whether all pages are wanted.
  var isWhole: Bool { all || paginate }
  var isTable: Bool { table || csv }
  var needsGet: Bool { file != nil || isWhole }
  /// The option that prints something other than one JSON document; nil for none.
  var noJSON: String? {
    [
      ("--table", table), ("--csv", csv), ("--paginate", paginate), ("--output -", file == "-"),
    ].first { $0.1 }?.0
  }

  private static func path(_ text: String) throws -> JSONPath {
    do throws(JSONPath.Failure) {
      return try JSONPath(text)
    } catch {
      throw ValidationError(
        Sentence(
          "“{text}” is not a valid JSONPath; see character {column}. {reason}",
          ["text": text, "column": error.column, "reason": error.reason]))
    }
  }

  /// Sees whether the file can be written, before anything is sent.
  func checkPlace() throws(CommandError) {
    if let file, file != "-" { try Output.checkPlace(file, force: force) }
  }

  /// Why a method other than GET cannot be used.
  static let onlyGet = Sentence("--output, --all, and --paginate are only for the method GET.")

  func validate() throws {
    try ValidationError.refuseEmpty(file, of: "--output")
    try ValidationError.refuseForce(force, without: file == "-" ? nil : file)
    if wait, needsGet {
      let option = file != nil ? "--output" : all ? "--all" : "--paginate"
      throw ValidationError.together("--wait", option)
    }
    if file != nil, jsonpath != nil { throw ValidationError.together("--output", "--jsonpath") }
    let chosen = [
      ("--include", include), ("--output", file != nil), ("--paginate", paginate),
      ("--table", table), ("--csv", csv),
    ].filter(\.1).map(\.0)
    guard chosen.count < 2 else { throw ValidationError.together(chosen[0], chosen[1]) }
    // A table can have the items of all pages.
    guard let other = chosen.first, all, !isTable else { return }
    throw ValidationError.together("--all", other)
  }
}

extension ValidationError {
  /// Refuses two options that contradict each other.
  static func together(_ one: String, _ other: String) -> ValidationError {
    ValidationError(
      Sentence("{option} and {other} cannot be used together.", ["option": one, "other": other]))
  }

  /// Refuses to overwrite what is no file: without one, `--force` has no effect.
  static func refuseForce(_ force: Bool, without path: String?) throws {
    if force, path == nil {
      throw ValidationError(Sentence("--force is for --output: specify the file."))
    }
  }

  /// Refuses an empty path, which a shell makes of a variable that is not set, and a complete URL without
  /// https.
  static func refuseUnusable(_ path: String) throws {
    guard !path.isEmpty else { throw ValidationError(Sentence("The path is empty.")) }
    // A path can contain "://" further back.
    let scheme = path.firstRange(of: "://").map { path[..<$0.lowerBound] } ?? ""
    let isScheme = scheme.utf8.allSatisfy { byte in
      byte.isAlphanumeric || "+-.".utf8.contains(byte)
    }
    guard scheme.isEmpty || !isScheme || scheme.lowercased() == "https" else {
      throw ValidationError(
        Sentence(
          "“{url}” cannot be requested: tokens are sent with https only.", ["url": path]))
    }
  }
}
