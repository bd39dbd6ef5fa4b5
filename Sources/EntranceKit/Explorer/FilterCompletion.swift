/// What can be written at the end of a filter: a property, an operator or a value, by what is before
/// it (OData 4.01, URL conventions, section 5.1.1).
enum FilterCompletion {
  private typealias Proposal = TextCompletion.Proposal

  private static let separators: Set<Character> = [" ", "+", "(", ")", ","]
  private static let comparisons = ["eq", "ne", "gt", "ge", "lt", "le", "has", "in"]

  /// Finds what can be written.
  ///
  /// - Parameters:
  ///   - filter: the filter before the cursor.
  ///   - properties: those of what is filtered.
  static func find(
    after filter: Substring, _ properties: [TextCompletion.Proposal]
  ) -> TextCompletion? {
    guard let all = words(of: filter), let begun = all.last else { return nil }
    let before = all.dropLast().map { $0.lowercased() }
    let proposals =
      texts(after: before).map { $0.map { Proposal($0, .other) } }
      ?? (isInValues(before) ? [] : properties)
    return TextCompletion(begun, proposals)
  }

  /// The texts that can follow; nil where a property can.
  private static func texts(after words: [String]) -> [String]? {
    switch words.last {
    case nil, "(", ",", "and", "or", "not": return nil
    case "eq", "ne": return ["true", "false", "null"]
    case ")": return ["and", "or"]
    case let last? where comparisons.contains(last): return []
    default:
      let isCompared = comparisons.contains(words.dropLast().last ?? "")
      return isCompared ? ["and", "or"] : comparisons
    }
  }

  /// Whether the end is between the parentheses after `in`, which have values.
  private static func isInValues(_ words: [String]) -> Bool {
    var depth = 0
    for (index, word) in words.enumerated().reversed() {
      if word == ")" { depth += 1 }
      guard word == "(" else { continue }
      if depth == 0 { return index > 0 && words[index - 1] == "in" }
      depth -= 1
    }
    return false
  }

  /// The words, parentheses and commas of a filter, and last the word that was begun; nil within
  /// quotation marks, where any text can be written.
  private static func words(of filter: Substring) -> [Substring]? {
    var words: [Substring] = []
    var start = filter.startIndex
    var isQuoted = false
    for index in filter.indices {
      if filter[index] == "'" { isQuoted.toggle() }
      guard !isQuoted, separators.contains(filter[index]) else { continue }
      if start < index { words.append(filter[start..<index]) }
      start = filter.index(after: index)
      if ![" ", "+"].contains(filter[index]) { words.append(filter[index..<start]) }
    }
    return isQuoted ? nil : words + [filter[start...]]
  }
}
