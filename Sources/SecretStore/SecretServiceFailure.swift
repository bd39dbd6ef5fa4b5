import AuthCore
import CGio
import CSecret
import Gio
import Sentences

/// Why a Secret Service operation failed.
enum SecretServiceFailure: Error, Equatable {
  /// There is no session bus.
  case noBus
  /// Nothing on the session bus provides secrets.
  case noService
  /// There is no default collection.
  case noDefaultCollection
  /// The keyring is locked, and was not unlocked.
  case locked
  /// The service asked the user for consent, and they declined.
  case declined
  /// The item no longer exists.
  case noSuchItem
  /// The service did not answer in time, or the wait was canceled.
  case noAnswer
  /// Any other error, with the service's message.
  case other(String)

  /// Maps GLib's error.
  init(_ error: GLibError) {
    if let code = error.ioError {
      self =
        switch code {
        case G_IO_ERROR_CANCELLED, G_IO_ERROR_TIMED_OUT: .noAnswer
        // An error name that GLib has no number for.
        case G_IO_ERROR_DBUS_ERROR: .other(error.message)
        // No bus to connect to: GIO reports every reason as "failed" or as a file error.
        default: .noBus
        }
    } else if let code = error.busError {
      self =
        switch code {
        case G_DBUS_ERROR_NO_REPLY, G_DBUS_ERROR_TIMEOUT, G_DBUS_ERROR_TIMED_OUT: .noAnswer
        case G_DBUS_ERROR_SERVICE_UNKNOWN, G_DBUS_ERROR_NAME_HAS_NO_OWNER,
          G_DBUS_ERROR_SPAWN_SERVICE_NOT_FOUND, G_DBUS_ERROR_SPAWN_EXEC_FAILED,
          G_DBUS_ERROR_SPAWN_CHILD_EXITED:
          .noService
        case G_DBUS_ERROR_NO_SERVER, G_DBUS_ERROR_DISCONNECTED: .noBus
        case G_DBUS_ERROR_UNKNOWN_OBJECT, G_DBUS_ERROR_UNKNOWN_METHOD: .noSuchItem
        default: .other(error.message)
        }
    } else if error.domain == String(cString: g_quark_to_string(secret_error_get_quark())) {
      self =
        switch SecretError(rawValue: UInt32(truncatingIfNeeded: error.code)) {
        case SECRET_ERROR_IS_LOCKED: .locked
        case SECRET_ERROR_NO_SUCH_OBJECT: .noSuchItem
        default: .other(error.message)
        }
    } else {
      self = .other(error.message)
    }
  }

  /// Calls a C function that reports a `GError`, and throws what it means.
  @discardableResult
  static func check<Result>(
    _ body: (inout UnsafeMutablePointer<GError>?) -> Result
  ) throws(SecretServiceFailure) -> Result {
    do throws(GLibError) {
      return try GLibError.check(body)
    } catch {
      throw SecretServiceFailure(error)
    }
  }

  /// Whether the service itself answered, so that trying again would not help.
  var isAnswer: Bool {
    switch self {
    case .locked, .declined, .noSuchItem, .noAnswer, .noDefaultCollection: true
    case .noBus, .noService, .other: false
    }
  }

  /// The reason, to follow "because".
  var reason: Sentence {
    switch self {
    case .locked: Sentence("the keyring is locked")
    case .declined: Sentence("you declined the keyring’s request")
    case .noSuchItem: Sentence("the keyring lost an item")
    case .noAnswer: Sentence("the keyring does not respond")
    case .other(let words): Sentence("the keyring reported a problem ({words})", ["words": words])
    case .noBus, .noService, .noDefaultCollection: presence.absence ?? Sentence([])
    }
  }

  /// The error for the caller.
  var authenticationError: AuthenticationError {
    let sentence =
      self == .declined
      ? Sentence("Access to the accounts in the keyring was denied: {reason}.", ["reason": reason])
      : Sentence(
        "Accounts are remembered only until this program ends, because {reason}.",
        ["reason": reason])
    var error = AuthenticationError(.storageUnavailable, sentence, step: .storage)
    if self != .declined { error.reasonForMemory = reason }
    return error
  }

  /// What the failure means for the presence of a keyring.
  var presence: KeyringPresence {
    switch self {
    case .noBus: .noBus
    case .noService: .noService
    case .noDefaultCollection: .noDefaultCollection
    case .locked, .declined: .locked
    case .noSuchItem: .failed("\(reason)")
    case .noAnswer: .noAnswer
    case .other(let words): .failed(words)
    }
  }
}
