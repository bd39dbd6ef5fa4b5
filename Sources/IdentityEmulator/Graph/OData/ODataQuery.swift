/// The query options of a request, or those in parentheses of an expanded property.
struct ODataQuery: Sendable {
  var select: [String]?
  var expand: [(name: String, query: ODataQuery)] = []
  var filter: ODataExpression?
  var orderBy: [(path: [String], isDescending: Bool)] = []
  var top: Int?
  var skip = 0
  var skipToken: String?
  var deltaToken: String?
  var countsItems = false
  var search: ODataSearch?
  /// The options that a link to the next page repeats.
  private(set) var repeated: [(String, String)] = []

  /// How deeply expanded properties may be nested.
  private static let maximumDepth = 5

  /// What the context URL of a response says about the selection.
  var selection: String { select.map { "(\($0.joined(separator: ",")))" } ?? "" }

  /// Reads the options of a request to items of `type`.
  ///
  /// An option that is not known is refused: a program that relies on it would seem to work.
  ///
  /// - Parameters:
  ///   - parameters: the names of other parameters that the path has.
  ///   - depth: how many properties are expanded around the one that the options are for.
  init(
    _ form: Form, type: GraphType, parameters: Set<String> = [], depth: Int = 0
  ) throws(GraphError) {
    var seen: Set<String> = []
    for (name, value) in form.fields {
      if parameters.contains(name) {
        repeated.append((name, value))
        continue
      }
      // Graph takes the names without the dollar sign, too.
      let option = (name.hasPrefix("$") ? String(name.dropFirst()) : name).lowercased()
      guard seen.insert(option).inserted else {
        throw .badRequest("Query option '\(name)' was specified more than once.")
      }
      guard try read(option, value, type, depth) else {
        throw .notPlayed("the query parameter '\(name)'")
      }
      if !["skip", "skiptoken", "deltatoken"].contains(option) {
        repeated.append(("$\(option)", value))
      }
    }
  }

  /// Takes an option; returns false for an unknown one.
  private mutating func read(
    _ option: String, _ value: String, _ type: GraphType, _ depth: Int
  ) throws(GraphError) -> Bool {
    switch option {
    case "select": select = try Self.select(value, type)
    case "expand": expand = try Self.expand(value, type, depth)
    case "filter": filter = try ODataParser.filter(value, type: type)
    case "orderby": orderBy = try Self.orderBy(value, type)
    case "top": top = try Self.number(option, value)
    case "skip": skip = try Self.number(option, value)
    case "skiptoken": skipToken = value
    case "deltatoken": deltaToken = value
    case "search": search = try ODataSearch(value, type: type)
    case "count":
      guard value == "true" || value == "false" else {
        throw .badRequest(
          "Invalid value '\(value)' for $count query option found. Valid values are 'false', "
            + "'true'.")
      }
      countsItems = value == "true"
    case "format":
      guard value.lowercased().contains("json") else { throw .notPlayed("$format=\(value)") }
    default: return false
    }
    return true
  }

  private static func number(_ option: String, _ text: String) throws(GraphError) -> Int {
    guard let value = Int(text), (0...1_000_000).contains(value) else {
      throw .invalidOption(option, value: text)
    }
    return value
  }

  private static func select(_ value: String, _ type: GraphType) throws(GraphError) -> [String]? {
    var names: [String] = []
    for name in value.split(separator: ",") {
      let name = String(name.drop { $0 == " " }.split(separator: "/").first ?? "")
        .trimmingSpaces
      guard name != "*" else { return nil }
      guard type.has(name) || type.navigations.contains(name) else {
        throw .badRequest(
          "Parsing OData Select and Expand failed: " + type.missingProperty(name))
      }
      names.append(name)
    }
    guard !names.isEmpty else {
      throw .badRequest("Parsing OData Select and Expand failed: $select names no property.")
    }
    return names
  }

  private static func orderBy(
    _ value: String, _ type: GraphType
  ) throws(GraphError) -> [(path: [String], isDescending: Bool)] {
    var result: [(path: [String], isDescending: Bool)] = []
    for part in value.split(separator: ",") {
      let words = part.split(separator: " ")
      guard let path = words.first?.split(separator: "/").map(String.init), words.count <= 2,
        words.count == 1 || words[1] == "asc" || words[1] == "desc"
      else { throw .badRequest("Invalid orderby clause: syntax error in '\(part)'.") }
      guard let first = path.first, type.has(first) else {
        throw .badRequest("Invalid orderby clause: " + type.missingProperty(path.first ?? ""))
      }
      result.append((path, words.count == 2 && words[1] == "desc"))
    }
    return result
  }

  /// Reads `members($select=id;$top=2),owners`.
  private static func expand(
    _ value: String, _ type: GraphType, _ depth: Int
  ) throws(GraphError) -> [(name: String, query: ODataQuery)] {
    guard depth < maximumDepth else {
      throw .badRequest("Parsing OData Select and Expand failed: $expand is nested too deeply.")
    }
    var result: [(name: String, query: ODataQuery)] = []
    for part in split(value, at: ",") {
      let part = part.trimmingSpaces
      let name = String(part.prefix { $0 != "(" })
      guard type.navigations.contains(name) else {
        throw .badRequest(
          "Parsing OData Select and Expand failed: " + type.missingProperty(name))
      }
      guard !result.contains(where: { $0.name == name }) else {
        throw .badRequest(
          "Parsing OData Select and Expand failed: '\(name)' is expanded more than once.")
      }
      var form = Form()
      if part.count > name.count {
        guard part.hasSuffix(")") else {
          throw .badRequest("Parsing OData Select and Expand failed: missing ')'.")
        }
        for option in split(part.dropFirst(name.count + 1).dropLast(), at: ";") {
          let pair = option.split(separator: "=", maxSplits: 1)
          guard pair.count == 2 else {
            throw .badRequest("Parsing OData Select and Expand failed: '\(option)'.")
          }
          form.append(String(pair[0]).trimmingSpaces, String(pair[1]))
        }
      }
      let query = try ODataQuery(
        form, type: GraphType.navigation(name, of: type), depth: depth + 1)
      // The directory expands one level.
      guard query.expand.isEmpty || !type.isDirectory else {
        throw .unsupportedQuery("A nested $expand is not supported.")
      }
      result.append((name, query))
    }
    return result
  }

  /// Splits at a separator outside of parentheses and quotes.
  private static func split(_ text: some StringProtocol, at separator: Character) -> [String] {
    var parts = [""]
    var (depth, isQuoted) = (0, false)
    for character in text {
      if character == "'" { isQuoted.toggle() }
      if !isQuoted, character == "(" { depth += 1 }
      if !isQuoted, character == ")" { depth -= 1 }
      if character == separator, depth == 0, !isQuoted {
        parts.append("")
      } else {
        parts[parts.count - 1].append(character)
      }
    }
    return parts.filter { !$0.isEmpty }
  }
}

extension StringProtocol {
  /// The text without spaces around it.
  var trimmingSpaces: String {
    var text = Substring(self)
    while text.first == " " { text.removeFirst() }
    while text.last == " " { text.removeLast() }
    return String(text)
  }
}
