import Localization

// What is typed or pasted as an address and is none: it may have a token or a password in it, and is
// neither sent nor kept.
extension ExplorerRequest {
  /// Whether a text is a command line of curl, perhaps behind a prompt, as documents write it.
  static func isCommand(_ text: String) -> Bool {
    var words = text.split(maxSplits: 2, whereSeparator: \.isWhitespace)
    if let prompt = words.first, prompt == "$" || prompt == "%" { words.removeFirst() }
    guard words.count > 1 else { return false }
    return words[0] == "curl" || words[0] == "curl.exe"
  }

  /// Whether the address may be kept: it is no command, and has no header field with a token.
  var hasPlainAddress: Bool { !Self.isCommand(address) && !hasAuthorization }

  /// Why the address is none; nil when it may be one.
  var commandProblem: String? {
    if Self.isCommand(address) {
      return tr(
        "The address is a command. To import a curl command, copy it, and paste it in place of the"
          + " address.")
    }
    guard hasAuthorization else { return nil }
    return tr(
      "The address has a token or a password in it. Remove “Authorization” and what follows it:"
        + " Entrance adds the token itself.")
  }

  private var hasAuthorization: Bool {
    let text = address.lowercased()
    return text.ranges(of: "authorization:").contains { name in
      let value = text[name.upperBound...].drop(while: \.isWhitespace)
      // Who searches for the word alone has no secret.
      return value.hasPrefix("bearer ") || value.hasPrefix("basic ")
    }
  }
}
