/// Compares two texts, ignoring the case of ASCII letters.
///
/// It makes no copies, unlike a comparison of `lowercased()` texts.
func caselessEqual(_ one: String, _ other: String) -> Bool {
  one.utf8.count == other.utf8.count
    && (one == other || zip(one.utf8, other.utf8).allSatisfy { lowerCase($0) == lowerCase($1) })
}

private func lowerCase(_ byte: UInt8) -> UInt8 {
  (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte
}
