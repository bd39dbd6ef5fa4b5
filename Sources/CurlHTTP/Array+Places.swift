extension [UInt8] {
  /// Where `part` begins in the bytes: each place.
  package func places(of part: String) -> [Int] {
    let part = Array(part.utf8)
    guard let first = part.first, count >= part.count else { return [] }
    return indices.dropLast(part.count - 1).filter { place in
      self[place] == first && self[place..<place + part.count].elementsEqual(part)
    }
  }
}
