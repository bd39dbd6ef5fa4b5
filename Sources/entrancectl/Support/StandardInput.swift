import FoundationEssentials
import Glibc

enum StandardInput {
  /// All that comes, until it ends.
  static func readAll() -> Data {
    var data = Data()
    var buffer = [UInt8](repeating: 0, count: 64 << 10)
    while true {
      let count = read(STDIN_FILENO, &buffer, buffer.count)
      guard count > 0 else { return data }
      data.append(contentsOf: buffer[..<count])
    }
  }
}
