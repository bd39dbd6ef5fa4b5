import Dispatch
import Gio

/// Runs one store's calls to the Secret Service.
///
/// libsecret's calls block, so they run off the main thread, one at a time. The user is asked to
/// unlock the keyring until they decline, and again after ``allowAskingAgain()``.
final class KeyringQueue: Sendable {
  private let queue: DispatchQueue
  private let limit: Duration
  /// Nil when the user is never asked.
  private let unlockPrompt: UnlockPrompt?

  /// - Parameters:
  ///   - name: the name of the queue in a debugger.
  ///   - limit: the time limit for the service to answer.
  ///   - asksPerson: whether the user may be asked at all.
  init(_ name: String, limit: Duration = .seconds(10), asksPerson: Bool) {
    queue = DispatchQueue(label: name)
    self.limit = limit
    unlockPrompt = asksPerson ? UnlockPrompt() : nil
  }

  /// Allows asking the user again.
  func allowAskingAgain() { unlockPrompt?.allow() }

  /// Runs `work`, which ends when the task is canceled or the time limit passes.
  ///
  /// - Parameter unlockPrompt: replaces the one that the user may have declined.
  func run<Value: Sendable>(
    asking unlockPrompt: UnlockPrompt? = nil,
    _ work: @escaping @Sendable (SecretServiceSession) throws(SecretServiceFailure) -> Value
  ) async throws(SecretServiceFailure) -> Value {
    try await Cancellable.run(on: queue) { [self] cancellable throws(SecretServiceFailure) in
      try SecretServiceSession.using(
        limit: limit, cancellable, unlockPrompt ?? self.unlockPrompt, work)
    }
  }

  /// Runs `work` on the caller's thread, which waits for the service and the user.
  func blocking<Value>(
    _ work: (SecretServiceSession) throws(SecretServiceFailure) -> Value
  ) throws(SecretServiceFailure) -> Value {
    try SecretServiceSession.using(limit: limit, Cancellable(), unlockPrompt, work)
  }
}
