/// The body of a response that is made while it is sent.
struct ResponseBody: Sendable {
  /// The number of bytes.
  let count: Int
  /// Writes the bytes from an offset into a buffer, which does not reach beyond the end.
  let read: @Sendable (Int, UnsafeMutableRawBufferPointer) -> Void
}
