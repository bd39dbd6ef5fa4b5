import Dispatch

/// Does work that computes for seconds on a thread of its own.
///
/// There are as many threads for tasks as processors, so that two such tests at a time would keep
/// all others from running, and these from meeting their time limits.
public func onOwnThread<Result: Sendable>(
  _ work: @Sendable () async throws -> Result
) async rethrows -> Result {
  try await withTaskExecutorPreference(OwnThreads.all) { try await work() }
}

/// Runs tasks on the threads of Dispatch, of which there are more than processors.
private final class OwnThreads: TaskExecutor {
  static let all = OwnThreads()

  private let queue = DispatchQueue(label: "OwnThreads", attributes: .concurrent)

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
  }
}
