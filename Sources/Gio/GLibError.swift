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

  /// The D-Bus name of the error that another program replied with; nil for any other error.
  public let remoteName: String?

  /// Copies `error`, which the caller keeps.
  public init(borrowing error: UnsafePointer<GError>) {
    domain = g_quark_to_string(error.pointee.domain).map { String(cString: $0) } ?? ""
    code = Int(error.pointee.code)
    remoteName = String(owning: g_dbus_error_get_remote_error(error))
    let message = error.pointee.message.map { String(cString: $0) } ?? ""
    // GLib puts the name before the message.
    let prefix = remoteName.map { "GDBus.Error:\($0): " } ?? ""
    self.message = message.hasPrefix(prefix) ? String(message.dropFirst(prefix.count)) : message
  }

  /// Copies `error` and frees it.
  public init(taking error: UnsafeMutablePointer<GError>) {
    self.init(borrowing: error)
    g_error_free(error)
  }

  /// Creates an error of the given domain and number.
  public init(domain: String, code: Int, message: String) {
    self.domain = domain
    self.code = code
    self.message = message
    remoteName = nil
  }

  /// The code, if the error is one of GIO's.
  public var ioError: GIOErrorEnum? {
    domain == "g-io-error-quark" ? GIOErrorEnum(rawValue: UInt32(truncatingIfNeeded: code)) : nil
  }

  /// The code, if it is one of D-Bus's own errors.
  public var busError: GDBusError? {
    domain == "g-dbus-error-quark" ? GDBusError(rawValue: UInt32(truncatingIfNeeded: code)) : nil
  }

  /// Whether the operation was canceled (`G_IO_ERROR_CANCELLED`).
  public var isCancelled: Bool { ioError == G_IO_ERROR_CANCELLED }

  /// Calls a C function that reports a `GError`, and throws the error.
  public static func check<Result>(
    _ body: (inout UnsafeMutablePointer<GError>?) -> Result
  ) throws(GLibError) -> Result {
    var error: UnsafeMutablePointer<GError>?
    let result = body(&error)
    if let error { throw GLibError(taking: error) }
    return result
  }

  /// Calls a C function that returns nil and reports a `GError` when it fails, and throws the error.
  public static func value<Result>(
    _ body: (inout UnsafeMutablePointer<GError>?) -> Result?
  ) throws(GLibError) -> Result {
    guard let result = try check(body) else {
      throw GLibError(domain: "", code: 0, message: "no reason given")
    }
    return result
  }
}

extension GLibError: LocalizedError {
  /// The message, which is also `localizedDescription`.
  public var errorDescription: String? { message }
}
