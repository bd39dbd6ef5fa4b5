/// A name in a certificate, in the text form of RFC 4514: `CN=login.example,O=Example\, Inc.,C=US`.
nonisolated struct DistinguishedName: Sendable {
  private let attributes: [(type: String, value: String)]

  /// Reads `text`; parts that are not attributes are skipped.
  init(_ text: String) {
    attributes = Self.split(text, at: ",").compactMap { part in
      let pieces = part.split(separator: "=", maxSplits: 1)
      guard pieces.count == 2 else { return nil }
      let type = pieces[0].trimming { $0 == " " }
      return (type.uppercased(), Self.unescape(pieces[1].trimming { $0 == " " }))
    }
  }

  /// The common name and the organization, as far as it has them.
  var summary: String? {
    let organization = first("O")
    guard let name = first("CN") ?? first("OU") else { return organization }
    return organization.map { $0 == name ? name : "\(name) (\($0))" } ?? name
  }

  private func first(_ type: String) -> String? {
    attributes.first { $0.type == type && !$0.value.isEmpty }?.value
  }

  /// Splits at each `separator` that no backslash precedes.
  private static func split(_ text: String, at separator: Character) -> [String] {
    var parts = [""]
    var isEscaped = false
    for character in text {
      if character == separator, !isEscaped {
        parts.append("")
      } else {
        parts[parts.count - 1].append(character)
      }
      isEscaped = character == "\\" && !isEscaped
    }
    return parts
  }

  /// Removes the backslashes before special characters; `\` and two digits stay as they are.
  private static func unescape(_ text: String) -> String {
    var result = ""
    var isEscaped = false
    for character in text {
      if character == "\\", !isEscaped {
        isEscaped = true
        continue
      }
      if isEscaped, character.isHexDigit { result.append("\\") }
      result.append(character)
      isEscaped = false
    }
    return result
  }
}

extension StringProtocol {
  /// Without the characters at both ends for which `isUnwanted` is true.
  nonisolated func trimming(_ isUnwanted: (Character) -> Bool) -> String {
    var rest = self[...]
    while let first = rest.first, isUnwanted(first) { rest = rest.dropFirst() }
    while let last = rest.last, isUnwanted(last) { rest = rest.dropLast() }
    return String(rest)
  }
}
