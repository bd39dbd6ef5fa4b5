import AuthCore
public import FoundationEssentials

/// The path of a resource, relative to the version of the API, with its query options.
///
/// Write it as in Graph's documentation; values are percent-encoded, and cannot leave their place:
///
/// ```swift
/// let path: GraphPath = "/users/\(id)/messages?$filter=subject eq '\(subject)'"
/// ```
///
/// Between quotation marks, a quotation mark of a value is doubled (OData 4.01, URL Conventions,
/// section 5.1.1.6.1). What you write around the values is sent as it is, except for characters
/// that cannot stand in a URL. A segment that is empty, `.` or `..` because of a value is an error
/// when the request is sent: it would be another resource.
///
/// ``init(_:)`` takes a path that a person or a file has written, in which nothing is a value.
///
/// A path that begins with `https://`, such as the link to a next page, must be on the host of the
/// client.
public struct GraphPath: Sendable, Hashable, CustomStringConvertible {
  /// The encoded text.
  public let description: String
  /// Whether a value changes which resource it is.
  let isMisleading: Bool

  /// Whether it is a whole URL.
  let isAbsolute: Bool

  /// A whole URL from the service, which is used as it is.
  public init(url: String) {
    description = url
    isMisleading = false
    isAbsolute = true
  }

  /// Takes a whole path, as it is written in a literal.
  ///
  /// A value within it could make it another resource: put values into a literal.
  public init(_ text: String) {
    var interpolation = StringInterpolation(literalCapacity: 0, interpolationCount: 0)
    interpolation.appendLiteral(text)
    self.init(stringInterpolation: interpolation)
  }

  /// The path with an encoded text at its end.
  func appending(_ text: String) -> GraphPath {
    GraphPath(
      description: description + text, isMisleading: isMisleading, isAbsolute: isAbsolute)
  }

  /// The path without the query option called `name`, in lower case.
  func removing(_ name: String) -> GraphPath {
    guard let query = FormEncoding.query(of: description) else { return self }
    let options = query.split(separator: "&").filter {
      FormEncoding.parse($0)?.first?.name.lowercased() != name
    }
    return GraphPath(
      description: "\(description[..<query.startIndex])\(options.joined(separator: "&"))"
        + "\(description[query.endIndex...])", isMisleading: isMisleading, isAbsolute: isAbsolute)
  }

  private init(description: String, isMisleading: Bool, isAbsolute: Bool) {
    self.description = description
    self.isMisleading = isMisleading
    self.isAbsolute = isAbsolute
  }
}

extension GraphPath: ExpressibleByStringInterpolation {
  /// Encodes what is written and the values within it.
  public struct StringInterpolation: StringInterpolationProtocol {
    fileprivate var text = ""
    private var isQuoted = false
    private var isInQuery = false
    /// The last segment of the path, encoded.
    private var segment = ""
    /// Whether it has a value.
    private var hasValue = false
    /// Whether an earlier segment is another one because of a value.
    private var wasMisleading = false

    /// Starts an empty path.
    public init(literalCapacity: Int, interpolationCount: Int) {}

    /// Adds what is written.
    public mutating func appendLiteral(_ literal: String) {
      for scalar in literal.unicodeScalars {
        if scalar == "'" { isQuoted.toggle() }
        if !isInQuery, scalar == "/" || scalar == "?" { endSegment() }
        if scalar == "?" { isInQuery = true }
        // "%" is kept: what is written may already be encoded.
        let isAllowed =
          (0x21...0x7E).contains(scalar.value) && !"\"#<>\\^`{|}".unicodeScalars.contains(scalar)
        append(isAllowed ? String(scalar) : FormEncoding.percentEncoded(String(scalar)))
      }
    }

    /// Adds a value, encoded.
    public mutating func appendInterpolation(_ value: some CustomStringConvertible) {
      let value = value.description
      if !isQuoted, !isInQuery {
        hasValue = true
        // The key of no resource: `users()` is all of them.
        if value.isEmpty, segment.last.map({ "(=,".contains($0) }) == true { wasMisleading = true }
      }
      append(FormEncoding.percentEncoded(isQuoted ? value.replacing("'", with: "''") : value))
    }

    /// Adds a time as OData has it: in ISO 8601 and UTC, without fractions of a second.
    public mutating func appendInterpolation(_ date: Date) {
      appendInterpolation(date.formatted(.iso8601))
    }

    private mutating func append(_ encoded: String) {
      text += encoded
      if !isInQuery { segment += encoded }
    }

    private mutating func endSegment() {
      wasMisleading = isMisleading
      (segment, hasValue) = ("", false)
    }

    /// Whether a value changes which resource it is.
    fileprivate var isMisleading: Bool {
      guard !wasMisleading, hasValue else { return wasMisleading }
      // A colon is the end of the name of a file.
      let name = segment.drop { $0 == "/" }
      let core = name.hasSuffix(":") ? name.dropLast() : name
      return ["", ".", ".."].contains(core.lowercased().replacing("%2e", with: "."))
    }
  }

  /// Takes a path as it is written.
  public init(stringLiteral literal: String) { self.init(literal) }

  /// Takes a path with values.
  public init(stringInterpolation: StringInterpolation) {
    description = stringInterpolation.text
    isMisleading = stringInterpolation.isMisleading
    isAbsolute = description.prefix(8).lowercased() == "https://"
  }
}
