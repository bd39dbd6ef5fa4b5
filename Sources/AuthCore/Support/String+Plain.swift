package import Sentences

extension String {
  /// The text as one line that shows all its characters, for terminals, logs and labels.
  ///
  /// Characters that would start a new line, move the cursor, change a terminal's colors, reverse
  /// the text direction or be invisible are shown as `\u{…}`, and so are accents that would stand on
  /// what is before the text, or be heaped over the lines above and below.
  package var plain: String {
    // Nearly all texts need no change.
    if utf8.allSatisfy({ $0 >= 0x20 && $0 < 0x7f }) { return self }
    var plain = String.UnicodeScalarView()
    // How many accents may follow: none at the start, where they have no letter.
    var accents = 0
    for scalar in unicodeScalars {
      accents = scalar.isAccent ? accents - 1 : Self.maximumAccents
      if scalar.isPlain, accents >= 0 {
        plain.append(scalar)
      } else {
        plain.append(contentsOf: "\\u{\(String(scalar.value, radix: 16))}".unicodeScalars)
      }
    }
    return String(plain)
  }

  /// How many accents a letter can have: in Hebrew and Tibetan up to four.
  private static let maximumAccents = 5
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
  /// Whether it is drawn over, under or through the letter before it.
  fileprivate var isAccent: Bool {
    switch properties.generalCategory {
    case .nonspacingMark, .enclosingMark: true
    default: false
    }
  }

  /// Whether it is visible, joins letters, or chooses between forms of a letter.
  var isPlain: Bool {
    switch properties.generalCategory {
    case .control, .lineSeparator, .paragraphSeparator, .surrogate, .unassigned: false
    // Joiners and non-joiners are part of the spelling of names.
    case .format: self == "\u{200C}" || self == "\u{200D}"
    // Among the letters and marks that Unicode lets be invisible, such as the fillers of Hangul, only
    // those that choose between forms are part of names, in Japanese for example.
    default: !properties.isDefaultIgnorableCodePoint || properties.isVariationSelector
    }
  }
}
