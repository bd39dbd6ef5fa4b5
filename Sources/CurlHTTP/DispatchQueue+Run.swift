package import Dispatch

extension DispatchQueue {
  /// Runs `work`, which blocks, on this queue: Swift's own threads must not be blocked.
  package func run<Value: Sendable, Failure: Error>(
    _ work: @escaping @Sendable () throws(Failure) -> Value
  ) async throws(Failure) -> Value {
    let result: Result<Value, Failure> = await withCheckedContinuation { continuation in
      async {
        continuation.resume(
          returning: Result { () throws(Failure) -> Value in try work() })
      }
    }
    return try result.get()
  }
}
