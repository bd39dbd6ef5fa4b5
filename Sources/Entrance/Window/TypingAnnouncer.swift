/// Has a screen reader say what comes of a text, once typing pauses.
@MainActor
final class TypingAnnouncer {
  private let announce: @MainActor (String) -> Void
  private var said = ""
  private var pause: Task<Void, Never>?

  /// Creates one that says texts with `announce`.
  init(_ announce: @escaping @MainActor (String) -> Void) { self.announce = announce }

  /// Says `result` in a moment, unless it was said last, or there is another one by then; empty for
  /// none.
  func say(_ result: String) {
    pause?.cancel()
    pause = Task { [weak self] in
      try? await Task.sleep(for: .seconds(1))
      guard !Task.isCancelled, let self, result != said else { return }
      said = result
      if !result.isEmpty { announce(result) }
    }
  }
}
