import FoundationEssentials
import HTTPTypes

/// An error in the identity platform's format.
///
/// The numbers and messages are those of
/// <https://learn.microsoft.com/entra/identity-platform/reference-error-codes>.
struct EntraError: Error, Sendable {
  /// The `AADSTS` number; nil for an error that the platform documents without one.
  let code: Int?
  /// The OAuth error.
  let error: String
  /// The message for the number.
  let message: String
  /// The `suberror`, where the platform documents one.
  var suberror: String?
  /// The `error_subcode` of an authorization response.
  var subcode: String?

  init(_ code: Int?, _ error: String, _ message: String) {
    self.code = code
    self.error = error
    self.message = message
  }

  /// The number with its prefix, or else the OAuth error.
  var name: String { code.map { "AADSTS\($0)" } ?? error }

  /// The message with its number.
  var sentence: String { code == nil ? message : "\(name): \(message)" }

  /// The message with its number, and the IDs for finding it in a log.
  func description(_ trace: RequestTrace) -> String {
    "\(sentence) Trace ID: \(trace.traceID) "
      + "Correlation ID: \(trace.correlationID) Timestamp: \(trace.timestamp)"
  }

  /// The body of an error response of the token endpoint.
  ///
  /// - Parameter kind: the kind of service: only Entra adds numbers and a trace to what RFC 6749,
  ///   section 5.2, defines.
  func json(_ trace: RequestTrace, origin: String, kind: AuthorityKind = .entra) -> JSON {
    guard kind.isMicrosoftEntra else {
      return ["error": .string(error), "error_description": .string(message)]
    }
    var json: JSON = [
      "error": .string(error),
      "error_description": .string(description(trace)),
      "error_codes": .array(code.map { [.number($0)] } ?? []),
      "timestamp": .string(trace.timestamp),
      "trace_id": .string(trace.traceID),
      "correlation_id": .string(trace.correlationID),
      "error_uri": .string("\(origin)/error?code=\(code.map(String.init) ?? error)"),
    ]
    json["suberror"] = suberror.map(JSON.string)
    return json
  }
}

/// Identifies a request in logs and error messages.
struct RequestTrace: Sendable {
  /// The server's request ID.
  let traceID = Random.guid()
  /// The client's request ID, or a new one.
  let correlationID: String
  /// When the request arrived.
  let timestamp = Date().platformTimestamp

  init(correlationID: String?) {
    self.correlationID =
      correlationID.flatMap(UUID.init(uuidString:))?.uuidString.lowercased()
      ?? Random.guid()
  }

  /// Reads the correlation ID from the `client-request-id` header or from the query.
  init(_ request: Request) {
    self.init(
      correlationID: request.headers[named: "client-request-id"]
        ?? request.queryForm["client-request-id"])
  }
}
