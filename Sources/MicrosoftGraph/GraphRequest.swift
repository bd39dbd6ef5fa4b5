public import AuthCore
import CurlHTTP
public import FoundationEssentials
public import HTTPTypes
import Sentences

/// A request to Microsoft Graph, without its token.
public struct GraphRequest: Sendable, Hashable {
  /// `GET`, `POST`, `PUT`, `PATCH` or `DELETE`.
  public var method: HTTPRequest.Method
  /// The resource.
  public var path: GraphPath
  /// The query options, in order; they follow those of ``path``.
  public var query: [GraphQueryOption]
  /// More header fields; they cannot set the token or the request ID.
  public var headerFields: HTTPFields = [:]
  /// The body; nil for none.
  public var body: GraphBody? {
    didSet { headerFields[.contentType] = body?.contentType }
  }

  /// Creates a request.
  public init(
    _ method: HTTPRequest.Method = .get, _ path: GraphPath, _ query: GraphQueryOption...,
    body: GraphBody? = nil
  ) {
    self.method = method
    self.path = path
    self.query = query
    self.body = body
    headerFields[.contentType] = body?.contentType
  }

  /// Whether sending it twice has the same effect as sending it once (RFC 9110, section 9.2.2).
  public var isIdempotent: Bool { method != .post && method != .patch }

  /// The request for an advanced query of the directory: `$search`, `$count`, `ne`, `not`,
  /// `endsWith`, or `$orderby` with `$filter`.
  ///
  /// It sets `ConsistencyLevel: eventual` and `$count=true`, also in place of another value.
  public var advancedQuery: GraphRequest {
    var request = self
    request.headerFields[.consistencyLevel] = "eventual"
    request.path = path.removing("$count")
    request.query.removeAll { $0.name.lowercased() == "$count" }
    request.query.append(.count)
    return request
  }

  /// The request with preferences for the response (`Prefer`).
  public func prefer(_ preferences: GraphPreference...) -> GraphRequest {
    var request = self
    for preference in preferences {
      request.headerFields.append(HTTPField(name: .prefer, value: preference.rawValue))
    }
    return request
  }

  /// The request on condition that the resource is unchanged (`If-Match`).
  ///
  /// When it was changed, the error is ``GraphError/Code/conflict``.
  public func ifMatch(_ eTag: String) -> GraphRequest {
    var request = self
    request.headerFields[.ifMatch] = eTag
    return request
  }

  /// The request on condition that the resource was changed (`If-None-Match`).
  ///
  /// When it was not, the error is ``GraphError/Code/notModified``.
  public func ifNoneMatch(_ eTag: String) -> GraphRequest {
    var request = self
    request.headerFields[.ifNoneMatch] = eTag
    return request
  }

  /// Path and query, encoded.
  var target: String {
    guard !query.isEmpty else { return path.description }
    let options = query.map { option in
      // A "$" is no separator, and Graph's documentation writes it plain.
      "\(FormEncoding.percentEncoded(option.name).replacing("%24", with: "$"))="
        + FormEncoding.percentEncoded(option.value)
    }
    let text = path.description
    let separator =
      text.contains("?") ? (text.hasSuffix("?") || text.hasSuffix("&") ? "" : "&") : "?"
    return text + separator + options.joined(separator: "&")
  }
}

/// The body of a request, with its media type.
public struct GraphBody: Sendable, Hashable {
  /// The bytes.
  public var data: Data
  /// The media type.
  public var contentType: String

  /// A body of any type.
  public init(_ data: Data, contentType: String = "application/octet-stream") {
    self.data = data
    self.contentType = contentType
  }

  /// A JSON document.
  public static func json(_ json: JSON) -> GraphBody {
    GraphBody(Data(json.compactText.utf8), contentType: "application/json")
  }

  /// A value as JSON; dates in ISO 8601.
  ///
  /// - Throws: ``GraphError`` when the value cannot be encoded.
  public static func json(_ value: some Encodable) throws(GraphError) -> GraphBody {
    let encoder = JSONEncoder()
    encoder.dateEncodingStrategy = .iso8601
    do {
      return GraphBody(try encoder.encode(value), contentType: "application/json")
    } catch {
      throw GraphError(
        .invalidRequest, Sentence("The body of the request cannot be encoded."), cause: error)
    }
  }

  /// The contents of a small file; use ``GraphContent`` or `upload` for others.
  ///
  /// - Throws: ``GraphError`` when it cannot be read, or is larger than 4 MB.
  public static func file(
    _ path: String, contentType: String = "application/octet-stream"
  ) throws(GraphError) -> GraphBody {
    do throws(FileReader.Failure) {
      return GraphBody(
        Data(try FileReader(path).read(upTo: 4_000_000)), contentType: contentType)
    } catch {
      throw GraphError(file: path, error.reason, cause: error)
    }
  }
}

/// A preference for the response (`Prefer`, RFC 7240).
public struct GraphPreference: Sendable, Hashable, RawRepresentable {
  /// The preference as it is sent.
  public let rawValue: String

  /// A preference that has no function of its own.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// `return=minimal`: no body after a change.
  public static let returnMinimal = Self(rawValue: "return=minimal")
  /// `include-unknown-enum-members`: members of evolvable enumerations that were added later.
  public static let includeUnknownEnumMembers = Self(rawValue: "include-unknown-enum-members")
  /// `IdType="ImmutableId"`: Outlook's IDs that stay when an item is moved.
  public static let immutableIDs = Self(rawValue: "IdType=\"ImmutableId\"")
  /// `odata.maxpagesize`: so many items on a page.
  public static func maxPageSize(_ count: Int) -> Self {
    Self(rawValue: "odata.maxpagesize=\(count)")
  }
  /// `outlook.timezone`: times in this time zone, such as `Pacific Standard Time`.
  public static func outlookTimeZone(_ name: String) -> Self {
    Self(rawValue: "outlook.timezone=\"\(name)\"")
  }
}

extension HTTPField.Name {
  static let prefer = Self("Prefer").unsafelyUnwrapped
  static let consistencyLevel = Self("ConsistencyLevel").unsafelyUnwrapped
  static let requestID = Self("request-id").unsafelyUnwrapped
}

extension GraphRequest: ExpressibleByStringInterpolation {
  /// Takes the path of a resource to read.
  public init(stringLiteral path: String) { self.init(.get, GraphPath(path)) }

  /// Takes the path of a resource to read, with values.
  public init(stringInterpolation path: GraphPath.StringInterpolation) {
    self.init(.get, GraphPath(stringInterpolation: path))
  }
}
