/// Counts seconds down, one count at a time.
@MainActor
final class Countdown {
  private var task: Task<Void, Never>?

  /// Counts from `seconds` on, in place of what it counted before.
  ///
  /// - Parameters:
  ///   - show: shows how many seconds are left, each second.
  ///   - end: called when none is left.
  func start(
    _ seconds: Int64, show: @escaping @MainActor (Int) -> Void,
    end: @escaping @MainActor () -> Void
  ) {
    task?.cancel()
    task = Task { [weak self] in
      for rest in stride(from: max(seconds, 1), to: 0, by: -1) {
        guard !Task.isCancelled else { return }
        show(Int(rest))
        try? await Task.sleep(for: .seconds(1))
        guard !Task.isCancelled else { return }
      }
      self?.task = nil
      end()
    }
  }

  /// Stops counting, without an end.
  func stop() {
    task?.cancel()
    task = nil
  }

  /// Minutes and seconds, such as `1:05`, after hours if there are any.
  nonisolated static func text(_ seconds: Int) -> String {
    let (hours, minutes) = (seconds / 3600, seconds / 60 % 60)
    let parts = hours > 0 ? [hours, minutes, seconds % 60] : [minutes, seconds % 60]
    return parts.enumerated().map { $0 > 0 && $1 < 10 ? "0\($1)" : "\($1)" }
      .joined(separator: ":")
  }
}
