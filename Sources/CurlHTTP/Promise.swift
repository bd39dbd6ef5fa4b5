/// A value that one task waits for, and that another thread sets, once.
///
/// A continuation would do, but it resumes on the global executor, from where the task is switched
/// to its caller's actor: two threads are woken, one after the other. This executor keeps the job of
/// the task that waits, and runs it on the thread that sets the value. From there, the task goes
/// straight to its caller's actor.
package actor Promise<Value: Sendable>: SerialExecutor {
  private struct State: Sendable {
    var value: Value?
    var waiting: UnownedJob?
  }

  private nonisolated let state = LockedValue(State())

  package init() {}

  package nonisolated var unownedExecutor: UnownedSerialExecutor { asUnownedSerialExecutor() }

  /// The value; nil until it is set.
  nonisolated var current: Value? { state.withLock(\.value) }

  /// Waits for the value.
  ///
  /// - Precondition: no other task waits for it.
  package func value() -> Value {
    guard let value = current else { preconditionFailure("A task ran before it had its value.") }
    return value
  }

  /// Sets the value and lets the task that waits go on; returns false if there already is a value.
  @discardableResult
  package nonisolated func fulfill(_ value: Value) -> Bool {
    let (isFirst, job) = state.withLock { state in
      guard state.value == nil else { return (false, nil as UnownedJob?) }
      state.value = value
      return (true, state.waiting.take())
    }
    job?.runSynchronously(on: unownedExecutor)
    return isFirst
  }

  package nonisolated func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    let isReady = state.withLock { state in
      if state.value == nil { state.waiting = job }
      return state.value != nil
    }
    if isReady { job.runSynchronously(on: unownedExecutor) }
  }
}
