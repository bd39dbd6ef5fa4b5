import AuthCore
import CurlHTTP
import Sentences

/// Collects the requests of an import, without their secrets.
struct ImportedRequests {
  private var variables = ""
  private var requests = ""
  private var count = 0
  private var remarks: [Sentence] = []
  private var known: Set<String> = []
  /// How many remarks there are beyond those that are kept.
  private var moreRemarks = 0
  /// The numbers that names got, so that each request has its own.
  private var names: [String: Int] = [:]
  /// The requests that were added and left out, and their bytes.
  private var attempts = 0
  private var size = 0

  /// Whether there is too much already, which is refused at the end.
  var isFull: Bool {
    size > HTTPFileImport.largest || attempts > Self.mostRequests
      || requests.utf8.count > HTTPFile.largest
  }

  private static let mostRequests = 10_000
  /// The most remarks that are kept; nobody reads more.
  private static let mostRemarks = 50
  /// What a program sets itself.
  private static let unneeded: Set<String> = [
    "accept-encoding", "connection", "content-length", "expect", "host", "keep-alive", "te",
    "transfer-encoding", "upgrade",
  ]
  /// The place that the account's token is put into.
  static let token = HTTPFile.Field("Authorization", "Bearer {{$aadV2Token}}")

  // MARK: Adding

  /// Notes what is left out or changed.
  mutating func remark(_ sentence: Sentence) {
    guard known.count < 10_000, known.insert("\(sentence)").inserted else { return }
    if remarks.count < Self.mostRemarks { remarks.append(sentence) } else { moreRemarks += 1 }
  }

  /// Adds a variable, unless its value is a secret or empty.
  mutating func define(_ name: String, _ value: String, isSecret: Bool) {
    guard !value.isEmpty else { return }
    let name = String(name.trimmed)
    var secrets = SecretText()
    let scrubbed = secrets.scrubbed(value)
    guard !isSecret, !SecretText.isSecret(name), secrets.found.isEmpty else {
      return remark(
        Sentence(
          "The value of the variable “{name}” is left out, because it may be a secret. Define"
            + " “@{name} = value” in the file.", ["name": Self.short(name)]))
    }
    let escaped = scrubbed.replacing("\\", with: "\\\\").replacing("\r\n", with: "\\n")
      .replacing("\n", with: "\\n").replacing("\r", with: "\\n").replacing("\t", with: "\\t")
    let line = "@\(name) = \(escaped)\n"
    let read = try? HTTPFile(Array(line.utf8))
    guard read?.requests.isEmpty == true, read?.notes.isEmpty == true, !line.readsEnvironment,
      read?.variables.map(\.name) == [name]
    else {
      return remark(Sentence("The variable “{name}” is left out.", ["name": Self.short(name)]))
    }
    variables += line
  }

  /// Adds a request, unless it cannot be written.
  ///
  /// - Parameter name: its name; empty for one that says what it requests.
  /// - Parameter hasFile: whether the body is `< file`; any other such line is no part of a request.
  mutating func add(_ name: String, _ content: HTTPFile.Content, hasFile: Bool = false) {
    guard !isFull else { return }
    var content = content
    attempts += 1
    size += content.body.utf8.count + content.url.utf8.count
    size += content.fields.reduce(0) { $0 + $1.name.utf8.count + $1.value.utf8.count }
    content.method = content.method.uppercased()
    var secrets = SecretText()
    let plain = secrets.scrubbed(name.isEmpty ? Self.name(of: content) : name)
    let name = unique(Self.short(plain))
    content.url = url(content.url, &secrets, name)
    content.fields = content.fields.compactMap { field($0, &secrets, name) }
    var isPlaced = false
    content.fields.removeAll {
      guard $0 == Self.token else { return false }
      defer { isPlaced = true }
      return isPlaced
    }
    content.body = Self.lines(secrets.scrubbed(content.body))
    if hasFile, !content.body.isEmpty {
      remark(
        Sentence(
          "{request}: the body is the file “{path}”.",
          ["request": name, "path": Self.short(String(content.body.dropFirst()))]))
    }
    for secret in secrets.found {
      remark(
        Sentence(
          "{request}: a secret is left out. Define “@{name} = value” in the file.",
          ["request": name, "name": secret]))
    }
    if let block = Self.block(name, content, hasFile: hasFile) { return append(block) }
    let problem =
      Self.problem(name, content) ?? Sentence("The request cannot be written in a file.")
    content.body = ""
    guard let block = Self.block(name, content, hasFile: false) else {
      return remark(
        Sentence("{request} is left out: {reason}", ["request": name, "reason": problem]))
    }
    append(block)
    remark(
      Sentence(
        "{request}: the body is left out. It cannot be written in a file.", ["request": name])
    )
  }

  private mutating func append(_ block: String) {
    requests += (requests.isEmpty ? "" : "\n") + block
    count += 1
  }

  // MARK: Parts

  private mutating func url(_ text: String, _ secrets: inout SecretText, _ name: String) -> String {
    var url = Self.encoded(text)
    // What is behind it is never sent.
    if let hash = url.firstIndex(of: "#") { url = String(url[..<hash]) }
    if let start = url.firstRange(of: "://")?.upperBound {
      let authority = url[start...].prefix { $0 != "/" && $0 != "?" }
      if let at = authority.unicodeScalars.lastIndex(of: "@") {
        url.removeSubrange(start...at)
        remark(
          Sentence(
            "{request}: the user name and the password in the address are left out.",
            ["request": name]))
      }
    }
    return secrets.scrubbed(url)
  }

  private mutating func field(
    _ field: HTTPFile.Field, _ secrets: inout SecretText, _ request: String
  ) -> HTTPFile.Field? {
    let name = field.name.trimmed
    let lower = name.lowercased()
    let value = String(field.value.trimmed)
    guard !name.hasPrefix(":"), !Self.unneeded.contains(lower) else { return nil }
    if lower == "authorization", value.lowercased().hasPrefix("bearer ") { return Self.token }
    if SecretText.isSecret(fieldNamed: lower) {
      remark(
        Sentence(
          "{request}: the header field “{name}” is left out, because it is a secret.",
          ["request": request, "name": Self.short(String(name))]))
      return nil
    }
    return HTTPFile.Field(String(name), secrets.scrubbed(value))
  }

  /// An address without white space and control characters.
  private static func encoded(_ text: String) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      if scalar.properties.isWhitespace || scalar.value < 0x20 || scalar.value == 0x7F {
        result += FormEncoding.percentEncoded(String(scalar))
      } else {
        result.unicodeScalars.append(scalar)
      }
    }
    return result
  }

  /// A body as a file has it.
  private static func lines(_ text: String) -> String {
    var lines = text.replacing("\r\n", with: "\n").replacing("\r", with: "\n")
      .split(separator: "\n", omittingEmptySubsequences: false)[...]
    while let last = lines.last, last.trimmed.isEmpty { lines.removeLast() }
    return lines.joined(separator: "\n")
  }

  // MARK: Names

  private static func name(of content: HTTPFile.Content) -> String {
    let url = content.url.firstRange(of: "://").map { content.url[$0.upperBound...] }
    let path = (url ?? content.url[...]).prefix { $0 != "?" && $0 != "#" }
    let host = path.prefix { $0 != "/" }
    // A password may be before the host.
    let at = host.unicodeScalars.lastIndex(of: "@")
    let shown = at.map { path[path.index(after: $0)...] } ?? path
    return "\(content.method) \(shown)"
  }

  /// The start of a text, also of one that is a single character.
  static func start(of text: String) -> String {
    String(String(text.unicodeScalars.prefix(1000)).prefix(200))
  }

  /// A name on one line.
  static func short(_ text: String) -> String {
    let words = start(of: text).split { $0.isWhitespace || $0.isNewline }
    let line = String(
      words.joined(separator: " ").unicodeScalars.filter {
        $0.properties.generalCategory != .control
      }
      .map(Character.init))
    return String(line.drop { $0 == "#" }.trimmed)
  }

  private mutating func unique(_ name: String) -> String {
    let name = name.isEmpty ? "Request" : name
    var number = names[name, default: 0] + 1
    var result = number == 1 ? name : "\(name) \(number)"
    while number > 1, names[result] != nil {
      number += 1
      result = "\(name) \(number)"
    }
    names[name] = number
    if result != name { names[result] = 1 }
    return result
  }

  /// A text of a form, whose variables stay.
  static func encodedKeepingVariables(_ text: String) -> String {
    var result = ""
    var rest = text[...]
    while let start = rest.firstRange(of: "{{"),
      let end = rest[start.upperBound...].firstRange(of: "}}")
    {
      result += FormEncoding.percentEncoded(String(rest[..<start.lowerBound]))
      result += rest[start.lowerBound..<end.upperBound]
      rest = rest[end.upperBound...]
    }
    return result + FormEncoding.percentEncoded(String(rest))
  }

  // MARK: Writing

  /// A request as it is written; nil when it would not be read like that.
  private static func block(
    _ name: String, _ content: HTTPFile.Content, hasFile: Bool
  ) -> String? {
    var lines = ["### \(name)", "\(content.method) \(content.url)"]
    lines += content.fields.map { $0.value.isEmpty ? "\($0.name):" : "\($0.name): \($0.value)" }
    if !content.body.isEmpty { lines += ["", content.body] }
    let text = lines.joined(separator: "\n") + "\n"
    guard let file = try? HTTPFile(Array(text.utf8)), file.requests.count == 1,
      let request = file.requests.first, request.problems.isEmpty, request.notes.isEmpty,
      file.notes.isEmpty, request.name == name, request.content == content,
      !content.url.isEmpty,
      // Comments are not sent, and a file is not what someone else may name.
      hasFile
        ? !content.body.split(separator: "\n").contains(where: \.isOmitted)
        : content.isBodySentWhole,
      !text.readsEnvironment
    else { return nil }
    return text
  }

  /// What the reader of files says about it.
  private static func problem(_ name: String, _ content: HTTPFile.Content) -> Sentence? {
    let text = "### \(name)\n\(content.method) \(content.url)\n"
    return (try? HTTPFile(Array(text.utf8)))?.requests.first?.problems.first?.reason
  }

  /// The file.
  func finish() throws(HTTPFileImport.Failure) -> (HTTPFile, [Sentence]) {
    guard count > 0 else {
      throw HTTPFileImport.Failure(
        Sentence([Sentence("There is no request that can be imported.")] + remarks.prefix(3)))
    }
    guard !isFull else {
      throw HTTPFileImport.Failure(
        Sentence("There are too many requests for one file. Import them in parts."))
    }
    let text = variables + (variables.isEmpty ? "" : "\n") + requests
    let file: HTTPFile
    do throws(HTTPFile.Remark) {
      file = try HTTPFile(Array(text.utf8))
    } catch {
      throw HTTPFileImport.Failure(
        Sentence("The content is too large: {reason}.", ["reason": error.reason]))
    }
    let more =
      moreRemarks == 0
      ? []
      : [
        Sentence.plural(
          "… and {count} more remark", "… and {count} more remarks", count: moreRemarks)
      ]
    return (file, remarks + more)
  }
}

extension HTTPFile.Content {
  /// Whether there is a header field of this name, in lower case.
  func has(_ name: String) -> Bool { fields.contains { $0.name.lowercased() == name } }

  /// Sets the type of the body, unless it has one.
  mutating func setType(_ type: String) {
    if !has("content-type") { fields.append(HTTPFile.Field("Content-Type", type)) }
  }
}

extension StringProtocol {
  /// Whether it may have a value of the environment or the file `.env`, which is for nobody else.
  fileprivate var readsEnvironment: Bool {
    contains("{{") && ["$processEnv", "$dotenv", "$env."].contains { contains($0) }
  }
}
