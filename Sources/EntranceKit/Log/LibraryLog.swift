public import AuthCore
public import Logging
import CurlHTTP

/// The lines of the sign-in library, for the log of the page.
///
/// Level and masking can change while the library works.
public final class LibraryLog: Sendable {
  private struct State {
    var level = LogLevel.nothing
    var showsPersonalData = false
  }

  private let state = LockedValue(State())
  /// A line, and whether it tells of a problem.
  struct Line: Sendable {
    var text: String
    var isProblem: Bool
  }

  /// The lines, in order.
  let lines: AsyncStream<Line>
  private let output: AsyncStream<Line>.Continuation

  /// Creates a log that shows nothing yet.
  public init() {
    (lines, output) = AsyncStream.makeStream()
  }

  deinit {
    output.finish()
  }

  /// What the library writes to.
  public var logger: Logger {
    Logger(label: "entrance") { [state, output] _ in Handler(state: state, output: output) }
  }

  /// What is masked in the lines now; secrets always are.
  public var masking: @Sendable () -> LogMaskingLevel {
    { [state] in state.withLock { $0.showsPersonalData } ? .maskSecretsOnly : .maskAllPII }
  }

  /// Sets which lines are shown, and whether they name people and accounts.
  func show(_ level: LogLevel, personalData: Bool) {
    state.withLock { $0 = State(level: level, showsPersonalData: personalData) }
  }

  /// Passes the library's lines on.
  private struct Handler: LogHandler {
    let state: LockedValue<State>
    let output: AsyncStream<Line>.Continuation
    var metadata: Logger.Metadata = [:]

    /// The level of the preference; it cannot be set here.
    var logLevel: Logger.Level {
      get { state.withLock { $0.level.logger } }
      set {}
    }

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
      get { metadata[key] }
      set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
      output.yield(
        Line(text: "[\(event.level)] \(event.message)", isProblem: event.level >= .warning))
    }
  }
}
