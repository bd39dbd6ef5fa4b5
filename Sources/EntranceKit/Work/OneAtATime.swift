/// Work that goes on one piece at a time, and can be cancelled.
///
/// Some of it nobody asked for, such as reading at the start. What a person asks for meanwhile waits for
/// it, and cancelling ends both. What a person asked for keeps everything else from starting.
@MainActor
public final class OneAtATime {
  private var task: Task<Void, Never>?
  private var isAskedFor = false
  private var count = 0

  /// Makes a place for work; nothing is under way.
  public init() {}

  isolated deinit {
    task?.cancel()
  }

  /// Begins a piece of work, unless another keeps it from starting.
  ///
  /// - Parameters:
  ///   - isAskedFor: whether a person has asked for it.
  ///   - whenIdle: runs at the end, unless another piece has begun meanwhile.
  /// - Returns: the work, for whoever wants to wait for it; nil when it did not begin.
  @discardableResult
  public func start(
    isAskedFor: Bool = true, _ body: @escaping @MainActor () async -> Void,
    whenIdle: @escaping @MainActor () -> Void = {}
  ) -> Task<Void, Never>? {
    guard task == nil || isAskedFor && !self.isAskedFor else { return nil }
    let before = task
    self.isAskedFor = isAskedFor
    count += 1
    let number = count
    let work = Task { [weak self] in
      await withTaskCancellationHandler {
        await before?.value
      } onCancel: {
        before?.cancel()
      }
      await body()
      guard self?.ended(number) ?? true else { return }
      whenIdle()
    }
    task = work
    return work
  }

  /// Stops what is under way.
  public func cancel() { task?.cancel() }

  /// Returns when nothing is under way any more.
  public func finish() async {
    while let task { await task.value }
  }

  /// - Returns: whether nothing is under way any more.
  private func ended(_ number: Int) -> Bool {
    guard number == count else { return false }
    task = nil
    return true
  }
}
