/// Reads a command line of `entrancectl graph`, whose options are much like those of curl.
enum EntrancectlCommand {
  /// The arguments of curl that send the same request.
  ///
  /// - Parameter arguments: those of entrancectl.
  /// - Returns: nil when the command sends no single request, such as `entrancectl token`.
  static func curlArguments(_ arguments: ArraySlice<ShellWords.Word>) -> [ShellWords.Word]? {
    guard let first = arguments.first, first.text == "graph" else { return nil }
    var words = separated(arguments.dropFirst())[...]
    if words.first?.text == "request" { words = words.dropFirst() }
    if let command = words.first?.text, subcommands.contains(command) { return nil }
    // The command adds the token of the account itself.
    var result = [
      ShellWords.Word(text: "--oauth2-bearer", offset: first.offset),
      ShellWords.Word(text: "token", offset: first.offset),
    ]
    var hasBody = false
    var hasType = false
    while var word = words.popFirst() {
      switch word.text {
      case "--json": continue
      case "--app", "--account", "--scope":
        _ = words.popFirst()
        continue
      case let option where names[option] != nil:
        word.text = names[option] ?? option
        result.append(word)
        hasBody = hasBody || word.text == "--data-binary"
        guard let value = words.popFirst() else { continue }
        result.append(value)
        let isType = value.text.lowercased().hasPrefix("content-type:")
        hasType = hasType || word.text == "--header" && isType
        continue
      case "-o", "--output":
        result.append(word)
        if let value = words.popFirst() { result.append(value) }
        continue
      case let path where !path.hasPrefix("-") && !path.contains("://"): word.text = url(of: path)
      default: break
      }
      result.append(word)
    }
    if hasBody, !hasType {
      result.append(ShellWords.Word(text: "--header", offset: first.offset))
      result.append(ShellWords.Word(text: "Content-Type: application/json", offset: first.offset))
    }
    return result
  }

  private static let subcommands: Set<String> = ["upload", "batch", "delta", "explain"]

  /// What its options are called by curl.
  private static let names = [
    "--method": "--request", "-X": "--request", "--header": "--header", "-H": "--header",
    "--body": "--data-binary", "-d": "--data-binary", "--query": "--url-query",
  ]

  /// The words with `--option=value` as two of them.
  private static func separated(_ words: ArraySlice<ShellWords.Word>) -> [ShellWords.Word] {
    words.flatMap { word in
      guard word.text.hasPrefix("--"), let mark = word.text.firstIndex(of: "=") else {
        return [word]
      }
      let value = String(word.text[word.text.index(after: mark)...])
      return [
        ShellWords.Word(text: String(word.text[..<mark]), offset: word.offset),
        ShellWords.Word(text: value, offset: word.offset),
      ]
    }
  }

  /// The URL of a path of Microsoft Graph.
  private static func url(of path: String) -> String {
    let path = path.hasPrefix("/") ? path : "/" + path
    let isVersioned = path.hasPrefix("/v1.0/") || path.hasPrefix("/beta/")
    return "https://graph.microsoft.com" + (isVersioned ? "" : "/v1.0") + path
  }
}
