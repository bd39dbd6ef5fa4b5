public import AuthCore
import Dispatch
import Glibc

/// A plain HTTP connection to this computer, byte by byte, like a browser's.
public final class LoopbackClient: Sendable {
  /// The response.
  public struct Reply: Sendable {
    /// The status; nil when the connection was closed without a response.
    public var status: Int?
    /// The header fields, by their names in lower case.
    public var fields: [String: String] = [:]
    /// The body.
    public var body = ""
  }

  private let socket: Int32

  /// Connects to `port` as the user with this ID, which takes root; nil when nobody listens there.
  ///
  /// The kernel notes who makes a socket: this thread, for a moment, is that user's.
  public static func connecting(
    as user: UInt32, to port: UInt16, at address: String
  ) -> LoopbackClient? {
    // Swift's module of the C library lacks <sys/fsuid.h>.
    typealias Function = @convention(c) (UInt32) -> Int32
    guard let symbol = dlsym(nil, "setfsuid") else { return nil }
    let setUser = unsafeBitCast(symbol, to: Function.self)
    // It is for one thread, and only tells whose that was where it may not change it.
    let before = setUser(user)
    defer { _ = setUser(UInt32(bitPattern: before)) }
    guard UInt32(bitPattern: setUser(user)) == user else { return nil }
    return LoopbackClient(port: port, address: address)
  }

  /// Connects to `port`; nil when nobody listens there.
  public init?(port: UInt16, address: String = "127.0.0.1") {
    let isV6 = address.contains(":")
    socket = Glibc.socket(
      isV6 ? AF_INET6 : AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    // A server that does not accept or answer must not hold up a thread of the other tests for minutes.
    var limit = timeval(tv_sec: 30, tv_usec: 0)
    for option in [SO_SNDTIMEO, SO_RCVTIMEO] {
      setsockopt(socket, SOL_SOCKET, option, &limit, socklen_t(MemoryLayout<timeval>.size))
    }
    let isConnected: Bool
    if isV6 {
      var target = sockaddr_in6()
      target.sin6_family = sa_family_t(AF_INET6)
      target.sin6_port = port.bigEndian
      inet_pton(AF_INET6, address, &target.sin6_addr)
      isConnected = Self.connect(socket, to: &target)
    } else {
      var target = sockaddr_in()
      target.sin_family = sa_family_t(AF_INET)
      target.sin_port = port.bigEndian
      inet_pton(AF_INET, address, &target.sin_addr)
      isConnected = Self.connect(socket, to: &target)
    }
    guard isConnected else { return nil }
  }

  deinit {
    close(socket)
  }

  /// Sends `text` and leaves the connection open.
  public func send(_ text: String) {
    send(Array(text.utf8))
  }

  /// Closes the sending direction.
  public func finishSending() {
    shutdown(socket, Int32(SHUT_WR))
  }

  /// Sends `bytes` and leaves the connection open.
  public func send(_ bytes: [UInt8]) {
    var bytes = bytes[...]
    while !bytes.isEmpty {
      let count = bytes.withUnsafeBytes {
        Glibc.send(socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      guard count > 0 else { return }
      bytes = bytes.dropFirst(count)
    }
  }

  /// Reads until the other side closes the connection.
  public func reply() async -> Reply {
    await withCheckedContinuation { continuation in
      DispatchQueue(label: "loopback-client").async { [self] in
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 4096)
        while true {
          let count = read(socket, &buffer, buffer.count)
          guard count > 0 else { break }
          bytes += buffer[..<count]
        }
        continuation.resume(returning: Self.parse(String(decoding: bytes, as: UTF8.self)))
      }
    }
  }

  /// Answers a sign-in like a browser, in the response mode of the authorization request.
  ///
  /// - Parameters:
  ///   - url: the authorization request.
  ///   - parameters: the parameters of the response, without `state`.
  /// - Returns: the final page.
  public static func answer(_ url: String, with parameters: String) async -> Reply {
    let query = FormEncoding.parse(url.split(separator: "?", maxSplits: 1).last ?? "") ?? []
    let sent = Dictionary(query.map { ($0.name, $0.value) }) { $1 }
    return await visit(
      "\(sent["redirect_uri"] ?? "")?\(parameters)&state=\(sent["state"] ?? "")",
      byForm: sent["response_mode"] == "form_post")
  }

  /// The URL that the browser's start URL redirects to.
  ///
  /// - Throws: when it does not redirect.
  public static func firstPage(at address: String) async throws(AuthenticationError) -> String {
    let reply = await visit(address)
    guard reply.status == 302, let url = reply.fields["location"] else {
      throw AuthenticationError(.webAuthenticationFailed, "\(address) leads nowhere.")
    }
    return url
  }

  /// Requests a URL; its query is sent as a form if `byForm` is true.
  public static func visit(_ url: String, byForm: Bool = false) async -> Reply {
    let rest = url.dropFirst("http://".count)
    let authority = rest.prefix { !"/?".contains($0) }
    let target = rest.dropFirst(authority.count)
    let path = target.prefix { $0 != "?" }
    let query = target.dropFirst(path.count + 1)
    let port = authority.split(separator: ":").last.flatMap { UInt16($0) } ?? 80
    guard let client = LoopbackClient(port: port) else { return Reply() }
    let root = path.isEmpty ? "/" : path
    client.send(
      byForm
        ? "POST \(root) HTTP/1.1\r\nHost: \(authority)\r\n"
          + "Content-Type: application/x-www-form-urlencoded\r\n"
          + "Content-Length: \(query.utf8.count)\r\n\r\n\(query)"
        : "GET \(root)?\(query) HTTP/1.1\r\nHost: \(authority)\r\n\r\n")
    return await client.reply()
  }

  private static func parse(_ text: String) -> Reply {
    guard let end = text.firstRange(of: "\r\n\r\n") else { return Reply() }
    let lines = text[..<end.lowerBound].split(separator: "\r\n")
    let status = lines[0].split(separator: " ").dropFirst().first.flatMap { Int($0) }
    var reply = Reply(status: status, body: String(text[end.upperBound...]))
    for line in lines.dropFirst() {
      let parts = line.split(separator: ":", maxSplits: 1)
      reply.fields[parts[0].lowercased()] = String(parts[1].drop { $0 == " " })
    }
    return reply
  }

  private static func connect<Address>(_ socket: Int32, to address: inout Address) -> Bool {
    let length = socklen_t(MemoryLayout<Address>.size)
    return withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        Glibc.connect(socket, $0, length) == 0
      }
    }
  }
}
