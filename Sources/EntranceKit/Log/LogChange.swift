/// What happened to the log.
public enum LogChange: Sendable, Equatable {
  /// This line came at the end.
  case added(LogEntry)
  /// These lines are in the place of all before.
  case replaced([LogEntry])
}
