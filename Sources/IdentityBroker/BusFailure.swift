import AuthCore
import CGio
import Sentences

/// Why a call over the bus returned no readable reply.
enum BusFailure: Error, Equatable {
  /// There is no bus, or nothing owns the name on it.
  case absent
  /// The call was canceled.
  case cancelled
  /// No reply came before the time limit, or before the other side left the bus.
  case noAnswer
  /// The other side, or the bus, replied with an error.
  case refused(name: String, message: String)
  /// The reply is not what the method returns.
  case unreadable(Sentence)

  /// Maps GLib's error.
  init(_ error: UnsafeMutablePointer<GError>?) {
    guard let error else {
      self = .unreadable(Sentence("no reason given"))
      return
    }
    defer { g_error_free(error) }
    let code = UInt32(bitPattern: error.pointee.code)
    switch error.pointee.domain {
    case g_io_error_quark():
      self.init(GIOErrorEnum(rawValue: code), error)
    case g_dbus_error_quark():
      switch GDBusError(rawValue: code) {
      case G_DBUS_ERROR_NO_REPLY, G_DBUS_ERROR_TIMEOUT, G_DBUS_ERROR_TIMED_OUT: self = .noAnswer
      case G_DBUS_ERROR_SERVICE_UNKNOWN, G_DBUS_ERROR_NAME_HAS_NO_OWNER,
        G_DBUS_ERROR_DISCONNECTED, G_DBUS_ERROR_NO_SERVER:
        self = .absent
      default: self = .refused(by: error)
      }
    default: self = .refused(by: error)
    }
  }

  private init(_ code: GIOErrorEnum, _ error: UnsafeMutablePointer<GError>) {
    switch code {
    case G_IO_ERROR_CANCELLED: self = .cancelled
    case G_IO_ERROR_TIMED_OUT: self = .noAnswer
    // An error name that GLib has no number for.
    case G_IO_ERROR_DBUS_ERROR: self = .refused(by: error)
    // The reply has another type than the method's.
    case G_IO_ERROR_INVALID_ARGUMENT: self = .unreadable(Sentence("it is not text"))
    // The connection broke or never existed: the remaining socket errors.
    default: self = .absent
    }
  }

  private static func refused(by error: UnsafeMutablePointer<GError>) -> BusFailure {
    let name = g_dbus_error_get_remote_error(error)
    defer { g_free(name) }
    g_dbus_error_strip_remote_error(error)
    return .refused(
      name: name.map { String(cString: $0) } ?? "", message: String(cString: error.pointee.message))
  }

  /// The error for the caller.
  func authenticationError(_ correlationID: String) -> AuthenticationError {
    var error =
      switch self {
      case .cancelled: AuthenticationError(.userCanceled, Sentence("The request was canceled."))
      case .absent, .noAnswer:
        AuthenticationError(
          .brokerUnavailable, Sentence("This computer's identity broker did not respond."))
      case .refused:
        AuthenticationError(
          .brokerUnavailable,
          Sentence("This computer's identity broker refused the request."))
      case .unreadable(let reason):
        AuthenticationError(
          .invalidResponse,
          Sentence(
            "This computer's identity broker sent an invalid response: {reason}.",
            ["reason": reason]))
      }
    if case .refused(let name, let message) = self {
      error.serverDescription = String("\(name): \(message)".prefix(2000))
    }
    error.step = .broker
    error.correlationID = correlationID
    return error
  }
}
