public import AuthCore
import CurlHTTP
public import FoundationEssentials
public import HTTPTypes
package import Sentences

/// A successful response.
public struct GraphResponse: Sendable, Equatable {
  /// The HTTP status: 200…299.
  public var status: Int
  /// The header fields.
  public var headerFields: HTTPFields
  /// The body.
  public var body: Data

  /// Creates a response.
  public init(status: Int, headerFields: HTTPFields = [:], body: Data = Data()) {
    self.status = status
    self.headerFields = headerFields
    self.body = body
  }

  init(_ reply: HTTPReply) {
    self.init(
      status: reply.response.status.code, headerFields: reply.response.headerFields,
      body: reply.body)
  }

  /// The media type of the body, as the server sent it; empty when it sent none.
  public var contentType: String { headerFields[.contentType] ?? "" }
  /// The version of the resource, for `ifMatch`: the header field, or the member `@odata.etag`.
  public var eTag: String? {
    headerFields[.eTag] ?? (try? json())?["@odata.etag"]?.string
  }
  /// The server's ID of the request, which support asks for.
  public var requestID: String? { headerFields[.requestID] }
  /// Where a created resource is, or where the state of an accepted request can be read.
  public var location: String? { headerFields[.location] }

  /// The body as JSON: members in the server's order, numbers as it wrote them.
  ///
  /// - Throws: ``GraphError`` with code ``GraphError/Code/invalidResponse`` when the body is not
  ///   JSON; its cause is a `JSONError`.
  public func json() throws(GraphError) -> JSON {
    do throws(JSONError) {
      return try JSON(parsing: body)
    } catch {
      throw GraphError(invalid: self, cause: error)
    }
  }

  /// The body as a value; dates are in ISO 8601, with any number of fractional digits.
  ///
  /// - Throws: ``GraphError`` with code ``GraphError/Code/invalidResponse``, whose cause says what
  ///   does not fit.
  public func decode<Value: Decodable>(_ type: Value.Type = Value.self) throws(GraphError) -> Value
  {
    do {
      return try Self.decoder.decode(type, from: body)
    } catch {
      throw GraphError(invalid: self, cause: error)
    }
  }

  /// Decodes what Graph sends.
  static let decoder: JSONDecoder = {
    let decoder = JSONDecoder()
    decoder.dateDecodingStrategy = .custom { decoder in
      let container = try decoder.singleValueContainer()
      let text = try container.decode(String.self)
      guard let date = date(text) else {
        throw DecodingError.dataCorruptedError(
          in: container, debugDescription: "“\(text)” is not a date in ISO 8601.")
      }
      return date
    }
    return decoder
  }()

  /// Parses a date in ISO 8601, with any number of fractional digits; a date without a time zone,
  /// which some resources have, is one in UTC.
  static func date(_ text: String) -> Date? {
    // By bytes, which is faster: a list can have hundreds of dates.
    var whole = text
    var fraction: Double = 0
    if let point = text.utf8.firstIndex(of: UInt8(ascii: ".")) {
      let digits = text.utf8[point...].dropFirst().prefix(while: \.isDigit)
      whole = String(text[..<point]) + text[digits.endIndex...]
      fraction = Double("0.\(Substring(digits))") ?? 0
    }
    let time = whole.utf8.drop { $0 != UInt8(ascii: "T") }
    let hasZone = time.contains { "Z+-".utf8.contains($0) }
    if time.isEmpty { whole += "T00:00:00Z" } else if !hasZone { whole += "Z" }
    guard let date = try? Date(whole, strategy: .iso8601) else { return nil }
    return date + fraction
  }
}

/// What a service says about the end of a resource or of a version of an API.
public struct GraphDeprecation: Sendable, Equatable {
  /// When it stops working (`Sunset`, RFC 8594); nil when the service does not say.
  public let sunset: Date?
  /// Where to read about it; nil when the service does not say.
  public let link: String?

  /// What it says, for the developer.
  package var sentence: Sentence {
    guard let sunset else { return Sentence("This API is deprecated.") }
    return Sentence(
      "This API is deprecated, and works until {date}.",
      ["date": sunset.formatted(.iso8601.year().month().day())])
  }
}

extension GraphResponse {
  /// What the service says about the end of what was requested; nil when it says nothing.
  ///
  /// Log it, so that someone reads it in time.
  public var deprecation: GraphDeprecation? {
    let sunset = headerFields[.sunset]
    guard sunset != nil || headerFields[.deprecation] != nil else { return nil }
    // <https://one>; rel="deprecation"; type="text/html", <https://two>; rel="next" (RFC 8288)
    let link = headerFields[.link]?.split(separator: "<").first { target in
      let parameters = target.drop { $0 != ">" }.lowercased()
      return ["deprecation", "sunset"].contains { parameters.contains($0) }
    }
    return GraphDeprecation(
      sunset: sunset.flatMap { HTTPDate.date($0, near: Date()) },
      link: link.map { String($0.prefix { $0 != ">" }) })
  }
}

extension HTTPField.Name {
  fileprivate static let deprecation = Self("Deprecation").unsafelyUnwrapped
  fileprivate static let sunset = Self("Sunset").unsafelyUnwrapped
  fileprivate static let link = Self("Link").unsafelyUnwrapped
}
