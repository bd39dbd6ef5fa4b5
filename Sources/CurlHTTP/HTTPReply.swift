public import FoundationEssentials
public import HTTPTypes

/// A complete HTTP response: head and body.
public struct HTTPReply: Sendable, Equatable {
  /// Status and header fields.
  public var response: HTTPResponse
  /// The body, after any content coding was decoded.
  public var body: Data

  /// Creates a reply.
  public init(response: HTTPResponse, body: Data = Data()) {
    self.response = response
    self.body = body
  }
}
