import CurlHTTP
import Logging

/// Records all log lines.
final class LogRecorder: Sendable {
  struct Line: Sendable {
    var level: Logger.Level
    var text: String
    var correlationID: String?
  }

  private struct Handler: LogHandler {
    let recorder: LogRecorder
    var logLevel: Logger.Level
    var metadata: Logger.Metadata = [:]

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
      get { metadata[key] }
      set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
      let id = event.metadata?["correlation-id"].map { "\($0)" }
      recorder.state.withLock {
        $0.append(Line(level: event.level, text: "\(event.message)", correlationID: id))
      }
    }
  }

  private let state = LockedValue<[Line]>([])

  /// A logger that records here.
  func logger(_ level: Logger.Level = .trace) -> Logger {
    Logger(label: "test") { _ in Handler(recorder: self, logLevel: level) }
  }

  var lines: [Line] { state.withLock { $0 } }

  /// All lines with their metadata.
  var text: String {
    lines.map { "\($0.level) \($0.correlationID ?? "") \($0.text)" }.joined(separator: "\n")
  }
}
