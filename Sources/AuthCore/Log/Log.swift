import Logging

/// The log of the auth core.
///
/// The levels are MSAL's error, warning, info and verbose; verbose is swift-log's debug. A line
/// below the logger's level is not built.
struct Log: Sendable {
  private let logger: Logger
  private let maskingLevel: @Sendable () -> LogMaskingLevel

  init(_ logger: Logger, _ maskingLevel: @escaping @Sendable () -> LogMaskingLevel) {
    self.logger = logger
    self.maskingLevel = maskingLevel
  }

  /// A request failed.
  func error(_ text: @autoclosure () -> LogText, _ correlationID: String? = nil) {
    write(.error, text, correlationID)
  }

  /// A problem that does not stop the work.
  func warning(_ text: @autoclosure () -> LogText, _ correlationID: String? = nil) {
    write(.warning, text, correlationID)
  }

  /// A step that takes time, one line each.
  func info(_ text: @autoclosure () -> LogText, _ correlationID: String? = nil) {
    write(.info, text, correlationID)
  }

  /// Details between the steps.
  func debug(_ text: @autoclosure () -> LogText, _ correlationID: String? = nil) {
    write(.debug, text, correlationID)
  }

  private func write(_ level: Logger.Level, _ text: () -> LogText, _ correlationID: String?) {
    guard logger.logLevel <= level else { return }
    logger.log(
      level: level, "\(text().masked(maskingLevel()))",
      metadata: correlationID.map { ["correlation-id": .string($0.plain)] })
  }
}

extension Runtime {
  /// The log with the runtime's settings.
  var log: Log {
    Log(logger, currentLogMaskingLevel ?? { [logMaskingLevel] in logMaskingLevel })
  }
}
