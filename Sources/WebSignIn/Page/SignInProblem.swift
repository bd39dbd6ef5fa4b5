import AuthCore
import CGio
import Gio
import Gtk
import Localization
import Sentences

/// Why there is no page to show.
enum SignInProblem: Equatable {
  /// Nothing has arrived for a long time, but it still may.
  case slow(host: String)
  /// The host did not answer, or the connection was lost.
  case network(host: String, reason: String, kind: FailureKind)
  /// The host responded, but sent nothing that can be shown; the HTTP status.
  case noPage(host: String, status: Int)
  /// The host's certificate is not valid.
  case tls(host: String, faults: UInt32)
  /// A page navigated to a scheme that is not allowed here, or to an address that is not valid.
  case forbidden(scheme: String)
  /// The page's scripts have blocked it for a long time, but may still end.
  case unresponsive(host: String)
  /// The web process crashed twice.
  case crashed
  /// The web process used too much memory.
  case outOfMemory

  /// A page navigated to `url`, which is not allowed here.
  static func forbidden(url: String) -> SignInProblem {
    // A page chooses the text, and GTK takes seconds to lay out a very long one.
    .forbidden(scheme: String((Origin.scheme(of: url) ?? "").prefix(32)))
  }

  /// The heading.
  var title: String {
    switch self {
    case .slow: tr("Taking Longer Than Usual")
    case .network, .noPage: tr("Page Not Available")
    case .tls: tr("Connection Not Secure")
    case .forbidden("http"): tr("Connection Not Encrypted")
    case .forbidden: tr("Page Not Allowed")
    case .unresponsive: tr("Page Not Responding")
    case .crashed, .outOfMemory: tr("Page Stopped Working")
    }
  }

  /// The message, in one or two sentences.
  var message: String {
    switch self {
    case .slow(let host):
      tr("“{host}” has not responded yet.", ["host": host])
    case .network(let host, let reason, _):
      tr("“{host}” could not be reached: {reason}.", ["host": host, "reason": reason])
    case .noPage(let host, let status) where status >= 400:
      tr(
        "“{host}” responded with an error ({status}). Reload the page, or try again later.",
        ["host": host, "status": "\(status)"])
    case .noPage(let host, _):
      tr("“{host}” responded with a file instead of a page.", ["host": host])
    case .tls(let host, let faults):
      tr(
        "“{host}” could not prove its identity: {reason}.",
        ["host": host, "reason": Self.words(for: faults)])
    case .forbidden("http"):
      tr("The page was stopped because it tried to use an unencrypted connection.")
    case .forbidden("https"):
      tr("The page was stopped because it tried to open an address that is not valid.")
    case .forbidden(let scheme):
      tr("The page was stopped because it tried to open a “{scheme}” link.", ["scheme": scheme])
    case .unresponsive(let host):
      tr("The page of “{host}” does not respond. You can wait or reload it.", ["host": host])
    case .crashed:
      tr("The sign-in page ended unexpectedly.")
    case .outOfMemory:
      tr("The sign-in page used too much memory.")
    }
  }

  /// The icon above the heading.
  var iconName: String {
    switch self {
    case .slow, .unresponsive: "content-loading-symbolic"
    case .network, .noPage: "network-error-symbolic"
    case .tls, .forbidden: "channel-insecure-symbolic"
    case .crashed, .outOfMemory: "computer-fail-symbolic"
    }
  }

  /// Whether the problem may resolve itself.
  var mayPass: Bool {
    switch self {
    case .slow, .unresponsive: true
    default: false
    }
  }

  /// The error of the sign-in when the user cancels now.
  var error: AuthenticationError {
    switch self {
    case .slow, .unresponsive: .signInCanceled
    case .network(_, _, let kind): .noPage(message, kind)
    case .tls: AuthenticationError(.tlsFailure, message, step: .authorization)
    default: AuthenticationError(.webAuthenticationFailed, message, step: .authorization)
    }
  }

  private static func words(for faults: UInt32) -> String {
    let known: [(GTlsCertificateFlags, String)] = [
      (G_TLS_CERTIFICATE_BAD_IDENTITY, tr("its certificate is for another host")),
      (G_TLS_CERTIFICATE_EXPIRED, tr("its certificate has expired")),
      (G_TLS_CERTIFICATE_NOT_ACTIVATED, tr("its certificate is not valid yet")),
      (G_TLS_CERTIFICATE_REVOKED, tr("its certificate was revoked")),
      (G_TLS_CERTIFICATE_INSECURE, tr("its certificate uses an outdated algorithm")),
      (G_TLS_CERTIFICATE_UNKNOWN_CA, tr("the issuer of its certificate is not trusted")),
    ]
    let found = known.filter { faults & $0.0.rawValue != 0 }.map(\.1)
    return found.isEmpty ? tr("its certificate is not valid") : found.joined(separator: ", ")
  }
}

extension AuthenticationError {
  /// The user canceled, or the task was canceled.
  static var signInCanceled: AuthenticationError {
    AuthenticationError(
      .userCanceled, Sentence("The sign-in was canceled."), step: .authorization)
  }
}

extension AuthenticationError {
  /// The network kept a page from loading.
  fileprivate static func noPage(_ message: String, _ kind: FailureKind) -> AuthenticationError {
    var error = AuthenticationError(.networkUnavailable, message, step: .authorization)
    error.missingResponse = kind
    return error
  }
}

extension GLibError {
  /// What kind of failure it is that a host was not reached.
  var missingResponse: FailureKind {
    switch ioError {
    case G_IO_ERROR_TIMED_OUT, G_IO_ERROR_CONNECTION_CLOSED: .noResponse
    case G_IO_ERROR_CONNECTION_REFUSED: .notReachable
    default: .noConnection
    }
  }

  /// Why a host was not reached: GLib's words for the usual reasons are about sockets.
  var reason: String {
    if domain == String(cString: g_quark_to_string(g_resolver_error_quark())) {
      return tr("there is no such host, or the network is not available")
    }
    return switch ioError {
    case G_IO_ERROR_TIMED_OUT: tr("it did not respond in time")
    case G_IO_ERROR_CONNECTION_REFUSED: tr("it refused the connection")
    case G_IO_ERROR_HOST_NOT_FOUND: tr("there is no such host, or the network is not available")
    case G_IO_ERROR_HOST_UNREACHABLE, G_IO_ERROR_NETWORK_UNREACHABLE:
      tr("it cannot be reached from this network")
    case G_IO_ERROR_CONNECTION_CLOSED: tr("it closed the connection")
    default: message
    }
  }
}
