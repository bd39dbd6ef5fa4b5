import Gio
import CGio
import CWebKit
import Gtk

/// Limits the web view to hosts whose certificates a connection's own authorities have signed.
///
/// WebKit always trusts the system's authorities, and can only be told to accept further single
/// certificates. So, when a connection has its own authorities, WebKit uses this gate as its proxy.
/// For each connection that it requests, the gate first gets the host's certificate; only if the
/// authorities have signed it, WebKit is told to accept it, and the connection is made. Nothing of
/// a page is sent to any other host, and nothing is sent without encryption.
@MainActor
final class ConnectionGate {
  /// A host that was refused.
  struct Refused {
    let origin: Origin
    let refusal: PrivateCA.Refusal
  }

  /// Longer than any request head of WebKit.
  private static let longestHead = 8192
  private static let headTimeout: guint = 20

  private let authority: PrivateCA
  private let session: Object
  private let service: Object
  private let report: @MainActor (Refused) -> Void
  private var accepted: [String: [Object]] = [:]
  private var refusals: [String: PrivateCA.Refusal] = [:]
  private var tunnels: [Int: Task<Void, Never>] = [:]
  private var lastTunnel = 0

  /// Opens the gate on a loopback address, and makes it the only proxy of `session`.
  ///
  /// - Parameter report: called with each host that was refused.
  init(
    authority: PrivateCA, session: Object, report: @escaping @MainActor (Refused) -> Void
  ) throws(GLibError) {
    self.authority = authority
    self.session = session
    self.report = report
    service = Object(owning: g_socket_service_new())
    let port = try listen()
    let settings = webkit.network_proxy_settings_new("http://127.0.0.1:\(port)", nil)
    webkit.network_session_set_proxy_settings(
      session.opaque, WEBKIT_NETWORK_PROXY_MODE_CUSTOM, settings)
    webkit.network_proxy_settings_free(settings)
    service.connectReturningBool("incoming") { [weak self] arguments in
      if let connection = arguments.object(0) { self?.open(connection) }
      return true
    }
    g_socket_service_start(service.ptr())
  }

  /// Closes the gate and all its connections.
  func close() {
    g_socket_service_stop(service.ptr())
    g_socket_listener_close(service.ptr())
    for tunnel in tunnels.values { tunnel.cancel() }
  }

  /// Why `origin` was refused; nil if it was not.
  func refusal(of origin: Origin) -> PrivateCA.Refusal? { refusals["\(origin)"] }

  /// Whether `certificate` was accepted for `origin`.
  func hasAccepted(_ certificate: Object, of origin: Origin) -> Bool {
    accepted["\(origin)", default: []].contains {
      g_tls_certificate_is_same($0.ptr(), certificate.ptr()) != 0
    }
  }

  private func listen() throws(GLibError) -> UInt16 {
    let loopback = Object(owning: g_inet_address_new_loopback(G_SOCKET_FAMILY_IPV4))
    let address = Object(owning: g_inet_socket_address_new(loopback.ptr(), 0))
    var effective: UnsafeMutablePointer<GSocketAddress>?
    try GLibError.check {
      _ = g_socket_listener_add_address(
        service.ptr(), address.ptr(), G_SOCKET_TYPE_STREAM, G_SOCKET_PROTOCOL_TCP, nil, &effective,
        &$0)
    }
    guard let effective else { throw GLibError(domain: "", code: 0, message: "") }
    let place = Object(owning: effective)
    return g_inet_socket_address_get_port(place.ptr())
  }

  // MARK: One connection

  private func open(_ connection: Object) {
    lastTunnel += 1
    let number = lastTunnel
    tunnels[number] = Task { [weak self] in
      await self?.serve(connection)
      g_io_stream_close_async(connection.ptr(), G_PRIORITY_DEFAULT, nil, nil, nil)
      self?.tunnels[number] = nil
    }
  }

  private func serve(_ connection: Object) async {
    g_socket_set_timeout(g_socket_connection_get_socket(connection.ptr()), Self.headTimeout)
    // Unencrypted requests are neither answered nor forwarded.
    guard let head = await readHead(connection), let origin = Self.destination(head) else { return }
    do throws(PrivateCA.Refusal) {
      await accept(try await authority.certificate(of: origin), of: origin)
      let host = try await authority.connect(to: origin)
      await send("HTTP/1.1 200 Connection established\r\n\r\n", to: connection)
      // The page and the user decide how long a connection may be idle.
      for end in [connection, host] {
        g_socket_set_timeout(g_socket_connection_get_socket(end.ptr()), 0)
      }
      await join(connection, host)
    } catch {
      guard !Task.isCancelled else { return }
      refusals["\(origin)"] = error
      report(Refused(origin: origin, refusal: error))
      await send("HTTP/1.1 502 Bad Gateway\r\nContent-Length: 0\r\n\r\n", to: connection)
    }
  }

  /// Tells WebKit to accept `certificate` from `origin`.
  ///
  /// This is the only place that does so. It is reached only with a connection's own authorities,
  /// after they have verified the certificate.
  private func accept(_ certificate: Object, of origin: Origin) async {
    refusals["\(origin)"] = nil
    if !hasAccepted(certificate, of: origin) {
      accepted["\(origin)", default: []].append(certificate)
    }
    // Each time, because the network process may have been restarted.
    webkit.network_session_allow_tls_certificate_for_host(
      session.opaque, certificate.ptr(), origin.host)
    await waitForNetworkProcess()
  }

  /// Waits until WebKit's network process has handled all previous calls.
  private func waitForNetworkProcess() async {
    guard let manager = webkit.network_session_get_cookie_manager(session.opaque) else { return }
    _ = try? await awaitOperation { cancellable, ready, data in
      webkit.cookie_manager_get_accept_policy(manager, cancellable, ready, data)
    } finish: { result, error in
      webkit.cookie_manager_get_accept_policy_finish(manager, result, &error)
    }
  }

  /// The request head that WebKit sends.
  private func readHead(_ connection: Object) async -> String? {
    guard let input = g_io_stream_get_input_stream(connection.ptr()) else { return nil }
    var head: [UInt8] = []
    while head.count < Self.longestHead {
      let bytes = try? await awaitOperation { cancellable, ready, data in
        g_input_stream_read_bytes_async(
          input, gsize(Self.longestHead), G_PRIORITY_DEFAULT, cancellable, ready, data)
      } finish: { result, error in
        g_input_stream_read_bytes_finish(input, result, &error)
      }
      guard let bytes = bytes ?? nil else { return nil }
      defer { g_bytes_unref(bytes) }
      var count: gsize = 0
      guard let start = g_bytes_get_data(bytes, &count), count > 0 else { return nil }
      head += UnsafeRawBufferPointer(start: start, count: Int(count))
      if head.suffix(4) == Array("\r\n\r\n".utf8) { return String(decoding: head, as: UTF8.self) }
    }
    return nil
  }

  /// The destination in a head: `CONNECT host:port HTTP/1.1`.
  static func destination(_ head: String) -> Origin? {
    let words = head.prefix { $0 != "\r\n" }.split(separator: " ")
    guard words.count == 3, words[0] == "CONNECT", let origin = Origin("https://\(words[1])") else {
      return nil
    }
    return origin
  }

  private func send(_ text: String, to connection: Object) async {
    guard let output = g_io_stream_get_output_stream(connection.ptr()),
      let bytes = g_bytes_new(text, gsize(text.utf8.count))
    else { return }
    defer { g_bytes_unref(bytes) }
    // The few bytes fit into the socket's buffer.
    _ = try? await awaitOperation { cancellable, ready, data in
      g_output_stream_write_bytes_async(output, bytes, G_PRIORITY_DEFAULT, cancellable, ready, data)
    } finish: { result, error in
      g_output_stream_write_bytes_finish(output, result, &error)
    }
  }

  /// Forwards data in both directions, until one end closes.
  private func join(_ connection: Object, _ host: Object) async {
    let flags = GIOStreamSpliceFlags(
      rawValue: G_IO_STREAM_SPLICE_CLOSE_STREAM1.rawValue
        | G_IO_STREAM_SPLICE_CLOSE_STREAM2.rawValue)
    try? await awaitOperation { cancellable, ready, data in
      g_io_stream_splice_async(
        connection.ptr(), host.ptr(), flags, G_PRIORITY_DEFAULT, cancellable, ready, data)
    } finish: { result, error in
      _ = g_io_stream_splice_finish(result, &error)
    }
  }
}
