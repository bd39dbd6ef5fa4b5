import AuthCore
import CGio
import Gio
import Sentences

/// Why a call over the bus returned no readable reply.
enum BusFailure: Error, Equatable {
  /// There is no bus, or nothing owns the name on it.
  case absent
  /// The call was canceled.
  case cancelled
  /// No reply came before the time limit, or before the other side left the bus.
  case noAnswer
  /// The reply is empty text.
  case empty
  /// The other side, or the bus, replied with an error.
  case refused(name: String, message: String)
  /// The reply is not what the method returns.
  case unreadable(Sentence)

  /// Maps GLib's error.
  init(_ error: GLibError) {
    self =
      switch (error.ioError, error.busError) {
      case (G_IO_ERROR_CANCELLED?, _): .cancelled
      case (G_IO_ERROR_TIMED_OUT?, _): .noAnswer
      // An error name that GLib has no number for.
      case (G_IO_ERROR_DBUS_ERROR?, _): .refused(by: error)
      // The reply has another type than the method's.
      case (G_IO_ERROR_INVALID_ARGUMENT?, _): .unreadable(Sentence("it is not text"))
      // The connection broke or never existed: the remaining socket errors.
      case (.some, _): .absent
      case (_, G_DBUS_ERROR_NO_REPLY?), (_, G_DBUS_ERROR_TIMEOUT?), (_, G_DBUS_ERROR_TIMED_OUT?):
        .noAnswer
      case (_, G_DBUS_ERROR_SERVICE_UNKNOWN?), (_, G_DBUS_ERROR_NAME_HAS_NO_OWNER?),
        (_, G_DBUS_ERROR_DISCONNECTED?), (_, G_DBUS_ERROR_NO_SERVER?):
        .absent
      case (nil, _): .refused(by: error)
      }
  }

  private static func refused(by error: GLibError) -> BusFailure {
    .refused(name: error.remoteName ?? "", message: error.message)
  }

  /// The error for the caller.
  func authenticationError(_ correlationID: String) -> AuthenticationError {
    var error =
      switch self {
      case .cancelled: AuthenticationError(.userCanceled, Sentence("The request was canceled."))
      case .absent, .noAnswer, .empty:
        AuthenticationError(
          .brokerUnavailable, Sentence("This computer’s identity broker did not respond."))
      case .refused:
        AuthenticationError(
          .brokerUnavailable,
          Sentence("This computer’s identity broker refused the request."))
      case .unreadable(let reason):
        AuthenticationError(
          .invalidResponse,
          Sentence(
            "This computer’s identity broker sent an invalid response: {reason}.",
            ["reason": reason]))
      }
    if case .refused(let name, let message) = self {
      error.serverDescription = "\(name): \(message)".shown(upTo: 2000)
    }
    error.step = .broker
    error.correlationID = correlationID
    return error
  }
}
