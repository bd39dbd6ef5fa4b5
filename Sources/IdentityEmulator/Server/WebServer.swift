import CMicroHTTPD
import Glibc

/// An HTTPS server on 127.0.0.1: libmicrohttpd, and a task that answers.
///
/// libmicrohttpd has a thread that reads and writes. When it has read a whole request, the
/// connection is suspended, and the request goes through a stream to the task; when that has the
/// answer, the connection is resumed, and the thread sends it.
final class WebServer: Sendable {
  /// Why there is no server.
  struct CannotListen: Error {
    let reason: String
  }

  /// The port it listens on.
  let port: Int
  /// Unsafe only in name: libmicrohttpd does not mind from which thread it is stopped.
  private nonisolated(unsafe) let daemon: OpaquePointer
  private let inbox: Inbox
  private let answering: Task<Void, Never>

  /// Starts to listen.
  ///
  /// - Parameters:
  ///   - port: The port; 0 for a free one.
  ///   - responder: Makes the answers. A ``CancellationError`` of its closes the connection.
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
    // libmicrohttpd knows it until it has stopped.
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
        // The server stops: nobody waits for these any more.
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

// MARK: - What libmicrohttpd calls

/// What libmicrohttpd's thread puts the requests into.
private final class Inbox: Sendable {
  let exchanges: AsyncStream<Exchange>.Continuation

  init(_ exchanges: AsyncStream<Exchange>.Continuation) { self.exchanges = exchanges }
}

/// Begins an exchange when the first line of a request is there.
///
/// What is returned comes with all further calls, and ``end`` releases it.
private func begin(
  _: UnsafeMutableRawPointer?, target: UnsafePointer<CChar>?, connection: OpaquePointer?
) -> UnsafeMutableRawPointer? {
  guard let target, let connection else { return nil }
  let exchange = Exchange(connection: connection, target: String(cString: target))
  return Unmanaged.passRetained(exchange).toOpaque()
}

/// Goes on with an exchange.
private func proceed(
  context: UnsafeMutableRawPointer?, _: OpaquePointer?, _: UnsafePointer<CChar>?,
  method: UnsafePointer<CChar>?, _: UnsafePointer<CChar>?, part: UnsafePointer<CChar>?,
  size: UnsafeMutablePointer<Int>?, exchange: UnsafeMutablePointer<UnsafeMutableRawPointer?>?
) -> MHD_Result {
  guard let context, let method, let size, let exchange = exchange?.pointee else { return .NO }
  let inbox = Unmanaged<Inbox>.fromOpaque(context).takeUnretainedValue()
  let bytes = UnsafeRawBufferPointer(start: part, count: size.pointee)
  // All of it is taken in: nothing is left for the next call.
  size.pointee = 0
  return Unmanaged<Exchange>.fromOpaque(exchange).takeUnretainedValue().proceed(
    method: String(cString: method), part: bytes
  ) { exchange in
    if case .enqueued = inbox.exchanges.yield(exchange) { true } else { false }
  }
}

/// Ends an exchange: the last byte of the answer is sent, or the connection is gone.
private func end(
  _: UnsafeMutableRawPointer?, _: OpaquePointer?,
  exchange: UnsafeMutablePointer<UnsafeMutableRawPointer?>?, _: MHD_RequestTerminationCode
) {
  guard let pointer = exchange?.pointee else { return }
  Unmanaged<Exchange>.fromOpaque(pointer).release()
  exchange?.pointee = nil
}
