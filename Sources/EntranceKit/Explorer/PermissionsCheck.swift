/// Looks up which permissions a request needs, a moment after it was typed.
@MainActor
final class PermissionsCheck {
  /// What was found; nil when nothing was.
  private(set) var found: PermissionExplanation?
  /// What was last looked up.
  private var last: [String] = []
  private var task: Task<Void, Never>?

  /// Looks up what `about` needs, unless that was looked up last.
  ///
  /// - Parameters:
  ///   - isPossible: whether there is anything to look up.
  ///   - lookUp: looks it up.
  ///   - show: called when ``found`` is known.
  func check(
    _ about: [String], isPossible: Bool,
    _ lookUp: @escaping @MainActor () async -> PermissionExplanation?,
    show: @escaping @MainActor () -> Void
  ) {
    guard about != last else { return }
    last = about
    task?.cancel()
    found = nil
    guard isPossible else { return }
    task = Task { [weak self] in
      // Not for each letter that is typed.
      guard (try? await Task.sleep(for: .milliseconds(100))) != nil else { return }
      let found = await lookUp()
      guard let self, !Task.isCancelled else { return }
      self.found = found
      show()
    }
  }

  /// Stops looking.
  func stop() { task?.cancel() }
}
