public import CGio
public import FoundationEssentials

/// An error that a GLib function reported.
public struct GLibError: Error, Sendable, Equatable, CustomStringConvertible {
  /// The domain, such as `g-io-error-quark`.
  public let domain: String
  /// The number within the domain.
  public let code: Int
  /// GLib's message, in the user's language.
  public let message: String

  /// The message.
  public var description: String { message }

  /// Copies `error`, which the caller keeps.
  public nonisolated init(borrowing error: UnsafePointer<GError>) {
    domain = g_quark_to_string(error.pointee.domain).map { String(cString: $0) } ?? ""
    code = Int(error.pointee.code)
    message = error.pointee.message.map { String(cString: $0) } ?? ""
  }

  /// Copies `error` and frees it.
  public nonisolated init(taking error: UnsafeMutablePointer<GError>) {
    self.init(borrowing: error)
    g_error_free(error)
  }

  /// Creates an error of the given domain and number.
  public nonisolated init(domain: String, code: Int, message: String) {
    self.domain = domain
    self.code = code
    self.message = message
  }

  /// Whether the operation was canceled (`G_IO_ERROR_CANCELLED`).
  public nonisolated var isCancelled: Bool {
    domain == "g-io-error-quark" && code == Int(G_IO_ERROR_CANCELLED.rawValue)
  }

  /// Calls a C function that reports a `GError`, and throws the error.
  public static func check<Result>(
    _ body: (inout UnsafeMutablePointer<GError>?) -> Result
  ) throws(GLibError) -> Result {
    var error: UnsafeMutablePointer<GError>?
    let result = body(&error)
    if let error { throw GLibError(taking: error) }
    return result
  }
}

extension GLibError: LocalizedError {
  /// The message, which is also `localizedDescription`.
  public nonisolated var errorDescription: String? { message }
}
