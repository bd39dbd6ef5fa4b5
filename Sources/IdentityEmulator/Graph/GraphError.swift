import FoundationEssentials
import HTTPTypes

/// An error in Microsoft Graph's format.
struct GraphError: Error, Sendable {
  let status: HTTPResponse.Status
  var code: String
  var message: String

  /// No token, or an unknown one.
  static func invalidToken(_ message: String) -> GraphError {
    GraphError(status: .unauthorized, code: "InvalidAuthenticationToken", message: message)
  }

  /// The token lacks a scope for the directory.
  static let insufficientPrivileges = GraphError(
    status: .forbidden, code: "Authorization_RequestDenied",
    message: "Insufficient privileges to complete the operation.")

  /// The token lacks a scope for a mailbox.
  static let accessDenied = GraphError(
    status: .forbidden, code: "ErrorAccessDenied",
    message: "Access is denied. Check credentials and try again.")

  /// The token lacks a scope for Teams.
  static let missingScope = GraphError(
    status: .forbidden, code: "Forbidden",
    message: "Missing scope permissions on the request.")

  /// A delta token that is not known any longer.
  static let resyncRequired = GraphError(
    status: .gone, code: "resyncRequired",
    message: "Resync is required. Replace your local items with the server's version.")

  /// A request that Graph refuses, too.
  static func badRequest(_ message: String) -> GraphError {
    GraphError(status: .badRequest, code: "BadRequest", message: message)
  }

  /// A request that Graph may answer, and the emulator cannot.
  static func notPlayed(_ what: String) -> GraphError {
    GraphError(
      status: .notImplemented, code: "notImplemented",
      message: "The emulator does not play \(what).")
  }

  static func unsupportedQuery(_ message: String) -> GraphError {
    GraphError(status: .badRequest, code: "Request_UnsupportedQuery", message: message)
  }

  static func requestBadRequest(_ message: String) -> GraphError {
    GraphError(status: .badRequest, code: "Request_BadRequest", message: message)
  }

  /// There is no item with an ID in the directory.
  static func notFound(_ id: String) -> GraphError {
    GraphError(
      status: .notFound, code: "Request_ResourceNotFound",
      message: "Resource '\(id)' does not exist or one of its queried reference-property objects "
        + "are not present.")
  }

  /// There is no such item in a mailbox, which has the photo of its user, too.
  static let notInMailbox = GraphError(
    status: .notFound, code: "ErrorItemNotFound",
    message: "The specified object was not found in the store.")

  static let changed = GraphError(
    status: .preconditionFailed, code: "ErrorIrresolvableConflict",
    message: "The ETag in If-Match is not that of the current version.")

  static let nameExists = GraphError(
    status: .conflict, code: "nameAlreadyExists",
    message: "An item with the same name already exists under the parent.")

  static let methodNotAllowed = GraphError(
    status: .methodNotAllowed, code: "Request_BadRequest",
    message: "Specified HTTP method is not allowed for the request target.")

  static let noFilePermission = GraphError(
    status: .forbidden, code: "accessDenied", message: "Access denied.")

  static let noItem = GraphError(
    status: .notFound, code: "itemNotFound", message: "The resource could not be found.")

  static func invalidOption(_ name: String, value: String) -> GraphError {
    GraphError(
      status: .badRequest, code: "BadRequest",
      message: "Invalid value '\(value)' for $\(name) query option found. The $\(name) query "
        + "option requires a non-negative integer value.")
  }

  /// The error envelope.
  func json(requestID: String, clientRequestID: String) -> JSON {
    let date = Date().formatted(.iso8601.dateTimeSeparator(.standard)).dropLast()
    return [
      "error": [
        "code": .string(code),
        "message": .string(message),
        "innerError": [
          "date": .string(String(date)),
          "request-id": .string(requestID),
          "client-request-id": .string(clientRequestID),
        ],
      ]
    ]
  }
}
