import Logging

/// Where the auth core writes what it does.
///
/// The levels are MSAL's error, warning, info and verbose; verbose is swift-log's debug. A line below the
/// logger's level is never put together.
struct Log: Sendable {
  private let logger: Logger
  private let maskingLevel: LogMaskingLevel

  init(_ logger: Logger, _ maskingLevel: LogMaskingLevel) {
    self.logger = logger
    self.maskingLevel = maskingLevel
  }

  /// Something that was asked for will not be had.
  func error(_ text: @autoclosure () -> LogText, _ correlationID: String? = nil) {
    write(.error, text, correlationID)
  }

  /// Something is not as it should be, and the work goes on.
  func warning(_ text: @autoclosure () -> LogText, _ correlationID: String? = nil) {
    write(.warning, text, correlationID)
  }

  /// What happens, one line a step that takes time.
  func info(_ text: @autoclosure () -> LogText, _ correlationID: String? = nil) {
    write(.info, text, correlationID)
  }

  /// What happens in between.
  func debug(_ text: @autoclosure () -> LogText, _ correlationID: String? = nil) {
    write(.debug, text, correlationID)
  }

  private func write(_ level: Logger.Level, _ text: () -> LogText, _ correlationID: String?) {
    guard logger.logLevel <= level else { return }
    logger.log(
      level: level, "\(text().masked(maskingLevel))",
      metadata: correlationID.map { ["correlation-id": .string($0.plain)] })
  }
}

extension Runtime {
  /// The log, as the runtime's owner wants it.
  var log: Log { Log(logger, logMaskingLevel) }
}
