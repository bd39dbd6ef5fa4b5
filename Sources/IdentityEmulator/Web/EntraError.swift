import FoundationEssentials
import HTTPTypes

/// A refusal in the form the identity platform gives it.
///
/// The numbers and words are those of
/// <https://learn.microsoft.com/entra/identity-platform/reference-error-codes>.
struct EntraError: Error, Sendable {
  /// The number behind `AADSTS`; nil for an error that the platform documents without one.
  let code: Int?
  /// The OAuth error.
  let error: String
  /// The sentence behind the number.
  let message: String
  /// What kind of `error` it is, where the platform says so.
  var suberror: String?
  /// The `error_subcode` of an authorization response.
  var subcode: String?

  init(_ code: Int?, _ error: String, _ message: String) {
    self.code = code
    self.error = error
    self.message = message
  }

  /// The number with what stands before it, or else the OAuth error.
  var name: String { code.map { "AADSTS\($0)" } ?? error }

  /// The sentence with its number.
  var sentence: String { code == nil ? message : "\(name): \(message)" }

  /// The sentence with its number and what is needed to find it in a log.
  func description(_ trace: RequestTrace) -> String {
    "\(sentence) Trace ID: \(trace.traceID) "
      + "Correlation ID: \(trace.correlationID) Timestamp: \(trace.timestamp)"
  }

  /// The body of an error response of the token endpoint.
  ///
  /// - Parameter kind: Whose endpoint it is: only Entra has numbers and a trace beside what RFC 6749,
  ///   section 5.2, has.
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
    if let suberror { json.append("suberror", .string(suberror)) }
    return json
  }
}

/// What identifies one request in logs and error messages.
struct RequestTrace: Sendable {
  /// The server's own ID of the request.
  let traceID = Random.guid()
  /// The ID the client gave, or one of our own.
  let correlationID: String
  /// When the request came.
  let timestamp = Date().platformTimestamp

  init(correlationID: String?) {
    self.correlationID =
      correlationID.flatMap(UUID.init(uuidString:))?.uuidString.lowercased()
      ?? Random.guid()
  }

  /// Takes the correlation ID from the `client-request-id` header, or from the query.
  init(_ request: Request) {
    self.init(
      correlationID: request.headers[named: "client-request-id"]
        ?? request.queryForm["client-request-id"])
  }
}
