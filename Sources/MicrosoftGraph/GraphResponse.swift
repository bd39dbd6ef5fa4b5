public import AuthCore
public import FoundationEssentials

/// A successful response.
public struct GraphResponse: Sendable, Equatable {
  /// The HTTP status: 200…299.
  public var status: Int
  /// The media type of the body, as the server sent it; empty when it sent none.
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
  /// - Throws: `JSONError` when the body is not JSON.
  public func json() throws(JSONError) -> JSON {
    try JSON(parsing: body)
  }
}
