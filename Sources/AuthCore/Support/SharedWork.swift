/// Runs work once for all callers that request it at the same time.
///
/// Each caller can cancel separately. The work continues for the others, and is canceled when the
/// last one has left.
actor SharedWork<Key: Hashable & Sendable, Value: Sendable> {
  private struct Work {
    let id: Int
    let task: Task<Void, Never>
    var callers: [Int: CheckedContinuation<Value?, Never>] = [:]
  }

  private var works: [Key: Work] = [:]
  private var lastID = 0

  /// The result of the work for `key` in progress, or else of `work`, which is started.
  ///
  /// - Returns: nil, immediately, when the caller's task is canceled.
  func value(
    of key: Key, work: @escaping @Sendable () async -> Value
  ) async -> Value? {
    lastID += 1
    let id = lastID
    return await withTaskCancellationHandler {
      await withCheckedContinuation { caller in
        guard !Task.isCancelled else { return caller.resume(returning: nil) }
        if works[key]?.callers.isEmpty != false { begin(key, id, work) }
        works[key]?.callers[id] = caller
      }
    } onCancel: {
      Task { await leave(key, id) }
    }
  }

  /// How many callers wait for the work for `key`.
  func callerCount(of key: Key) -> Int { works[key]?.callers.count ?? 0 }

  private func begin(_ key: Key, _ id: Int, _ work: @escaping @Sendable () async -> Value) {
    // Canceled work may still have had an effect, such as a new refresh token.
    let canceled = works[key]?.task
    works[key] = Work(
      id: id,
      task: Task {
        await canceled?.value
        finish(key, id, await work())
      })
  }

  private func finish(_ key: Key, _ id: Int, _ value: Value) {
    guard works[key]?.id == id, let work = works.removeValue(forKey: key) else { return }
    for caller in work.callers.values { caller.resume(returning: value) }
  }

  private func leave(_ key: Key, _ id: Int) {
    guard let caller = works[key]?.callers.removeValue(forKey: id) else { return }
    if works[key]?.callers.isEmpty == true { works[key]?.task.cancel() }
    caller.resume(returning: nil)
  }
}

extension SharedWork {
  /// The result of the work for `key`, for work that can fail.
  ///
  /// - Throws: also when the caller's task is canceled.
  func success<Success>(
    of key: Key, step: AuthenticationError.Step, work: @escaping @Sendable () async -> Value
  ) async throws(AuthenticationError) -> Success
  where Value == Result<Success, AuthenticationError> {
    guard let result = await value(of: key, work: work) else { throw .canceled(step: step) }
    return try result.get()
  }
}
