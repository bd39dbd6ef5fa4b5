extension StringProtocol {
  /// The text without white space around it.
  package var trimmed: SubSequence {
    let start = drop(while: \.isWhitespace)
    guard let last = start.lastIndex(where: { !$0.isWhitespace }) else { return start.prefix(0) }
    return start[...last]
  }
}

extension String {
  /// Whether a letter has far more accents than anyone writes.
  ///
  /// To compare or hash such a text, Swift sorts the accents, in a time that grows with the square of
  /// their number. Texts from outside are refused before that.
  package var hasTooManyAccents: Bool {
    // An accent has two bytes or more.
    guard utf8.count > 2 * Self.mostAccents else { return false }
    var count = 0
    for scalar in unicodeScalars {
      count = scalar.isAccent ? count + 1 : 0
      if count > Self.mostAccents { return true }
    }
    return false
  }

  private static let mostAccents = 500
}

extension Unicode.Scalar {
  /// Whether it is put in order with those around it (Unicode Standard Annex 15); three vowel signs
  /// of Tibetan consist of two that are.
  fileprivate var isAccent: Bool {
    value >= 0x300
      && (properties.canonicalCombiningClass != .notReordered
        || [0xF73, 0xF75, 0xF81].contains(value))
  }
}

extension [UInt8] {
  /// Where `part` begins in the bytes: each place.
  package func places(of part: String) -> [Int] {
    let part = Array(part.utf8)
    guard let first = part.first, count >= part.count else { return [] }
    return indices.dropLast(part.count - 1).filter { place in
      self[place] == first && self[place..<place + part.count].elementsEqual(part)
    }
  }
}

/// A byte as an ASCII character: what `Character` calls a digit or a letter may be of any script.
///
/// Inlinable, since they are asked for each byte of large texts.
extension UInt8 {
  /// Whether it is one of `0` to `9`.
  @inlinable
  package var isDigit: Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) }

  /// Whether it is one of `A` to `Z`, in upper or lower case.
  @inlinable
  package var isLetter: Bool { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(self | 0x20) }

  /// Whether it is a letter or a digit.
  @inlinable
  package var isAlphanumeric: Bool { isLetter || isDigit }

  /// Whether it is a space or a tab.
  @inlinable
  package var isBlank: Bool { self == UInt8(ascii: " ") || self == UInt8(ascii: "\t") }

  /// The value of a hexadecimal digit; nil for another character.
  @inlinable
  package var hexValue: UInt8? {
    switch self {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): self - UInt8(ascii: "0")
    case UInt8(ascii: "A")...UInt8(ascii: "F"): self - UInt8(ascii: "A") + 10
    case UInt8(ascii: "a")...UInt8(ascii: "f"): self - UInt8(ascii: "a") + 10
    default: nil
    }
  }

  /// The hexadecimal digit, in lower case, of `value`, which is 0 to 15.
  @inlinable
  package init(hexDigitOf value: UInt8) {
    self = value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") + value - 10
  }

  /// The letter in lower case; any other character as it is.
  @inlinable
  package var lowercased: UInt8 { isLetter ? self | 0x20 : self }
}

extension Sequence<UInt8> {
  /// Two hexadecimal digits, in lower case, for each byte.
  package var hexadecimal: String {
    String(
      decoding: flatMap { [UInt8(hexDigitOf: $0 >> 4), UInt8(hexDigitOf: $0 & 0xF)] },
      as: UTF8.self)
  }
}
