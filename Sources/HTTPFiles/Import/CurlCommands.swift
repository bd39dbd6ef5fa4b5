import CurlHTTP
import Sentences

/// Reads command lines of curl, and those of `entrancectl graph`.
enum CurlCommands {
  /// Adds the requests of each command.
  static func read(
    _ bytes: [UInt8], _ requests: inout ImportedRequests
  ) throws(HTTPFileImport.Failure) {
    guard bytes.count <= HTTPFile.largest, String(validating: bytes, as: UTF8.self) != nil,
      looksLikeCurl(bytes)
    else { throw .unknown }
    guard !String(decoding: bytes, as: UTF8.self).hasTooManyAccents else {
      throw HTTPFileImport.Failure(Sentence("A letter has too many accents."))
    }
    var shell = ShellWords(bytes)
    var isFirst = true
    for var words in try shell.split() {
      // Documents write a prompt before a command.
      if words.first?.text == "$" || words.first?.text == "%" { words.removeFirst() }
      guard let program = words.first else { continue }
      guard let arguments = Self.arguments(of: words) else {
        if isFirst { throw .unknown }
        requests.remark(
          Sentence(
            "“{text}” is left out: it is not a curl command.",
            ["text": ImportedRequests.short(program.text)]))
        continue
      }
      isFirst = false
      var command = CurlCommand(arguments[...], in: bytes)
      try command.read(&requests)
    }
    for name in shell.variables {
      requests.remark(
        Sentence("The shell’s variable “{name}” is now a variable of the file.", ["name": name]))
    }
  }

  /// The arguments of a command, as those of curl; nil when it is one of another program.
  private static func arguments(of words: [ShellWords.Word]) -> [ShellWords.Word]? {
    switch words[0].text.split(separator: "/").last ?? "" {
    case "curl", "curl.exe": Array(words.dropFirst())
    case "entrancectl": EntrancectlCommand.curlArguments(words.dropFirst())
    default: nil
    }
  }

  /// Whether the first word, behind comments and a prompt, is that of a command: a text that is something
  /// else is not to be refused for its quotation marks.
  private static func looksLikeCurl(_ bytes: [UInt8]) -> Bool {
    for line in bytes.split(separator: UInt8(ascii: "\n")) {
      var text = Substring(String(decoding: line.prefix(4096), as: UTF8.self)).trimmed
      if text.hasPrefix("$ ") || text.hasPrefix("% ") { text = text.dropFirst(2).trimmed }
      if text.isEmpty || text.hasPrefix("#") { continue }
      let word = text.prefix { !$0.isWhitespace && $0 != "\\" }
      return ["curl", "curl.exe", "entrancectl"].contains(word.split(separator: "/").last)
    }
    return false
  }
}

/// One command line, which can have several requests.
private struct CurlCommand {
  private let words: ArraySlice<ShellWords.Word>
  private let bytes: [UInt8]
  private var index: Int
  private var draft = Draft()

  /// What the options have said so far.
  private struct Draft {
    var method: String?
    var urls: [String] = []
    var fields: [HTTPFile.Field] = []
    /// Header fields that curl is told not to send.
    var removed: Set<String> = []
    var data: String?
    var file: String?
    var query: [String] = []
    var isJSON = false
    var isGet = false
    var isHead = false
    var isUpload = false
  }

  init(_ words: ArraySlice<ShellWords.Word>, in bytes: [UInt8]) {
    self.words = words
    self.bytes = bytes
    index = words.startIndex
  }

  mutating func read(_ requests: inout ImportedRequests) throws(HTTPFileImport.Failure) {
    var isOption = true
    while index < words.endIndex {
      let word = words[index]
      index += 1
      let text = word.text
      if isOption, text == "--" {
        isOption = false
      } else if isOption, text.hasPrefix("--") {
        guard let option = CurlOption(long: text.dropFirst(2)) else { throw unknown(text, word) }
        try take(option, text, word, value: nil, &requests)
      } else if isOption, text.first == "-", text.count > 1 {
        try readLetters(word, &requests)
      } else {
        draft.urls.append(text)
      }
    }
    try finish(&requests)
  }

  /// Options of one letter, such as `-sSLXPOST`.
  private mutating func readLetters(
    _ word: ShellWords.Word, _ requests: inout ImportedRequests
  ) throws(HTTPFileImport.Failure) {
    var letters = word.text.dropFirst()
    while let letter = letters.popFirst() {
      guard let option = CurlOption(letter: letter) else { throw unknown("-\(letter)", word) }
      let value = option.takesValue && !letters.isEmpty ? String(letters) : nil
      try take(option, "-\(letter)", word, value: value, &requests)
      if option.takesValue { return }
    }
  }

  private func failure(_ reason: Sentence, _ word: ShellWords.Word) -> HTTPFileImport.Failure {
    HTTPFileImport.Failure(reason, at: word.offset, in: bytes)
  }

  private func unknown(_ name: String, _ word: ShellWords.Word) -> HTTPFileImport.Failure {
    failure(
      Sentence(
        "The option “{name}” cannot be imported. Remove it.",
        ["name": ImportedRequests.short(name)]), word)
  }

  private mutating func take(
    _ option: CurlOption, _ name: String, _ word: ShellWords.Word, value: String?,
    _ requests: inout ImportedRequests
  ) throws(HTTPFileImport.Failure) {
    var text = value ?? ""
    var place = word
    if option.takesValue, value == nil {
      guard index < words.endIndex else {
        throw failure(Sentence("The option “{name}” needs a value.", ["name": name]), word)
      }
      place = words[index]
      text = place.text
      index += 1
    }
    switch option {
    case .request: draft.method = text
    case .url: draft.urls.append(text)
    case .header: try header(text, place)
    case .agent: draft.fields.append(HTTPFile.Field("User-Agent", text))
    case .referer:
      draft.fields.append(HTTPFile.Field("Referer", text.replacing(";auto", with: "")))
    case .range: draft.fields.append(HTTPFile.Field("Range", "bytes=\(text)"))
    case .bearer: draft.fields.append(ImportedRequests.token)
    case .data: try data(text, place, canBeFile: true)
    case .rawData: try data(text, place, canBeFile: false)
    case .json:
      draft.isJSON = true
      try data(text, place, canBeFile: true, separator: "")
    case .encodedData: try data(encoded(text, place), place, canBeFile: false)
    // Behind "+", it is encoded already.
    case .query:
      draft.query.append(text.first == "+" ? String(text.dropFirst()) : try encoded(text, place))
    case .upload:
      try file(text, place)
      draft.isUpload = true
    case .get: draft.isGet = true
    case .head: draft.isHead = true
    case .next: try finish(&requests)
    case .none, .noneWithValue: break
    case .cookie:
      requests.remark(Sentence("The cookies of “{name}” are left out.", ["name": name]))
    case .insecure:
      requests.remark(
        Sentence("“{name}” is left out: certificates are always checked.", ["name": name]))
    case .certificate, .proxy:
      requests.remark(
        Sentence("“{name}” is left out: it is not a part of the request.", ["name": name]))
    case .password:
      throw failure(
        Sentence(
          "The user name and the password of “{name}” are not imported. Remove the option.",
          ["name": name]), word)
    case .form:
      throw failure(
        Sentence("A form with parts, “{name}”, cannot be imported.", ["name": name]), word)
    }
  }

  // MARK: Values

  private mutating func header(
    _ text: String, _ word: ShellWords.Word
  ) throws(HTTPFileImport.Failure) {
    guard text.first != "@" else {
      throw failure(
        Sentence("Header fields of a file cannot be imported. Write them in the command."), word)
    }
    let name = text.prefix { $0 != ":" && $0 != ";" }
    let rest = text[name.endIndex...]
    let value = rest.dropFirst().trimmed
    guard !rest.isEmpty, !name.trimmed.isEmpty else {
      throw failure(
        Sentence("“{text}” is not a header field.", ["text": ImportedRequests.short(text)]), word)
    }
    // "Name:" removes a field of curl's own, and "Name;" sends one without a value.
    if rest.first == ":", value.isEmpty {
      draft.removed.insert(name.trimmed.lowercased())
    } else {
      draft.fields.append(HTTPFile.Field(String(name.trimmed), String(value)))
    }
  }

  private mutating func data(
    _ text: String, _ word: ShellWords.Word, canBeFile: Bool, separator: String = "&"
  ) throws(HTTPFileImport.Failure) {
    if canBeFile, text.first == "@" { return try file(String(text.dropFirst()), word) }
    guard draft.file == nil else { throw failure(Self.several, word) }
    guard var whole = draft.data.take() else { return draft.data = text }
    whole += separator + text
    draft.data = whole
  }

  private mutating func file(
    _ name: String, _ word: ShellWords.Word
  ) throws(HTTPFileImport.Failure) {
    guard name != "-", name != "." else {
      throw failure(Sentence("A body from standard input cannot be imported."), word)
    }
    guard draft.file == nil, draft.data == nil, !name.isEmpty else {
      throw failure(Self.several, word)
    }
    draft.file = name
  }

  private static let several = Sentence("A body of several parts with a file cannot be imported.")

  /// What `--data-urlencode` makes of its value.
  private func encoded(
    _ text: String, _ word: ShellWords.Word
  ) throws(HTTPFileImport.Failure) -> String {
    let name = text.prefix { $0 != "=" && $0 != "@" }
    let rest = text[name.endIndex...]
    guard rest.first != "@" else {
      throw failure(Sentence("The contents of a file cannot be encoded here."), word)
    }
    guard rest.first == "=" else { return ImportedRequests.encodedKeepingVariables(text) }
    let value = ImportedRequests.encodedKeepingVariables(String(rest.dropFirst()))
    return name.isEmpty ? value : "\(name)=\(value)"
  }

  // MARK: Requests

  /// Adds the requests of what was read since the last `--next`.
  private mutating func finish(
    _ requests: inout ImportedRequests
  ) throws(HTTPFileImport.Failure) {
    defer { draft = Draft() }
    guard !draft.urls.isEmpty else {
      guard let last = words.last else {
        throw HTTPFileImport.Failure(Sentence("The command has no address."))
      }
      throw failure(Sentence("The command has no address."), last)
    }
    var content = HTTPFile.Content(url: "", fields: draft.fields)
    let hasData = draft.data != nil || draft.file != nil
    var query = draft.query
    if draft.isGet || draft.isHead {
      if draft.file != nil, draft.isGet {
        requests.remark(Sentence("A file cannot be a part of the address. It is left out."))
      }
      if let data = draft.data { query.append(data) }
    } else if hasData, !draft.isUpload {
      content.body = draft.file.map { "< \($0)" } ?? draft.data ?? ""
      content.setType(draft.isJSON ? "application/json" : "application/x-www-form-urlencoded")
      if draft.isJSON, !content.has("accept") {
        content.fields.append(HTTPFile.Field("Accept", "application/json"))
      }
    } else if draft.isUpload {
      content.body = draft.file.map { "< \($0)" } ?? ""
    }
    content.fields.removeAll { draft.removed.contains($0.name.lowercased()) }
    content.method =
      draft.method
      ?? (draft.isHead
        ? "HEAD" : draft.isGet ? "GET" : draft.isUpload ? "PUT" : hasData ? "POST" : "GET")
    for url in draft.urls where !requests.isFull {
      content.url = Self.address(url, query)
      requests.add("", content, hasFile: draft.file != nil)
    }
  }

  private static func address(_ url: String, _ query: [String]) -> String {
    let url = url.prefix { $0 != "#" }
    let text = url.contains("://") || url.hasPrefix("{{") ? String(url) : "https://\(url)"
    guard !query.isEmpty else { return text }
    let mark = text.contains("?") ? (text.hasSuffix("?") ? "" : "&") : "?"
    return text + mark + query.joined(separator: "&")
  }
}
