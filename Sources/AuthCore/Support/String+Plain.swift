package import Sentences

extension String {
  /// The text as one line that shows what is in it, whoever wrote it: for terminals, logs and labels.
  ///
  /// What would begin another line, move a cursor, switch a terminal's colors or turn the order of the letters
  /// around stands there as `\u{…}`.
  package var plain: String {
    // Nearly every text is so already.
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

extension Sentence {
  /// The sentence as one line, whoever wrote what fills it.
  package var plain: Sentence { mapVerbatim(\.plain) }
}

extension Unicode.Scalar {
  /// Whether all it does is to show, or to join letters.
  var isPlain: Bool {
    switch properties.generalCategory {
    case .control, .lineSeparator, .paragraphSeparator, .surrogate, .unassigned: false
    // Those that join letters, or keep them apart, belong to the writing of names.
    case .format: self == "\u{200C}" || self == "\u{200D}"
    default: true
    }
  }
}
