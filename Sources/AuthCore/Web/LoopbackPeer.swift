import CurlHTTP
import Glibc

/// Whose the other end of a connection on this machine is, by the kernel's tables of TCP sockets (proc(5)).
enum LoopbackPeer {
  /// Whether the other end of `socket` is this person's.
  ///
  /// Root's counts as this person's: root can read this program's memory, and passes connections on where a
  /// browser is outside of a virtual machine. It is anybody's where the kernel has no such tables.
  ///
  /// - Parameter files: the tree that has the tables.
  static func isOwn(_ socket: Int32, in files: SystemFiles = SystemFiles()) -> Bool {
    guard let peer = address(of: socket, getpeername), let own = address(of: socket, getsockname)
    else { return false }
    guard access("\(files.root)/proc/self/net/tcp", R_OK) == 0 else { return true }
    // A table that changes while it is read can lack a line.
    for _ in 0..<3 {
      for (table, prefix) in tables(for: peer, in: files) {
        let ends = [prefix + peer.text, prefix + own.text]
        // Bytes, because the table of a busy machine has tens of thousands of lines.
        let rows = table.utf8.split(separator: UInt8(ascii: "\n")).lazy
          .map { $0.split(separator: UInt8(ascii: " ")) }
        let row = rows.first { columns in
          columns.count > 9 && columns[1].elementsEqual(ends[0].utf8)
            && columns[2].elementsEqual(ends[1].utf8)
        }
        guard let row else { continue }
        guard let user = uid_t(Substring(row[7])) else { return false }
        // A socket that its program has closed is told as root's, and has no inode.
        return Substring(row[9]) != "0" && (user == geteuid() || user == 0)
      }
    }
    return false
  }

  /// An address as the tables spell it.
  private struct Address {
    let isIPv6: Bool
    let text: String
  }

  /// The tables that `peer` can be in, and what stands before an address in each.
  ///
  /// A program can reach an IPv4 address with a socket for IPv6.
  private static func tables(
    for peer: Address, in files: SystemFiles
  ) -> [(table: String, prefix: String)] {
    // A line has 150 bytes, and a busy machine tens of thousands of sockets.
    func table(_ name: String) -> String {
      files.text("/proc/self/net/\(name)", upTo: FileReader.Limit.input) ?? ""
    }
    let newer = table("tcp6")
    if peer.isIPv6 { return [(newer, "")] }
    return [(table("tcp"), ""), (newer, "0000000000000000FFFF0000")]
  }

  private static func address(
    of socket: Int32,
    _ name: (Int32, UnsafeMutablePointer<sockaddr>?, UnsafeMutablePointer<socklen_t>?) -> Int32
  ) -> Address? {
    var storage = sockaddr_storage()
    var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
    return withUnsafeMutableBytes(of: &storage) { bytes in
      guard name(socket, bytes.assumingMemoryBound(to: sockaddr.self).baseAddress, &length) == 0
      else { return nil }
      let family = bytes.load(as: sockaddr.self).sa_family
      let isIPv6 = family == sa_family_t(AF_INET6)
      guard isIPv6 || family == sa_family_t(AF_INET) else { return nil }
      let port = UInt16(bigEndian: bytes.load(fromByteOffset: 2, as: UInt16.self))
      // `sin_addr` at 4, `sin6_addr` at 8: both as words, in the order in which they lie in memory.
      let words = stride(from: isIPv6 ? 8 : 4, to: isIPv6 ? 24 : 8, by: 4)
        .map { hexadecimal(bytes.load(fromByteOffset: $0, as: UInt32.self)) }
      return Address(isIPv6: isIPv6, text: "\(words.joined()):\(hexadecimal(port))")
    }
  }

  private static func hexadecimal(_ number: some FixedWidthInteger) -> String {
    let digits = String(number, radix: 16, uppercase: true)
    return String(repeating: "0", count: number.bitWidth / 4 - digits.utf8.count) + digits
  }
}
