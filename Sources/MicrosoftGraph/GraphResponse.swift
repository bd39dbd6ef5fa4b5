public import AuthCore
public import FoundationEssentials

/// A successful answer.
public struct GraphResponse: Sendable, Equatable {
  /// The HTTP status: 200…299.
  public var status: Int
  /// The media type of the body, as the server named it; empty when it named none.
  public var contentType: String
  /// The body.
  public var body: Data

  /// Creates a response.
  public init(status: Int, contentType: String, body: Data) {
    self.status = status
    self.contentType = contentType
    self.body = body
  }

  /// The body as JSON: members in the server's order, numbers as it wrote them.
  ///
  /// - Throws: `JSONError` when it is something else.
  public func json() throws(JSONError) -> JSON {
    try JSON(parsing: body)
  }
}
