package import Sentences

extension String {
  /// The text as one line that shows all its characters, for terminals, logs and labels.
  ///
  /// Characters that would start a new line, move the cursor, change a terminal's colors or reverse
  /// the text direction are shown as `\u{…}`.
  package var plain: String {
    // Nearly all texts need no change.
    if utf8.allSatisfy({ $0 >= 0x20 && $0 < 0x7f }) || unicodeScalars.allSatisfy(\.isPlain) {
      return self
    }
    var plain = String.UnicodeScalarView()
    for scalar in unicodeScalars {
      if scalar.isPlain {
        plain.append(scalar)
      } else {
        plain.append(contentsOf: "\\u{\(String(scalar.value, radix: 16))}".unicodeScalars)
      }
    }
    return String(plain)
  }
}

extension String {
  /// The text as one line of printable text, and not longer than `limit`: for text from outside.
  package func shown(upTo limit: Int) -> String {
    let text = prefix(limit + 1)
    return (text.count > limit ? text.prefix(limit) + "…" : text).description.plain
  }
}

extension Sentence {
  /// The sentence as one line of printable text, whatever its values contain.
  package var plain: Sentence { mapVerbatim(\.plain) }
}

extension Unicode.Scalar {
  /// Whether it is visible, or joins letters.
  var isPlain: Bool {
    switch properties.generalCategory {
    case .control, .lineSeparator, .paragraphSeparator, .surrogate, .unassigned: false
    // Joiners and non-joiners are part of the spelling of names.
    case .format: self == "\u{200C}" || self == "\u{200D}"
    default: true
    }
  }
}
