/// Runs one piece of work at a time, which can be canceled.
///
/// Work that the user did not request, such as reading at startup, delays requested work, and
/// canceling ends both. While requested work runs, nothing else can start.
@MainActor
public final class OneAtATime {
  private var task: Task<Void, Never>?
  private var isUserInitiated = false
  private var count = 0

  /// Creates an idle instance.
  public init() {}

  isolated deinit {
    task?.cancel()
  }

  /// Starts work, unless other work prevents it.
  ///
  /// - Parameters:
  ///   - isUserInitiated: whether the user requested it.
  ///   - whenIdle: called at the end, unless other work has started meanwhile.
  /// - Returns: the task; nil when it was not started.
  @discardableResult
  public func start(
    isUserInitiated: Bool = true, _ body: @escaping @MainActor () async -> Void,
    whenIdle: @escaping @MainActor () -> Void = {}
  ) -> Task<Void, Never>? {
    guard task == nil || isUserInitiated && !self.isUserInitiated else { return nil }
    let before = task
    self.isUserInitiated = isUserInitiated
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

  /// Whether work is in progress that the user requested.
  public var isBusy: Bool { task != nil && isUserInitiated }

  /// Lets other work start from now on: it waits for the work in progress, and is canceled with it.
  public func letOthersStart() { isUserInitiated = false }

  /// Cancels the work in progress.
  public func cancel() { task?.cancel() }

  /// Returns when no work is in progress.
  public func finish() async {
    while let task { await task.value }
  }

  /// - Returns: whether no work is in progress any longer.
  private func ended(_ number: Int) -> Bool {
    guard number == count else { return false }
    task = nil
    return true
  }
}
