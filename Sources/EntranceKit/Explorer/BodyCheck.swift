/// Finds what is wrong with the body of a request, away from the main actor.
@MainActor
final class BodyCheck {
  /// What is wrong with the body that was checked last; nil for nothing.
  private(set) var problem: String?
  private var task: Task<Void, Never>?

  /// Checks the body of `request`, and calls `found` when ``problem`` is known.
  func check(_ request: ExplorerRequest, _ found: @escaping @MainActor () -> Void) {
    task?.cancel()
    guard request.hasJSON else {
      problem = nil
      return
    }
    task = Task { [weak self, body = request.body] in
      let problem = await ExplorerRequest.problem(ofBody: body)
      guard let self, !Task.isCancelled else { return }
      self.problem = problem
      found()
    }
  }

  /// Stops a check.
  func stop() { task?.cancel() }
}
