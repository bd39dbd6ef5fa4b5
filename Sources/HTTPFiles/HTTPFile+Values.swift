import CurlHTTP
public import FoundationEssentials

extension HTTPFile {
  /// Where the values of variables come from.
  public struct Values: Sendable {
    /// The variables that were given, which replace those of the file.
    public var given: [String: String]
    /// The variables of the file `.env`.
    public var dotenv: [String: String]
    /// Whether a variable without a value becomes its name in braces, as in a path of Graph's
    /// documentation.
    public var hasPlaceholders: Bool
    let environment: @Sendable (String) -> String?
    let now: @Sendable () -> Date

    /// Creates the values.
    ///
    /// - Parameters:
    ///   - given: the variables that were given.
    ///   - dotenv: the variables of the file `.env`.
    ///   - hasPlaceholders: whether a variable may have no value.
    ///   - environment: the environment of the process.
    ///   - now: the clock.
    public init(
      given: [String: String] = [:], dotenv: [String: String] = [:], hasPlaceholders: Bool = false,
      environment: @escaping @Sendable (String) -> String? = { _ in nil },
      now: @escaping @Sendable () -> Date = { Date() }
    ) {
      self.given = given
      self.dotenv = dotenv
      self.hasPlaceholders = hasPlaceholders
      self.environment = environment
      self.now = now
    }

    /// The variables of a file `.env`: `NAME=value` lines, also with quotation marks and `export`.
    public static func dotenv(_ bytes: [UInt8]) -> [String: String] {
      var values: [String: String] = [:]
      for line in String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isNewline)
      where !String(line).hasTooManyAccents {
        var text = line.trimmed
        if text.hasPrefix("export ") { text = text.dropFirst(7).trimmed }
        let name = text.prefix { $0 != "=" }
        guard name.count < text.count, !name.hasPrefix("#"), !name.trimmed.isEmpty else { continue }
        var value = text.dropFirst(name.count + 1).trimmed
        if let quote = value.first, "\"'".contains(quote) {
          let inner = value.dropFirst()
          if let end = inner.firstIndex(of: quote) { value = inner[..<end] }
        } else if let comment = value.firstRange(of: " #") {
          value = value[..<comment.lowerBound].trimmed
        }
        values[String(name.trimmed)] = String(value)
      }
      return values
    }
  }
}

extension HTTPFile.Values {
  /// Reads the values of the file `.env` beside the file at `path`, if there is one.
  ///
  /// - Parameters:
  ///   - given: the variables that were given.
  ///   - hasPlaceholders: whether a variable may have no value.
  ///   - environment: the environment of the process.
  public init(
    besideFileAt path: String, given: [String: String] = [:], hasPlaceholders: Bool = false,
    environment: @escaping @Sendable (String) -> String? = { _ in nil }
  ) {
    let bytes = try? FileReader(".env", in: HTTPFile.directory(of: path))
      .read(upTo: FileReader.Limit.small)
    self.init(
      given: given, dotenv: Self.dotenv(MarkedText.utf8(bytes ?? [])),
      hasPlaceholders: hasPlaceholders,
      environment: environment)
  }
}
