import CurlHTTP
@_spi(_Unicode) import Swift

/// Texts that are compared as people search: without case and accents.
struct SearchText {
  private let folded: [String]

  /// Prepares texts to be searched.
  init(_ texts: [String?]) {
    folded = texts.compactMap { $0.map(Self.fold) }
  }

  /// Whether each term occurs in one of the texts, and there is a term.
  func contains(_ terms: [String]) -> Bool {
    // Any program can ask.
    guard !terms.contains(where: \.hasTooManyAccents) else { return false }
    let terms = terms.map(Self.fold).filter { !$0.isEmpty }
    return !terms.isEmpty && terms.allSatisfy { term in folded.contains { $0.contains(term) } }
  }

  /// The words of a typed text.
  static func terms(of text: String) -> [String] {
    text.split(whereSeparator: \.isWhitespace).map(String.init)
  }

  /// The text in lower case, without combining marks.
  private static func fold(_ text: String) -> String {
    // ASCII has none.
    if text.utf8.allSatisfy({ $0 < 0x80 }) { return text.lowercased() }
    // The standard library's decomposition has no public name, and FoundationEssentials has none.
    let letters = text._nfd.filter { $0.properties.canonicalCombiningClass == .notReordered }
    return String(String.UnicodeScalarView(letters)).lowercased()
  }
}
