import AuthCore
import CurlHTTP
import FoundationEssentials
import Sentences

/// Puts the values of variables into the texts of one request.
struct HTTPFileExpansion {
  private let values: HTTPFile.Values
  private let defined: [String: HTTPFile.Variable]
  /// The values that were needed, so that a new ID is the same one wherever its variable is used.
  private var known: [String: String] = [:]
  /// The variables whose values are being found.
  private var open: [String] = []
  /// What was used of this computer.
  private(set) var sources: [HTTPRequestSource] = []
  private var noted: Set<HTTPRequestSource> = []
  /// What the variables are as a token: several fields may name the same one.
  private var tokens: [String: [Substring]?] = [:]

  /// The longest text that variables may make, in bytes.
  static let largest = 16 << 20
  /// How deeply variables may be nested.
  private static let deepest = 20

  init(_ values: HTTPFile.Values, _ variables: [HTTPFile.Variable]) {
    self.values = values
    defined = Dictionary(variables.map { ($0.name, $0) }) { $1 }
  }

  /// Notes something that was used.
  mutating func note(_ source: HTTPRequestSource) {
    if noted.insert(source).inserted { sources.append(source) }
  }

  /// The text with values for `{{…}}`.
  ///
  /// - Parameter line: the number of its line.
  mutating func expand(_ text: some StringProtocol, line: Int) throws(HTTPFile.Remark) -> String {
    var result = ""
    var rest = Substring(text)
    while let start = rest.firstRange(of: "{{"),
      let end = rest[start.upperBound...].firstRange(of: "}}")
    {
      result += rest[..<start.lowerBound]
      result += try value(of: rest[start.upperBound..<end.lowerBound].trimmed, line: line)
      rest = rest[end.upperBound...]
      guard result.utf8.count <= Self.largest else { throw .tooLong(line) }
    }
    return result + rest
  }

  /// Whether the text is a token, `{{$aadV2Token …}}`, also by way of a variable; the words after
  /// the name if it is.
  mutating func token(_ text: some StringProtocol) -> [Substring]? {
    token(text, depth: Self.deepestToken)
  }

  private static let deepestToken = 8

  private mutating func token(_ text: some StringProtocol, depth: Int) -> [Substring]? {
    var text = Substring(text).trimmed
    if text.prefix(7).lowercased() == "bearer " { text = text.dropFirst(7).trimmed }
    guard depth > 0, text.hasPrefix("{{"), text.hasSuffix("}}"), text.count > 4 else { return nil }
    let inner = text.dropFirst(2).dropLast(2).trimmed
    let words = inner.split(whereSeparator: \.isWhitespace)
    if let first = words.first, Self.tokenNames.contains(String(first)) {
      return Array(words.dropFirst())
    }
    let name = String(inner)
    guard values.given[name] == nil, let variable = defined[name] else { return nil }
    guard depth == Self.deepestToken else { return token(variable.value, depth: depth - 1) }
    if let known = tokens[name] { return known }
    let found = token(variable.value, depth: depth - 1)
    tokens.updateValue(found, forKey: name)
    return found
  }

  private static let tokenNames: Set<String> = ["$aadToken", "$aadV2Token"]

  private mutating func value(
    of expression: Substring, line: Int
  ) throws(HTTPFile.Remark) -> String {
    if expression.hasPrefix("$") { return try systemValue(expression, line: line) }
    guard expression.hasPrefix("%") else {
      return try value(called: String(expression), line: line)
    }
    // Another "%" belongs to the name.
    let inner = expression.dropFirst()
    return FormEncoding.percentEncoded(
      inner.hasPrefix("$")
        ? try systemValue(inner, line: line) : try value(called: String(inner), line: line))
  }

  /// The value of a variable that was given, or that is in the file.
  private mutating func value(
    called name: String, line: Int
  ) throws(HTTPFile.Remark) -> String {
    if let value = values.given[name] ?? known[name] { return value }
    if let variable = defined[name] {
      guard !open.contains(name) else {
        throw HTTPFile.Remark(
          variable.line, Sentence("The variable “{name}” needs its own value.", ["name": name]))
      }
      guard open.count < Self.deepest else {
        throw HTTPFile.Remark(
          variable.line, Sentence("The variables are nested too deeply."))
      }
      open.append(name)
      defer { open.removeLast() }
      let value = try expand(variable.value, line: variable.line)
      known[name] = value
      return value
    }
    if values.hasPlaceholders { return Self.placeholder(name) }
    if name.contains(".response.") || name.contains(".request.") {
      throw HTTPFile.Remark(
        line,
        Sentence(
          "“{text}” is from another request, whose response is not kept. Define “@name = value” in"
            + " the file.", ["text": name]))
    }
    throw HTTPFile.Remark(
      line,
      Sentence(
        "The variable “{name}” has no value. Define “@{name} = value” in the file.",
        ["name": name]), variable: name)
  }

  private static func placeholder(_ name: some StringProtocol) -> String {
    "{" + name.filter { $0.isLetter || $0.isNumber || $0 == "-" } + "}"
  }

  // MARK: System variables

  private mutating func systemValue(
    _ expression: Substring, line: Int
  ) throws(HTTPFile.Remark) -> String {
    let words = expression.split(whereSeparator: \.isWhitespace).map(String.init)
    let arguments = Array(words.dropFirst())
    let value: String?
    switch words[0] {
    case "$dotenv", "$processEnv":
      value = try variable(words[0] == "$dotenv", arguments, line)
    case let name where name.hasPrefix("$env."):
      value = environment(String(name.dropFirst(5)))
    case _ where values.hasPlaceholders: value = nil
    case "$guid", "$uuid", "$random.uuid": value = UUID().uuidString.lowercased()
    case "$timestamp":
      let seconds = time(arguments).flatMap {
        Int(exactly: $0.timeIntervalSince1970.rounded(.down))
      }
      value = seconds.map { String($0) }
    case "$isoTimestamp": value = values.now().formatted(.iso8601)
    case "$datetime":
      let date = time(Array(arguments.dropFirst()))
      let isHTTP = arguments.first == "rfc1123"
      value = date.flatMap { date -> String? in
        guard isHTTP || arguments.first == "iso8601" else { return nil }
        return isHTTP ? HTTPDate.text(date) : date.formatted(.iso8601)
      }
    case "$randomInt": value = Self.number(arguments)
    case let name where Self.tokenNames.contains(name):
      throw HTTPFile.Remark(
        line,
        Sentence("A token can be only in the header field Authorization, and nothing else there."))
    default: value = nil
    }
    if let value { return value }
    if values.hasPlaceholders { return Self.placeholder(arguments.last ?? words[0]) }
    throw HTTPFile.Remark(
      line,
      ["$dotenv", "$processEnv"].contains(words[0]) || words[0].hasPrefix("$env.")
        ? Sentence("The variable “{name}” is not set.", ["name": "\(expression)"])
        : Sentence("“{name}” cannot be used here.", ["name": "\(expression)"]))
  }

  /// The value of an environment variable; with `%`, the name is in a variable.
  private mutating func variable(
    _ isDotenv: Bool, _ arguments: [String], _ line: Int
  ) throws(HTTPFile.Remark) -> String? {
    guard let first = arguments.first, arguments.count == 1 else { return nil }
    let name =
      first.hasPrefix("%") ? try value(called: String(first.dropFirst()), line: line) : first
    guard isDotenv else { return environment(name) }
    guard let value = values.dotenv[name] else { return nil }
    note(.dotEnv(name))
    return value
  }

  private mutating func environment(_ name: String) -> String? {
    guard let value = values.environment(name) else { return nil }
    note(.environment(name))
    return value
  }

  /// The time, or one as far from it as `-1 d` says.
  private func time(_ arguments: [String]) -> Date? {
    guard !arguments.isEmpty else { return values.now() }
    let units: [String: Calendar.Component] = [
      "y": .year, "M": .month, "w": .weekOfYear, "d": .day, "h": .hour, "m": .minute,
      "s": .second,
    ]
    guard arguments.count == 2, let number = Int(arguments[0]),
      (-100_000_000...100_000_000).contains(number)
    else { return nil }
    if arguments[1] == "ms" { return values.now() + Double(number) / 1000 }
    guard let unit = units[arguments[1]], let zone = TimeZone(secondsFromGMT: 0) else { return nil }
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = zone
    return calendar.date(byAdding: unit, value: number, to: values.now())
  }

  /// A random number; `10 20` is one of 10 to 19.
  private static func number(_ arguments: [String]) -> String? {
    guard !arguments.isEmpty else { return String(Int.random(in: 0..<1000)) }
    guard arguments.count == 2, let low = Int(arguments[0]), let high = Int(arguments[1]),
      low < high
    else { return nil }
    return String(Int.random(in: low..<high))
  }
}

extension HTTPFile.Remark {
  static func tooLong(_ line: Int) -> HTTPFile.Remark {
    HTTPFile.Remark(line, Sentence("The values of the variables are too long."))
  }
}
