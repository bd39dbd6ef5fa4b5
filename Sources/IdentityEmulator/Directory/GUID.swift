import Crypto
import FoundationEssentials

/// GUIDs that are the same in every run.
enum GUID {
  /// A GUID for a text.
  static func derived(from text: String) -> String {
    let digest = Data(SHA256.hash(data: Data(text.utf8)).prefix(16))
    let hex = digest.map { String($0, radix: 16) }.map { $0.count == 1 ? "0\($0)" : $0 }
    return [hex[0..<4], hex[4..<6], hex[6..<8], hex[8..<10], hex[10..<16]]
      .map { $0.joined() }.joined(separator: "-")
  }

  /// A GUID for a number, without the time that a digest takes.
  static func numbered(_ number: Int, family: UInt64) -> String {
    let high = Self.mix(UInt64(number) &+ family)
    let low = Self.mix(high)
    func hex(_ value: UInt64, _ digits: Int) -> String {
      let text = String(value, radix: 16)
      return String(repeating: "0", count: max(0, digits - text.count)) + text.suffix(digits)
    }
    let (a, b) = (hex(high, 16), hex(low, 16))
    return
      "\(a.prefix(8))-\(a.dropFirst(8).prefix(4))-4\(a.suffix(3))-8\(b.prefix(3))-\(b.suffix(12))"
  }

  /// Spreads a number over 64 bits (SplitMix64).
  static func mix(_ number: UInt64) -> UInt64 {
    var z = number &+ 0x9E37_79B9_7F4A_7C15
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }
}
