import Gio
import AuthCore
import CGio
import CWebKit
import CurlHTTP
import FoundationEssentials
import Glibc
import Gtk
import Sentences

/// A connection's certificate authorities, which replace the system's.
@MainActor
final class PrivateCA {
  /// Why a host was refused.
  enum Refusal: Error, Equatable {
    /// The connection failed, for this reason.
    case unreachable(reason: String, kind: FailureKind)
    /// Its certificate has these errors (GLib's flags).
    case faults(UInt32)

    /// The connection failed with `error`.
    static func failed(_ error: GLibError) -> Refusal {
      .unreachable(reason: error.reason, kind: error.missingResponse)
    }
  }

  /// The time limit of a host for one step, in seconds.
  private static let timeout: guint = 20
  /// More certificates than any chain has.
  private static let longestChain = 10

  /// GLib reads authorities only from files, and reads this file again for each connection.
  private let file: Int32
  private let database: Object

  /// Parses the authorities from PEM text.
  init(pem: Data) throws(AuthenticationError) {
    file = pem.withUnsafeBytes { entrance_memory_file($0.baseAddress, $0.count) }
    do throws(GLibError) {
      database = try Self.makeDatabase(file)
    } catch {
      if file >= 0 { close(file) }
      throw AuthenticationError(
        .invalidConfiguration,
        Sentence(
          "The CA file of this app cannot be used: {reason}",
          ["reason": error.message]))
    }
  }

  isolated deinit {
    close(file)
  }

  /// Connects to a host, through the system's proxy if there is one.
  func connect(to origin: Origin) async throws(Refusal) -> Object {
    let client = Object(owning: g_socket_client_new())
    g_socket_client_set_timeout(client.ptr(), Self.timeout)
    // No proxy leads to this computer.
    g_socket_client_set_enable_proxy(client.ptr(), origin.isLoopback ? 0 : 1)
    do throws(GLibError) {
      return try await awaitOperation { cancellable, ready, data in
        // With the scheme, which determines the proxy.
        g_socket_client_connect_to_uri_async(
          client.ptr(), "https://\(origin)", 443, cancellable, ready, data)
      } finish: { result, error in
        g_socket_client_connect_to_uri_finish(client.ptr(), result, &error)
          .map { Object(owning: $0) } ?? client
      }
    } catch {
      throw .failed(error)
    }
  }

  /// The host's certificate, after these authorities have verified the whole chain, its dates and
  /// the host's name.
  func certificate(of origin: Origin) async throws(Refusal) -> Object {
    let tls = try secure(try await connect(to: origin), to: origin)
    defer { g_io_stream_close_async(tls.ptr(), G_PRIORITY_DEFAULT, nil, nil, nil) }
    do throws(GLibError) {
      try await awaitOperation { cancellable, ready, data in
        g_tls_connection_handshake_async(tls.ptr(), G_PRIORITY_DEFAULT, cancellable, ready, data)
      } finish: { result, error in
        _ = g_tls_connection_handshake_finish(tls.ptr(), result, &error)
      }
    } catch {
      let faults = g_tls_connection_get_peer_certificate_errors(tls.ptr())
      throw faults.rawValue == 0 ? .failed(error) : .faults(faults.rawValue)
    }
    guard let peer = g_tls_connection_get_peer_certificate(tls.ptr()) else { throw .unknownIssuer }
    let certificate = Object(borrowing: peer)
    guard endsAtAuthority(certificate) else { throw .unknownIssuer }
    return certificate
  }

  /// A TLS connection over `connection`, before the handshake.
  private func secure(_ connection: Object, to origin: Origin) throws(Refusal) -> Object {
    do throws(GLibError) {
      let identity = Object(
        owning: try GLibError.value {
          g_network_address_parse_uri("https://\(origin)", 443, &$0)
        })
      let tls = Object(
        owning: try GLibError.value {
          g_tls_client_connection_new(connection.ptr(), identity.opaque, &$0)
        })
      g_tls_connection_set_database(tls.ptr(), database.ptr())
      return tls
    } catch {
      throw .failed(error)
    }
  }

  /// Whether the chain of `certificate` ends at one of the authorities.
  ///
  /// GLib would also accept a server's own certificate in the file, which libcurl is told not to:
  /// both must interpret a file in the same way.
  private func endsAtAuthority(_ certificate: Object) -> Bool {
    var link = certificate
    for _ in 0..<Self.longestChain {
      guard let issuer = issuer(of: link) else { return false }
      if g_tls_certificate_is_same(issuer.ptr(), link.ptr()) != 0 { return true }
      link = issuer
    }
    return false
  }

  private func issuer(of certificate: Object) -> Object? {
    if let sent = g_tls_certificate_get_issuer(certificate.ptr()) {
      return Object(borrowing: sent)
    }
    return g_tls_database_lookup_certificate_issuer(
      database.ptr(), certificate.ptr(), nil, G_TLS_DATABASE_LOOKUP_NONE, nil, nil
    ).map { Object(owning: $0) }
  }

  private static func makeDatabase(_ file: Int32) throws(GLibError) -> Object {
    guard file >= 0 else {
      throw GLibError(domain: "", code: 0, message: String(cString: strerror(errno)))
    }
    return Object(
      owning: try GLibError.value { g_tls_file_database_new("/proc/self/fd/\(file)", &$0) })
  }
}

extension PrivateCA.Refusal {
  /// The certificate was not issued by the authorities.
  static var unknownIssuer: Self { .faults(G_TLS_CERTIFICATE_UNKNOWN_CA.rawValue) }
}
