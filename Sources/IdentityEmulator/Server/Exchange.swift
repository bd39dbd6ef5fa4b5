import CMicroHTTPD
import HTTPTypes

/// A request and its response.
///
/// Unchecked, because it is never used by two threads at a time: libmicrohttpd's thread uses it
/// until the connection is suspended, a task until it is resumed, and the thread again until the
/// end.
final class Exchange: @unchecked Sendable {
  private enum Step { case head, body, answer }

  private let connection: OpaquePointer
  private var step = Step.head
  private var request: Request
  private var isTooLarge = false
  /// Nil for no response: the connection is closed.
  private var response: Response?

  /// Creates an exchange with the request target of the first line.
  init(connection: OpaquePointer, target: String) {
    self.connection = connection
    request = Request(target: target)
  }

  // MARK: - On libmicrohttpd's thread

  /// Takes one step: libmicrohttpd requests one after the head, for each part of the body, at the
  /// end of the body, and when the connection is resumed.
  ///
  /// - Parameters:
  ///   - part: a part of the body; empty at its end.
  ///   - submit: passes the complete request to a task; returns false when there is none any
  ///     longer.
  func proceed(
    method: String, part: UnsafeRawBufferPointer, submit: (Exchange) -> Bool
  ) -> MHD_Result {
    switch step {
    case .head:
      guard let method = HTTPRequest.Method(method) else { return .NO }
      request.method = method
      request.headers = headers()
      // A large body that grows would be there twice. What is not written takes no memory.
      let size = request.headers[.contentLength].flatMap { Int($0) } ?? 0
      request.body.reserveCapacity(min(max(size, 0), request.maximumBody))
      step = .body
    case .body where !part.isEmpty:
      // The rest is still read, because libmicrohttpd accepts no response before the end.
      isTooLarge = isTooLarge || part.count > request.maximumBody - request.body.count
      if isTooLarge { request.body = [] } else { request.body += part }
    case .body:
      if isTooLarge { return send(HTTPError(.contentTooLarge).response) }
      step = .answer
      // Suspend first: the task may resume the connection before `submit` returns.
      MHD_suspend_connection(connection)
      if !submit(self) { MHD_resume_connection(connection) }
    case .answer:
      guard let response else { return .NO }
      return send(response)
    }
    return .YES
  }

  private func headers() -> HTTPFields {
    var headers = HTTPFields()
    withUnsafeMutablePointer(to: &headers) { headers in
      _ = MHD_get_connection_values(
        connection, .HEADER_KIND,
        { headers, _, name, value in
          let headers = headers?.assumingMemoryBound(to: HTTPFields.self)
          if let name = name.flatMap({ HTTPField.Name(String(cString: $0)) }) {
            let value = value.map { String(cString: $0) } ?? ""
            headers?.pointee.append(HTTPField(name: name, value: value))
          }
          return .YES
        }, headers)
    }
    return headers
  }

  private func send(_ response: Response) -> MHD_Result {
    let reply = response.body.withUnsafeBytes {
      MHD_create_response_from_buffer(
        $0.count, UnsafeMutableRawPointer(mutating: $0.baseAddress), .RESPMEM_MUST_COPY)
    }
    guard let reply else { return .NO }
    defer { MHD_destroy_response(reply) }
    for field in response.headers {
      _ = MHD_add_response_header(reply, field.name.rawName, field.value)
    }
    return MHD_queue_response(connection, UInt32(clamping: response.status.code), reply)
  }

  // MARK: - In a task

  /// Gets the response, and resumes the connection.
  func answer(by responder: @Sendable (Request) async throws -> Response) async {
    do {
      response = try await responder(request)
    } catch is CancellationError {
      response = nil
    } catch {
      response = Response(status: .internalServerError)
    }
    MHD_resume_connection(connection)
  }
}
