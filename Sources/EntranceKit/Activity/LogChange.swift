/// A change of the log.
public enum LogChange: Sendable, Equatable {
  /// This entry was added at the end.
  case added(ActivityEvent)
  /// These entries replace all previous ones.
  case replaced([ActivityEvent])
}
