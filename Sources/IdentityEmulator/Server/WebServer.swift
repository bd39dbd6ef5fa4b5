import CMicroHTTPD
import Glibc

/// An HTTPS server on 127.0.0.1, based on libmicrohttpd.
///
/// libmicrohttpd's thread reads and writes. When it has read a complete request, it suspends the
/// connection and passes the request to a task through a stream. When the task has the response, it
/// resumes the connection, and the thread sends it.
final class WebServer: Sendable {
  /// Why the server cannot start.
  struct CannotListen: Error {
    let reason: String
  }

  /// The port it listens on.
  let port: Int
  /// Safe to share: libmicrohttpd can be stopped from any thread.
  private nonisolated(unsafe) let daemon: OpaquePointer
  private let inbox: Inbox
  private let answering: Task<Void, Never>

  /// Starts to listen.
  ///
  /// - Parameters:
  ///   - port: the port; 0 for any free one.
  ///   - responder: creates the responses. If it throws a ``CancellationError``, the connection
  ///     is closed.
  init(
    port: Int, certificate: ServerCertificate,
    responder: @escaping @Sendable (Request) async throws -> Response
  ) throws(CannotListen) {
    guard let number = UInt16(exactly: port) else {
      throw CannotListen(reason: "There is no such port.")
    }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = number.bigEndian
    address.sin_addr.s_addr = INADDR_LOOPBACK.bigEndian

    let (exchanges, continuation) = AsyncStream<Exchange>.makeStream()
    inbox = Inbox(continuation)
    // libmicrohttpd uses it until it has stopped.
    let context = Unmanaged.passRetained(inbox)
    let daemon = entrance_start_daemon(
      &address, certificate.pem, certificate.keyPEM,
      "NORMAL:-VERS-ALL:+VERS-TLS1.3:+VERS-TLS1.2", 1 << 17, begin, proceed, end,
      context.toOpaque())
    guard let daemon else {
      let reason = String(cString: strerror(errno))
      context.release()
      throw CannotListen(reason: reason)
    }
    self.daemon = daemon
    self.port = Int(entrance_daemon_port(daemon))
    answering = Task {
      await withDiscardingTaskGroup { group in
        for await exchange in exchanges {
          group.addTask { await exchange.answer(by: responder) }
        }
        // The server stops: these responses are not needed any longer.
        group.cancelAll()
      }
    }
  }

  /// Closes all connections and the port.
  func stop() async {
    // First, because no connection may be suspended when libmicrohttpd stops, nor resumed later.
    inbox.exchanges.finish()
    await answering.value
    MHD_stop_daemon(daemon)
    Unmanaged.passUnretained(inbox).release()
  }
}

// MARK: - Callbacks of libmicrohttpd

/// Receives the requests from libmicrohttpd's thread.
private final class Inbox: Sendable {
  let exchanges: AsyncStream<Exchange>.Continuation

  init(_ exchanges: AsyncStream<Exchange>.Continuation) { self.exchanges = exchanges }
}

/// Begins an exchange after the first line of a request.
///
/// The returned pointer is passed to all further callbacks, and ``end`` releases it.
private func begin(
  _: UnsafeMutableRawPointer?, target: UnsafePointer<CChar>?, connection: OpaquePointer?
) -> UnsafeMutableRawPointer? {
  guard let target, let connection else { return nil }
  let exchange = Exchange(connection: connection, target: String(cString: target))
  return Unmanaged.passRetained(exchange).toOpaque()
}

/// Continues an exchange.
private func proceed(
  context: UnsafeMutableRawPointer?, _: OpaquePointer?, _: UnsafePointer<CChar>?,
  method: UnsafePointer<CChar>?, _: UnsafePointer<CChar>?, part: UnsafePointer<CChar>?,
  size: UnsafeMutablePointer<Int>?, exchange: UnsafeMutablePointer<UnsafeMutableRawPointer?>?
) -> MHD_Result {
  guard let context, let method, let size, let exchange = exchange?.pointee else { return .NO }
  let inbox = Unmanaged<Inbox>.fromOpaque(context).takeUnretainedValue()
  let bytes = UnsafeRawBufferPointer(start: part, count: size.pointee)
  // All bytes were consumed.
  size.pointee = 0
  return Unmanaged<Exchange>.fromOpaque(exchange).takeUnretainedValue().proceed(
    method: String(cString: method), part: bytes
  ) { exchange in
    if case .enqueued = inbox.exchanges.yield(exchange) { true } else { false }
  }
}

/// Ends an exchange: the response was sent, or the connection was closed.
private func end(
  _: UnsafeMutableRawPointer?, _: OpaquePointer?,
  exchange: UnsafeMutablePointer<UnsafeMutableRawPointer?>?, _: MHD_RequestTerminationCode
) {
  guard let pointer = exchange?.pointee else { return }
  Unmanaged<Exchange>.fromOpaque(pointer).release()
  exchange?.pointee = nil
}
