import Dispatch

/// The way of one store to the Secret Service.
///
/// libsecret is called where waiting does no harm: never on the main thread, one call at a time. The person is
/// asked to unlock what is locked until they decline, and again after ``allowAskingAgain()``.
final class KeyringAccess: Sendable {
  private let queue: DispatchQueue
  private let limit: DispatchTimeInterval
  /// Nil where nobody is ever asked.
  private let question: Question?

  /// How long the service may take to answer, unless told otherwise.
  private static let usualLimit = DispatchTimeInterval.seconds(10)

  /// - Parameters:
  ///   - name: what the queue is called in a debugger.
  ///   - limit: how long the service may take to answer; ten seconds if nil.
  ///   - asksPerson: whether the person may be asked at all.
  init(_ name: String, limit: DispatchTimeInterval? = nil, asksPerson: Bool = true) {
    queue = DispatchQueue(label: name)
    self.limit = limit ?? Self.usualLimit
    question = asksPerson ? Question() : nil
  }

  /// Lets the person be asked again.
  func allowAskingAgain() { question?.allow() }

  /// What comes of `work`, which ends when the task is cancelled or the time is over.
  ///
  /// - Parameter question: asks instead of the one that the person may have declined.
  func result<Value: Sendable>(
    asking question: Question? = nil,
    _ work: @escaping @Sendable (SecretServiceSession) throws(SecretServiceFailure) -> Value
  ) async -> Result<Value, SecretServiceFailure> {
    let cancellable = Cancellable()
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        queue.async { [self] in
          continuation.resume(
            returning: Result { () throws(SecretServiceFailure) -> Value in
              try SecretServiceSession.using(
                limit: limit, cancellable, question ?? self.question, work)
            })
        }
      }
    } onCancel: {
      cancellable.giveUp()
    }
  }

  /// Does `work` on the caller's thread, which waits for the service and the person.
  func blocking<Value>(
    _ work: (SecretServiceSession) throws(SecretServiceFailure) -> Value
  ) throws(SecretServiceFailure) -> Value {
    try SecretServiceSession.using(limit: limit, Cancellable(), question, work)
  }
}
