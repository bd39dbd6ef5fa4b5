public import CurlHTTP
public import FoundationEssentials
public import Logging

/// What the auth core takes from the world around it, so that a test can hand in its own.
public struct Runtime: Sendable {
  /// The time of day, for the expiry of tokens.
  public var now: @Sendable () -> Date
  /// Random bytes that nobody can foresee.
  public var randomBytes: @Sendable (_ count: Int) -> [UInt8]
  /// A new correlation ID: a UUID in lower case.
  public var newCorrelationID: @Sendable () -> String
  /// Waits, as `Task.sleep` does; a cancelled task stops waiting and throws.
  public var sleep: @Sendable (Duration) async throws -> Void
  /// The way to the network; nil for a `CurlClient` with the configuration's CA file.
  public var transport: (any HTTPTransport)?
  /// Where the system tells about itself.
  public var systemFiles: SystemFiles
  /// Where the auth core writes what it does; nowhere unless told.
  public var logger: Logger
  /// What is hidden in the lines of ``logger``.
  public var logMaskingLevel: LogMaskingLevel

  /// Creates a runtime: the system's clock and randomness, libcurl, and no log, unless told otherwise.
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
  public static func randomGUID() -> String { GUID.random() }
}
