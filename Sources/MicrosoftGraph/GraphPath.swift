import AuthCore

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

  /// The path with an encoded text at its end.
  func appending(_ text: String) -> GraphPath {
    GraphPath(
      description: description + text, isMisleading: isMisleading, isAbsolute: isAbsolute)
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
    fileprivate var isMisleading = false
    private var isQuoted = false
    private var isInQuery = false

    /// Starts an empty path.
    public init(literalCapacity: Int, interpolationCount: Int) {}

    /// Adds what is written.
    public mutating func appendLiteral(_ literal: String) {
      for scalar in literal.unicodeScalars {
        if scalar == "'" { isQuoted.toggle() }
        if scalar == "?" { isInQuery = true }
        // "%" is kept: what is written may already be encoded.
        let isAllowed =
          (0x21...0x7E).contains(scalar.value) && !"\"#<>\\^`{|}".contains(Character(scalar))
        text += isAllowed ? String(scalar) : FormEncoding.percentEncoded(String(scalar))
      }
    }

    /// Adds a value, encoded.
    public mutating func appendInterpolation(_ value: some CustomStringConvertible) {
      let value = value.description
      if !isQuoted, !isInQuery, value.isEmpty || value == "." || value == ".." {
        isMisleading = true
      }
      text += FormEncoding.percentEncoded(isQuoted ? value.replacing("'", with: "''") : value)
    }
  }

  /// Takes a path as it is written.
  public init(stringLiteral literal: String) {
    var interpolation = StringInterpolation(
      literalCapacity: literal.utf8.count, interpolationCount: 0)
    interpolation.appendLiteral(literal)
    self.init(stringInterpolation: interpolation)
  }

  /// Takes a path with values.
  public init(stringInterpolation: StringInterpolation) {
    description = stringInterpolation.text
    isMisleading = stringInterpolation.isMisleading
    isAbsolute = description.prefix(8).lowercased() == "https://"
  }
}
