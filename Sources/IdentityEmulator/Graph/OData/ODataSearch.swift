/// The text of `$search`: `"displayName:ada" OR "mail:ada"`, or words.
struct ODataSearch: Sendable {
  private struct Clause: Sendable {
    let property: String?
    let words: [String]
  }

  /// One of these groups has to be found whole.
  private var groups: [[Clause]] = [[]]
  private let type: GraphType

  init(_ text: String, type: GraphType) throws(GraphError) {
    guard !type.searched.isEmpty else { throw .notPlayed("$search of a \(type.name)") }
    self.type = type
    var rest = Substring(text)
    while true {
      rest = rest.drop { $0 == " " }
      guard let first = rest.first else { break }
      let term: Substring
      if first == "\"" {
        rest.removeFirst()
        term = rest.prefix { $0 != "\"" }
        rest = rest.dropFirst(term.count)
        guard rest.popFirst() != nil else {
          throw .badRequest("Syntax error: character '\"' is not valid in '$search'.")
        }
      } else {
        term = rest.prefix { $0 != " " }
        rest = rest.dropFirst(term.count)
        if term == "OR" {
          groups.append([])
          continue
        }
        if term == "AND" { continue }
        // In a directory, each clause is in quotation marks.
        guard !type.isDirectory else {
          throw .badRequest(
            "Syntax error: character '\(first)' is not valid at position 0 in '\(text)'. A clause "
              + "of $search is in double quotation marks: \"displayName:value\".")
        }
      }
      groups[groups.count - 1].append(try Self.clause(term, type))
    }
    guard !groups.contains(where: \.isEmpty) else {
      throw .badRequest("Syntax error: '$search' has an empty clause.")
    }
  }

  private static func clause(_ term: Substring, _ type: GraphType) throws(GraphError) -> Clause {
    let parts = term.split(separator: ":", maxSplits: 1)
    guard parts.count == 2 else {
      guard !type.isDirectory else {
        throw .badRequest(
          "Syntax error in '$search': a clause names its property, as in \"displayName:value\".")
      }
      return Clause(property: nil, words: words(term))
    }
    let property = String(parts[0])
    guard type.searched.contains(property) else {
      throw .notPlayed("$search by '\(property)'")
    }
    return Clause(property: property, words: words(parts[1]))
  }

  private static func words(_ text: some StringProtocol) -> [String] {
    text.lowercased().split { !$0.isLetter && !$0.isNumber }.map(String.init)
  }

  /// Whether each word of a group begins a word of the item.
  func finds(_ item: JSON) -> Bool {
    groups.contains { group in
      group.allSatisfy { clause in
        let properties = clause.property.map { [$0] } ?? type.searched
        let found = properties.flatMap { Self.words(item[$0]?.words ?? "") }
        return clause.words.allSatisfy { word in found.contains { $0.hasPrefix(word) } }
      }
    }
  }
}

extension JSON {
  /// All texts in it, for a search.
  fileprivate var words: String {
    switch self {
    case .string(let text): text
    case .array(let items): items.map(\.words).joined(separator: " ")
    case .object(let fields): fields.map(\.1.words).joined(separator: " ")
    default: ""
    }
  }
}
