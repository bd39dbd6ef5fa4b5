import AuthCore
import Connections
import HTTPFiles
import HTTPTypes
import Localization
import MicrosoftGraph

/// A request as a text for another program, without its token.
public enum ExplorerSnippet: String, Sendable, CaseIterable {
  /// A command of curl; the token is in the variable `TOKEN`.
  case curl
  /// A command of entrancectl.
  case entrancectl
  /// A request of an `.http` file.
  case http
  /// A function in Swift.
  case swift

  /// What it is for, in words.
  public var label: String {
    switch self {
    case .curl: "curl"
    case .entrancectl: "entrancectl"
    case .http: ".http"
    case .swift: "Swift"
    }
  }

  /// The text of a request.
  struct Parts {
    var request: ExplorerRequest
    /// Where it is sent, encoded.
    var url: String
    /// The app; nil when it is in no list of apps.
    var app: String?
    /// The account by its user name or ID; nil when there is only one.
    var account: String?
    /// The permissions that it needs, or those of the app.
    var scopes: [String]

    /// The header fields as they are sent, but for the token and the request ID.
    var fields: [HTTPField] { Array(request.graphRequest().headerFields) }
  }

  func text(_ parts: Parts) -> String {
    switch self {
    case .curl: Self.curl(parts)
    case .entrancectl: Self.entrancectl(parts)
    case .http: Self.http(parts)
    case .swift: Self.swift(parts)
    }
  }

  // MARK: - Commands

  private static func curl(_ parts: Parts) -> String {
    var arguments = ["curl --request \(parts.request.method.rawValue) \(parts.url.quoted)"]
    arguments.append("--header \"Authorization: Bearer $TOKEN\"")
    arguments += parts.fields.map { "--header \("\($0.name.rawName): \($0.value)".quoted)" }
    if let file = parts.request.bodyFile {
      arguments.append("--data-binary \("@\(file)".quoted)")
    } else if !parts.request.body.isEmpty {
      arguments.append("--data-raw \(parts.request.body.quoted)")
    }
    return arguments.joined(separator: " \\\n  ")
  }

  private static func entrancectl(_ parts: Parts) -> String {
    let request = parts.request
    let app = parts.app.map { " \(option("--app", $0))" } ?? ""
    var arguments = ["entrancectl graph\(app)"]
    if let account = parts.account { arguments.append(option("--account", account)) }
    // With a body, the default is another one.
    if request.method != .get || request.bodyFile != nil || !request.body.isEmpty {
      arguments.append("--method \(request.method.rawValue)")
    }
    arguments += parts.fields.map { option("--header", "\($0.name.rawName): \($0.value)") }
    // After an @, it would be the name of a file.
    let isText = !request.body.hasPrefix("@")
    if let file = request.bodyFile {
      arguments.append(option("--body", "@\(file)"))
    } else if !request.body.isEmpty {
      arguments.append(isText ? option("--body", request.body) : "--body @-")
    }
    arguments.append(parts.url.quoted)
    let command = arguments.joined(separator: " \\\n  ")
    return isText ? command : "printf %s \(request.body.quoted) | \(command)"
  }

  /// An option with its value, in one word if the value would be taken for another option.
  private static func option(_ name: String, _ value: String) -> String {
    "\(name)\(value.hasPrefix("-") ? "=" : " ")\(value.quoted)"
  }

  // MARK: - Files

  private static func http(_ parts: Parts) -> String {
    let head =
      ["\(parts.request.method.rawValue) \(parts.url)", "Authorization: Bearer {{$aadV2Token}}"]
      + parts.fields.map { "\($0.name.rawName): \($0.value)" }
    var body = parts.request.body.isEmpty ? [] : ["", parts.request.body]
    if let reference = parts.request.referenceBeside { body = ["", reference] }
    return (["###"] + head + body).joined(separator: "\n") + "\n"
  }

  // MARK: - Swift

  private static func swift(_ parts: Parts) -> String {
    let (request, fields) = (parts.request, parts.fields.filter { $0.name != .contentType })
    let type = parts.fields.first { $0.name == .contentType }?.value
    let scopes = parts.scopes.map(literal).joined(separator: ", ")
    var lines = [
      "import AuthCore", "import FoundationEssentials", "import HTTPTypes",
      "import MicrosoftGraph", "",
      "func send(app: PublicClientApplication, account: Account) async throws -> GraphResponse {",
      "  let graph = GraphClient(app: app, account: account, scopes: [\(scopes)])",
    ]
    let isChanged = !fields.isEmpty || !request.body.isEmpty || request.bodyFile != nil
    lines.append(
      "  \(isChanged ? "var" : "let") request = GraphRequest("
        + ".\(request.method.rawValue.lowercased()), \(literal(parts.url)))")
    if let file = request.bodyFile {
      lines.append("  let body = try Data(contentsOf: URL(filePath: \(literal(file))))")
      lines.append("  request.body = GraphBody(body, contentType: \(literal(type ?? "")))")
    } else if !request.body.isEmpty {
      lines.append("  let body = \(textLiteral(request.body))")
      lines.append(
        "  request.body = GraphBody(Data(body.utf8), contentType: \(literal(type ?? "")))")
    }
    for field in fields {
      lines.append("  if let name = HTTPField.Name(\(literal(field.name.rawName))) {")
      lines.append(
        "    request.headerFields.append(HTTPField(name: name, value: \(literal(field.value))))")
      lines.append("  }")
    }
    lines += ["  return try await graph.send(request)", "}"]
    return lines.joined(separator: "\n") + "\n"
  }

  /// A text of one line as a literal.
  private static func literal(_ text: String) -> String {
    var literal = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"", "\\": literal += "\\\(scalar)"
      case "\n": literal += "\\n"
      case "\r": literal += "\\r"
      case "\t": literal += "\\t"
      case _ where String(scalar).plain == String(scalar): literal.unicodeScalars.append(scalar)
      default: literal += "\\u{\(String(scalar.value, radix: 16))}"
      }
    }
    return "\"\(literal)\""
  }

  /// A text as a literal with its lines, if it has some and nothing that must be escaped.
  private static func textLiteral(_ text: String) -> String {
    let isPlain = text.plain == text.replacing("\n", with: "\\u{a}")
    guard text.contains("\n"), isPlain, !text.contains("\"\"\""), !text.contains("\\") else {
      return literal(text)
    }
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
      .map { $0.isEmpty ? "" : "    \($0)" }
    return (["\"\"\""] + lines + ["    \"\"\""]).joined(separator: "\n")
  }
}

extension ExplorerModel {
  /// Whether the request has variables, whose values can be secrets.
  public var hasVariables: Bool {
    // A file whose variables have values is after `<@`.
    [request.address, request.fields, request.body].contains {
      $0.contains("{{") || $0.contains("<@")
    }
  }

  /// Why the request cannot be copied as this kind of text, although it can be sent; nil when it can.
  public func snippetProblem(_ kind: ExplorerSnippet) -> String? {
    var unused = ExplorerState()
    guard let request = sendable(&unused) else { return nil }
    guard request.data == nil else {
      return tr("A request whose body is a binary file cannot be copied")
    }
    switch kind {
    case .http: return request.content(in: nil, graph).bodyProblem() ?? request.referenceProblem
    case .entrancectl where senders.id?.tenantID != nil:
      // It would do there what is meant for the organization where the account is a guest.
      return tr(
        "“entrancectl graph” sends requests to the account’s own organization only. Choose another"
          + " kind of text.")
    case .curl, .entrancectl, .swift: return nil
    }
  }

  /// The request as a text for another program, with the values of its variables; nil when it cannot
  /// be sent, or there is a ``snippetProblem(_:)``.
  public func snippet(_ kind: ExplorerSnippet) -> String? {
    var unused = ExplorerState()
    guard let url = state.sentURL, state.fieldProblem == nil, let request = sendable(&unused),
      snippetProblem(kind) == nil
    else { return nil }
    let connection = window.workspace.connection
    let least = state.permissions?.least.first.map { [$0] }
    return kind.text(
      ExplorerSnippet.Parts(
        request: request, url: url, app: connection.isDemo ? nil : connection.name,
        account: accountArgument, scopes: least ?? connection.scopes))
  }

  /// The account of the page's requests as `entrancectl` finds it, which takes the last one to sign in
  /// otherwise; nil when there is only one.
  private var accountArgument: String? {
    let accounts = window.status.accounts.all
    guard accounts.count > 1, let sender = senders.id,
      let account = window.status.accounts.account(sender.account)
    else { return nil }
    let name = account.username.lowercased()
    let isUnique = accounts.count { $0.username.lowercased() == name } == 1
    return isUnique && !name.isEmpty ? account.username : account.id
  }
}

extension ExplorerRequest {
  /// The line that stands for the contents of its file, in a file of requests beside it; nil when it
  /// has no file, or there is no such line.
  fileprivate var referenceBeside: String? {
    bodyFile.flatMap { try? RequestFile.reference(toFileInFolder: RequestFile(path: $0).name) }
  }

  /// Why there is no such line for its file; nil when there is, or it has none.
  fileprivate var referenceProblem: String? {
    guard let bodyFile else { return nil }
    do throws(RequestFile.Failure) {
      _ = try RequestFile.reference(toFileInFolder: RequestFile(path: bodyFile).name)
      return nil
    } catch {
      return error.text
    }
  }
}
