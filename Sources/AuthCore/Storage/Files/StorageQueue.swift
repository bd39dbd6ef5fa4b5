import Dispatch

extension DispatchQueue {
  /// Runs `work`, which blocks, on a store's queue.
  func result<Value: Sendable>(
    of work: @escaping @Sendable () throws(StorageFailure) -> Value
  ) async -> Result<Value, StorageFailure> {
    await withCheckedContinuation { continuation in
      async { continuation.resume(returning: Result { () throws(StorageFailure) in try work() }) }
    }
  }
}
