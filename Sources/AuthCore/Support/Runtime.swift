public import CurlHTTP
public import FoundationEssentials
public import Logging

/// The auth core's dependencies on its environment, which tests can replace.
public struct Runtime: Sendable {
  /// The current time, for the expiry of tokens.
  public var now: @Sendable () -> Date
  /// Cryptographically secure random bytes.
  public var randomBytes: @Sendable (_ count: Int) -> [UInt8]
  /// A new correlation ID: a UUID in lower case.
  public var newCorrelationID: @Sendable () -> String
  /// Waits, like `Task.sleep`; a canceled task stops waiting and throws.
  public var sleep: @Sendable (Duration) async throws -> Void
  /// The HTTP client; nil for a `CurlClient` with the configuration's CA file.
  public var transport: (any HTTPTransport)?
  /// The system's files with information about the device.
  public var systemFiles: SystemFiles
  /// The log; by default, none.
  public var logger: Logger
  /// What is masked in the lines of ``logger``.
  public var logMaskingLevel: LogMaskingLevel
  /// Replaces ``logMaskingLevel`` by one that is requested for each line; nil to use that.
  package var currentLogMaskingLevel: (@Sendable () -> LogMaskingLevel)?

  /// Creates a runtime; by default, with the system's clock and randomness, libcurl, and no log.
  public init(
    now: @escaping @Sendable () -> Date = { Date() },
    randomBytes: @escaping @Sendable (Int) -> [UInt8] = { count in
      var generator = SystemRandomNumberGenerator()
      return (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
    },
    newCorrelationID: @escaping @Sendable () -> String = { Runtime.randomGUID() },
    sleep: @escaping @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) },
    transport: (any HTTPTransport)? = nil, systemFiles: SystemFiles = SystemFiles(),
    logger: Logger = Logger(label: "AuthCore") { _ in SwiftLogNoOpLogHandler() },
    logMaskingLevel: LogMaskingLevel = .maskAllPII
  ) {
    self.now = now
    self.randomBytes = randomBytes
    self.newCorrelationID = newCorrelationID
    self.sleep = sleep
    self.transport = transport
    self.systemFiles = systemFiles
    self.logger = logger
    self.logMaskingLevel = logMaskingLevel
  }

  /// A new random UUID in lower case (RFC 9562, section 5.4).
  public static func randomGUID() -> String {
    // Foundation's UUID opens /dev/urandom each time and formats each byte by `snprintf`, which takes
    // longer than all else that a request does before it is sent.
    var generator = SystemRandomNumberGenerator()
    var bits = (generator.next() as UInt64, generator.next() as UInt64)
    return withUnsafeMutableBytes(of: &bits) { bytes in
      bytes[6] = bytes[6] & 0x0F | 0x40  // version 4
      bytes[8] = bytes[8] & 0x3F | 0x80  // the variant
      return String(unsafeUninitializedCapacity: 36) { text in
        var count = 0
        func append(_ character: UInt8) {
          text[count] = character
          count += 1
        }
        for (index, byte) in bytes.enumerated() {
          if (4...10).contains(index), index.isMultiple(of: 2) { append(UInt8(ascii: "-")) }
          append(UInt8(hexDigitOf: byte >> 4))
          append(UInt8(hexDigitOf: byte & 0xF))
        }
        return count
      }
    }
  }
}
