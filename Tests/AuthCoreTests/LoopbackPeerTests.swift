import Glibc
import Testing

@testable import AuthCore

/// The lines are those of proc(5).
@Suite("Whose a connection on this computer is")
struct LoopbackPeerTests {
  /// Both ends of a connection of this process.
  private final class Connection {
    let client: Int32
    let server: Int32

    init() throws {
      let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
      defer { close(listener) }
      let client = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
      var address = sockaddr_in()
      address.sin_family = sa_family_t(AF_INET)
      address.sin_addr.s_addr = in_addr_t(0x7f00_0001).bigEndian
      var length = socklen_t(MemoryLayout<sockaddr_in>.size)
      let isConnected = withUnsafeMutablePointer(to: &address) {
        $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          bind(listener, $0, length) == 0 && listen(listener, 1) == 0
            && getsockname(listener, $0, &length) == 0 && connect(client, $0, length) == 0
        }
      }
      self.client = client
      server = accept(listener, nil, nil)
      try #require(isConnected && server >= 0)
    }

    deinit {
      close(client)
      close(server)
    }

    /// The port of the end called `socket`, in hexadecimal.
    func port(of socket: Int32) -> String {
      var address = sockaddr_in()
      var length = socklen_t(MemoryLayout<sockaddr_in>.size)
      _ = withUnsafeMutablePointer(to: &address) {
        $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(socket, $0, &length) }
      }
      return LoopbackPeerTests.hexadecimal(UInt16(bigEndian: address.sin_port))
    }
  }

  private static func hexadecimal(_ port: UInt16) -> String {
    let digits = String(port, radix: 16, uppercase: true)
    return String(repeating: "0", count: 4 - digits.utf8.count) + digits
  }

  /// A line of `/proc/net/tcp`, with the address 127.0.0.1 at both ends.
  private static func line(
    _ number: Int, from local: String, to remote: String, of user: uid_t, inode: Int
  ) -> String {
    let line =
      "\(number): 0100007F:\(local) 0100007F:\(remote) 01 00000000:00000000 00:00000000 00000000"
      + "  \(user)        0 \(inode) 1 0000000000000000 20 4 30 10 -1"
    // The kernel's lines have 150 bytes.
    return "  " + line + String(repeating: " ", count: max(0, 147 - line.utf8.count))
  }

  @Test("The last of many connections counts like the first", arguments: [0, 10_000])
  func table(others: Int) throws {
    let connection = try Connection()
    let (client, server) = (
      connection.port(of: connection.client), connection.port(of: connection.server)
    )
    for (user, inode, isOwn) in [
      (geteuid(), 4711, true), (geteuid() + 1, 4711, false), (geteuid(), 0, false),
    ] {
      let tree = try SystemTree()
      var lines = ["  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt"]
      lines += (0..<others).map {
        Self.line(
          $0, from: Self.hexadecimal(UInt16($0)), to: "0000", of: geteuid(), inode: 4711)
      }
      lines.append(Self.line(others, from: client, to: server, of: user, inode: inode))
      try tree.write("/proc/self/net/tcp", lines.joined(separator: "\n") + "\n")
      #expect(LoopbackPeer.isOwn(connection.server, in: tree.files) == isOwn)
    }
  }
}
