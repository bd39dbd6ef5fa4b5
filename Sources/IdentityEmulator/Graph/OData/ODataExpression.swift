/// An expression of `$filter`.
indirect enum ODataExpression: Sendable {
  case literal(ODataValue)
  /// A property, or one of a property.
  case path([String])
  case comparison(Comparison, ODataExpression, ODataExpression)
  case and(ODataExpression, ODataExpression)
  case or(ODataExpression, ODataExpression)
  case not(ODataExpression)
  case isOneOf(ODataExpression, [ODataValue])
  case call(Function, [ODataExpression])
  /// `emails/any(e:e eq 'x')`: without a condition, whether there is an item.
  case lambda([String], isAll: Bool, variable: String, ODataExpression?)
  /// The number of items of a collection.
  case count([String])

  enum Comparison: String { case eq, ne, gt, ge, lt, le }

  enum Function: String {
    case startswith, endswith, contains, tolower, toupper, length

    var argumentCount: Int {
      switch self {
      case .startswith, .endswith, .contains: 2
      case .tolower, .toupper, .length: 1
      }
    }
  }

  /// Whether a directory answers it only as an advanced query.
  var isAdvanced: Bool {
    switch self {
    case .literal, .path: false
    case .comparison(let comparison, let one, let other):
      comparison == .ne || one.isAdvanced || other.isAdvanced
    case .and(let one, let other), .or(let one, let other): one.isAdvanced || other.isAdvanced
    case .not, .count: true
    case .isOneOf(let one, _): one.isAdvanced
    case .call(let function, let arguments):
      function != .startswith || arguments.contains(where: \.isAdvanced)
    case .lambda(_, _, _, let condition): condition?.isAdvanced ?? true
    }
  }
}

/// A value of an expression.
enum ODataValue: Sendable, Hashable {
  case null
  case bool(Bool)
  case number(Double)
  case string(String)
  /// Seconds since 1970.
  case date(Double)

  /// A literal without quotes; nil for a name.
  init?(literal word: String) {
    switch word {
    case "null": self = .null
    case "true": self = .bool(true)
    case "false": self = .bool(false)
    default:
      if let number = Double(word), word.utf8.allSatisfy({ "0123456789.-+eE".utf8.contains($0) }) {
        self = .number(number)
      } else if let date = ODataDate.seconds(word) {
        self = .date(date)
      } else if Self.isGUID(word) {
        self = .string(word.lowercased())
      } else {
        return nil
      }
    }
  }

  private static func isGUID(_ word: String) -> Bool {
    let parts = word.split(separator: "-", omittingEmptySubsequences: false)
    return parts.map(\.count) == [8, 4, 4, 4, 12]
      && parts.allSatisfy { $0.allSatisfy(\.isHexDigit) }
  }
}

/// Dates and times as Graph writes them.
enum ODataDate {
  /// Seconds since 1970 of a date, or of a date with a time; nil for anything else.
  ///
  /// A time without a zone is in UTC.
  static func seconds(_ text: some StringProtocol) -> Double? {
    let parts = text.split(separator: "T", maxSplits: 1, omittingEmptySubsequences: false)
    let date = parts[0].split(separator: "-", omittingEmptySubsequences: false)
    guard date.map(\.count) == [4, 2, 2], let year = Int(date[0]), let month = Int(date[1]),
      let day = Int(date[2]), (1...12).contains(month), (1...31).contains(day), year > 0
    else { return nil }
    let start = Double(days(year, month, day)) * 86_400
    guard parts.count == 2 else { return start }
    var time = Substring(parts[1])
    var offset = 0.0
    if time.last == "Z" || time.last == "z" {
      time.removeLast()
    } else if let sign = time.lastIndex(where: { "+-".contains($0) }) {
      let zone = time[time.index(after: sign)...].split(separator: ":").map { Double($0) }
      guard zone.count == 2, let hours = zone[0], let minutes = zone[1] else { return nil }
      offset = (hours * 60 + minutes) * (time[sign] == "-" ? -60 : 60)
      time = time[..<sign]
    }
    let clock = time.split(separator: ":", omittingEmptySubsequences: false).map { Double($0) }
    guard clock.count == 2 || clock.count == 3, let hours = clock[0], let minutes = clock[1],
      (0..<24).contains(hours), (0..<60).contains(minutes)
    else { return nil }
    guard let seconds = clock.count == 3 ? clock[2] : 0, (0..<61).contains(seconds) else {
      return nil
    }
    return start + hours * 3600 + minutes * 60 + seconds - offset
  }

  /// Days from 1970-01-01 to a date of the Gregorian calendar.
  private static func days(_ year: Int, _ month: Int, _ day: Int) -> Int {
    let year = month <= 2 ? year - 1 : year
    let era = year / 400
    let yearOfEra = year - era * 400
    let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
    return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
  }
}
