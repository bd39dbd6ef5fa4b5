import CurlHTTP

/// Compares two texts, ignoring the case of ASCII letters.
///
/// It makes no copies, unlike a comparison of `lowercased()` texts.
func caselessEqual(_ one: String, _ other: String) -> Bool {
  one.utf8.count == other.utf8.count
    && (one == other || zip(one.utf8, other.utf8).allSatisfy { $0.lowercased == $1.lowercased })
}

extension String {
  /// The text that all have in common which ``caselessEqual(_:_:)`` takes for the same, for sets of
  /// many.
  var caseless: String { String(decoding: utf8.map(\.lowercased), as: UTF8.self) }
}

/// Compares two texts in a time that depends only on their lengths.
package func constantTimeEqual(_ one: String, _ other: String) -> Bool {
  let one = Array(one.utf8)
  let other = Array(other.utf8)
  guard one.count == other.count else { return false }
  var difference: UInt8 = 0
  for index in one.indices { difference |= one[index] ^ other[index] }
  return difference == 0
}
