import AuthCore
import CGtk
import CWebKit
import Gtk

/// A certificate authority that is trusted for one sign-in, in addition to the system's.
///
/// WebKit has no setting for it. But it hands over the certificate that it did not accept, and it can
/// be told to accept one certificate for one host.
@MainActor
final class PrivateCA {
  private let database: Object
  private var accepted: [String: Object] = [:]

  /// Reads the authority's certificates from the PEM file at `path`.
  init(path: String) throws(AuthenticationError) {
    do throws(GLibError) {
      let database = try GLibError.check { g_tls_file_database_new(path, &$0) }
      guard let database else { throw GLibError(domain: "", code: 0, message: path) }
      self.database = Object(owning: database)
    } catch {
      throw AuthenticationError(
        .invalidConfiguration,
        tr(
          "The CA file “{file}” cannot be read: {reason}",
          ["file": path, "reason": error.message]))
    }
  }

  /// Makes `session` accept `certificate` from `origin`, if this authority vouches for it.
  ///
  /// This is the only place where WebKit is told to accept a certificate. It cannot be reached without
  /// a CA file, and what it accepts has passed the check that the system's authorities would have
  /// passed: the whole chain, its dates, and the host's name. WebKit did find fault with the
  /// certificate, but the only fault it may have found is that it does not know the issuer.
  ///
  /// - Returns: the faults of the certificate; without any, loading again is worth it.
  func accept(
    _ certificate: Object, errors: GTlsCertificateFlags, of origin: Origin, in session: Object
  ) async -> GTlsCertificateFlags {
    guard errors == G_TLS_CERTIFICATE_UNKNOWN_CA else { return errors }
    let faults = faults(of: certificate, from: origin)
    guard faults.rawValue == 0 else { return faults }
    accepted[origin.host] = certificate
    webkit.network_session_allow_tls_certificate_for_host(
      session.opaque, certificate.ptr(), origin.host)
    await waitForNetworkProcess(of: session)
    return faults
  }

  /// Whether `certificate` was accepted from `origin` before.
  func hasAccepted(_ certificate: Object, of origin: Origin) -> Bool {
    guard let accepted = accepted[origin.host] else { return false }
    return g_tls_certificate_is_same(accepted.ptr(), certificate.ptr()) != 0
  }

  /// Waits until WebKit's network process has done what it was told so far.
  ///
  /// It takes orders from this process and from the one with the page. Without an answer from it, the
  /// page's next request could come in before the certificate is accepted.
  private func waitForNetworkProcess(of session: Object) async {
    guard let manager = webkit.network_session_get_cookie_manager(session.opaque) else { return }
    _ = try? await awaitOperation { cancellable, ready, data in
      webkit.cookie_manager_get_accept_policy(manager, cancellable, ready, data)
    } finish: { result, error in
      webkit.cookie_manager_get_accept_policy_finish(manager, result, &error)
    }
  }

  /// What this authority finds wrong with `certificate`, coming from `origin`.
  private func faults(of certificate: Object, from origin: Origin) -> GTlsCertificateFlags {
    guard let address = g_network_address_new(origin.host, origin.port ?? 443) else {
      return G_TLS_CERTIFICATE_BAD_IDENTITY
    }
    let identity = Object(owning: address)
    // When something keeps it from checking, that is a fault among the flags, too.
    return g_tls_database_verify_chain(
      database.ptr(), certificate.ptr(), G_TLS_DATABASE_PURPOSE_AUTHENTICATE_SERVER,
      identity.opaque, nil, G_TLS_DATABASE_VERIFY_NONE, nil, nil)
  }
}
