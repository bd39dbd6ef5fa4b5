import CGtk

/// A null-terminated array of C strings, valid during a call.
public struct CStringArray {
  private let strings: [String]

  /// Creates an array of `strings`.
  public init(_ strings: [String]) {
    self.strings = strings
  }

  /// Calls `body` with the array.
  public func withPointer<Result>(
    _ body: (UnsafePointer<UnsafePointer<CChar>?>) -> Result
  ) -> Result {
    let list = UnsafeMutablePointer<UnsafePointer<CChar>?>.allocate(capacity: strings.count + 1)
    list.initialize(repeating: nil, count: strings.count + 1)
    defer {
      for index in strings.indices { g_free(UnsafeMutablePointer(mutating: list[index])) }
      list.deallocate()
    }
    for (index, string) in strings.enumerated() { list[index] = UnsafePointer(g_strdup(string)) }
    return body(list)
  }
}
