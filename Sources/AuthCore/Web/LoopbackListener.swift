import CurlHTTP
import Dispatch
import Glibc
import Sentences

/// Listens on this machine's own addresses: for the redirect of a sign-in (RFC 8252, section 7.3), or for
/// programs that ask for a token.
///
/// No other machine can reach it. For `localhost` it takes the port on both loopback addresses, since a
/// browser may try either one: nobody else can then have the other (RFC 8252, section 8.3).
package final class LoopbackListener: Sendable {
  /// The port it listens on.
  package let port: UInt16
  /// Where it is reached: `localhost` or `127.0.0.1`, with the port.
  package let authority: String

  private let sockets: LockedValue<[Int32]>

  /// How many connections are held open at once; with more, the oldest goes.
  private static let maximumConnections = 16
  /// How long a connection may take to send its request.
  private static let requestLimit = Duration.seconds(5)
  /// How long no connection is taken when there was none to be had: for want of descriptors, say.
  private static let acceptPause = Duration.milliseconds(200)

  /// Listens where `redirectURI` leads, on any free port when it names none or leads elsewhere.
  ///
  /// - Throws: ``AuthenticationError`` with code ``AuthenticationError/Code/webAuthenticationFailed`` when
  ///   that cannot be.
  convenience init(for redirectURI: RedirectURI) throws(AuthenticationError) {
    let fixedPort = redirectURI.isLoopback ? redirectURI.loopbackPort : nil
    let isName = redirectURI.isLoopback && redirectURI.loopbackAuthority.hasPrefix("localhost")
    do throws(NoPort) {
      try self.init(port: fixedPort, byName: isName)
    } catch {
      throw AuthenticationError(
        .webAuthenticationFailed,
        fixedPort.map {
          Sentence(
            "The browser’s response cannot be received: port {port} of this computer is in use. Close"
              + " the program that uses it, and sign in again.", ["port": Int($0)])
        }
          ?? Sentence(
            "The browser’s response cannot be received: this computer has no free port for it."),
        step: .authorization)
    }
  }

  /// No port can be had.
  package struct NoPort: Error {}

  /// Listens on `port`, or on any free one.
  ///
  /// - Parameter isName: whether it is reached as `localhost`, by IPv6, too.
  package init(port fixedPort: UInt16? = nil, byName isName: Bool = false) throws(NoPort) {
    // The port that is free on one address may be taken on the other.
    for _ in 0..<8 {
      guard let first = Self.listen(AF_INET, fixedPort ?? 0) else { break }
      let port = Self.port(of: first)
      if isName, Self.hasIPv6 {
        guard let second = Self.listen(AF_INET6, port) else {
          close(first)
          continue
        }
        sockets = LockedValue([first, second])
      } else {
        sockets = LockedValue([first])
      }
      self.port = port
      authority = "\(isName ? "localhost" : "127.0.0.1"):\(port)"
      return
    }
    throw NoPort()
  }

  deinit {
    closeSockets()
  }

  /// Takes no more connections, and makes ``serve(_:)`` end.
  package func stop() {
    sockets.withLock { for socket in $0 { shutdown(socket, Int32(SHUT_RDWR)) } }
  }

  /// Answers requests until a response has a result, such as the redirect, or ``stop()`` is called.
  ///
  /// No port is open any more when it returns.
  /// - Returns: the result; nil when it was stopped.
  package func serve(_ service: some LoopbackService) async -> String? {
    await withCheckedContinuation { continuation in
      DispatchQueue(label: "loopback-listener").async { [self] in
        let result = run(service)
        closeSockets()
        continuation.resume(returning: result)
      }
    }
  }

  // MARK: - On the queue

  private struct Connection {
    let socket: Int32
    var reader = LoopbackRequestReader()
    let deadline = ContinuousClock.now + LoopbackListener.requestLimit
  }

  private func run(_ service: some LoopbackService) -> String? {
    let listening = sockets.withLock { $0 }
    var connections: [Connection] = []
    var noneBefore: ContinuousClock.Instant?
    defer { for connection in connections { Self.end(connection.socket) } }
    while true {
      let ready = Self.wait(
        for: connections.map(\.socket), and: listening, taking: noneBefore == nil,
        until: noneBefore ?? connections.first?.deadline)
      if noneBefore.map({ $0 <= .now }) == true { noneBefore = nil }
      // On Linux, this is how a listening socket reports that it was shut down.
      if listening.contains(where: { ready[$0, default: 0] & Int16(POLLHUP) != 0 }) { return nil }

      var isDone: [Int32] = []
      for index in connections.indices {
        let socket = connections[index].socket
        switch Self.progress(of: &connections[index], isReady: ready[socket] != nil) {
        case .incomplete: continue
        case .refused(let status):
          Self.send(service.refusal(status: status).bytes, to: socket)
        case .complete(let request):
          let response = service.response(to: request) { LoopbackPeer.isOwn(socket) }
          Self.send(response.bytes, to: socket)
          if let result = response.result { return result }
        }
        isDone.append(socket)
      }
      for socket in listening where ready[socket] != nil {
        let accepted = accept(socket, nil, nil)
        if accepted >= 0 {
          _ = fcntl(accepted, F_SETFD, FD_CLOEXEC)
          _ = fcntl(accepted, F_SETFL, O_NONBLOCK)
          connections.append(Connection(socket: accepted))
        } else if ![EAGAIN, EINTR, ECONNABORTED].contains(errno) {
          // The connection stays in the queue: to look again at once would be to do nothing else.
          noneBefore = .now + Self.acceptPause
        }
      }
      isDone += connections.filter { !isDone.contains($0.socket) }
        .dropLast(Self.maximumConnections).map(\.socket)
      for socket in isDone { Self.end(socket) }
      connections.removeAll { isDone.contains($0.socket) }
    }
  }

  /// Reads what there is; a connection that takes too long, or that the browser closed, is refused.
  private static func progress(
    of connection: inout Connection, isReady: Bool
  ) -> LoopbackRequestReader.Progress {
    guard isReady else {
      return connection.deadline < .now ? .refused(status: 408) : .incomplete
    }
    var buffer = [UInt8](repeating: 0, count: 16 << 10)
    let count = read(connection.socket, &buffer, buffer.count)
    if count < 0, errno == EAGAIN || errno == EINTR { return .incomplete }
    return count > 0 ? connection.reader.take(buffer[..<count]) : .refused(status: 400)
  }

  private static func send(_ response: [UInt8], to socket: Int32) {
    // It is short enough for the socket's buffer; a browser that has gone away does not matter.
    _ = Glibc.send(socket, response, response.count, Int32(MSG_NOSIGNAL))
    shutdown(socket, Int32(SHUT_WR))
    // What has come of the rest is read: closing with bytes unread takes the page back.
    var rest = [UInt8](repeating: 0, count: 64 << 10)
    for _ in 0..<4 where read(socket, &rest, rest.count) <= 0 { break }
  }

  /// Waits until there is something to read or, when one is to be taken, a connection, and tells of which
  /// descriptors `poll` has something to say.
  private static func wait(
    for connections: [Int32], and listening: [Int32], taking: Bool,
    until deadline: ContinuousClock.Instant?
  ) -> [Int32: Int16] {
    var entries =
      connections.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
      + listening.map { pollfd(fd: $0, events: taking ? Int16(POLLIN) : 0, revents: 0) }
    // -1 stands for no limit.
    let pause = deadline.map { max(.zero, ContinuousClock.now.duration(to: $0)) }
    let milliseconds = pause.map { Int32($0 / .milliseconds(1)) + 1 } ?? -1
    guard poll(&entries, nfds_t(entries.count), milliseconds) > 0 else { return [:] }
    return Dictionary(
      uniqueKeysWithValues: entries.filter { $0.revents != 0 }.map { ($0.fd, $0.revents) })
  }

  // MARK: - Sockets

  private func closeSockets() {
    sockets.withLock { sockets in
      for socket in sockets { Self.end(socket) }
      sockets = []
    }
  }

  /// Ends a connection, or listening, also when a child that another thread is just starting has a copy.
  private static func end(_ socket: Int32) {
    shutdown(socket, Int32(SHUT_RDWR))
    close(socket)
  }

  private static var hasIPv6: Bool {
    guard let socket = listen(AF_INET6, 0) else { return false }
    close(socket)
    return true
  }

  /// A socket that listens on the loopback address of `family`; nil when it cannot be had.
  private static func listen(_ family: Int32, _ port: UInt16) -> Int32? {
    let socket = Glibc.socket(
      family, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue), 0)
    guard socket >= 0 else { return nil }
    var yes: Int32 = 1
    // A fixed port can be had again at once; nobody can share it.
    setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &yes, socklen_t(MemoryLayout<Int32>.size))
    let isBound: Bool
    if family == AF_INET {
      var address = sockaddr_in()
      address.sin_family = sa_family_t(AF_INET)
      address.sin_port = port.bigEndian
      address.sin_addr.s_addr = in_addr_t(0x7f00_0001).bigEndian
      isBound = bind(socket, to: &address)
    } else {
      setsockopt(
        socket, Int32(IPPROTO_IPV6), IPV6_V6ONLY, &yes,
        socklen_t(MemoryLayout<Int32>.size))
      var address = sockaddr_in6()
      address.sin6_family = sa_family_t(AF_INET6)
      address.sin6_port = port.bigEndian
      address.sin6_addr = in6addr_loopback
      isBound = bind(socket, to: &address)
    }
    guard isBound, Glibc.listen(socket, 16) == 0 else {
      close(socket)
      return nil
    }
    return socket
  }

  private static func bind<Address>(_ socket: Int32, to address: inout Address) -> Bool {
    let length = socklen_t(MemoryLayout<Address>.size)
    return withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { Glibc.bind(socket, $0, length) == 0 }
    }
  }

  private static func port(of socket: Int32) -> UInt16 {
    var address = sockaddr_in()
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    _ = withUnsafeMutablePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(socket, $0, &length) }
    }
    return UInt16(bigEndian: address.sin_port)
  }
}
