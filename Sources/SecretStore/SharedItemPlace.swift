import AuthCore
import Dispatch
import Synchronization

/// An item of the keyring as the place of a token cache.
final class SharedItemPlace: TokenCachePlace {
  private let item: SharedKeyringItem
  /// Where a person is waited for.
  private let queue = DispatchQueue(label: "shared-keyring-item")
  /// A person is asked to unlock once in a run, and not at every token.
  private let hasAskedToUnlock = Atomic(false)
  private let isOpen = Atomic(false)

  /// How long the service may take to answer.
  private static let answerLimit = DispatchTimeInterval.seconds(10)
  /// How long a person may take to unlock.
  private static let unlockLimit = DispatchTimeInterval.seconds(120)

  init(_ item: SharedKeyringItem) {
    self.item = item
  }

  var name: String { "token cache '\(item.schema)' in the keyring" }
  var path: String { item.signalFile }
  var isItsOwnSignal: Bool { false }

  /// Lets the next ``open()`` ask the person, although they were asked before.
  func allowAskingAgain() {
    hasAskedToUnlock.store(false, ordering: .relaxed)
    isOpen.store(false, ordering: .relaxed)
  }

  func open() async throws(TokenCacheFailure) {
    guard !isOpen.load(ordering: .relaxed) else { return }
    let cancellable = Cancellable()
    let result: Result<Void, TokenCacheFailure> = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        queue.async { [self] in
          let mayAsk = hasAskedToUnlock.compareExchange(
            expected: false, desired: true, ordering: .relaxed
          ).exchanged
          continuation.resume(
            returning: Result { () throws(TokenCacheFailure) in
              try perform(limit: Self.unlockLimit, cancellable) {
                (session) throws(SecretServiceFailure) in
                try session.unlock(item.collection, mayAsk: mayAsk)
              }
            })
        }
      }
    } onCancel: {
      cancellable.cancel()
    }
    try result.get()
    isOpen.store(true, ordering: .relaxed)
  }

  func read() throws(TokenCacheFailure) -> (bytes: [UInt8], stamp: FileStamp?)? {
    // First, so that a change in between is seen as one.
    let stamp = FileStamp(path: path)
    let found = try perform { (session) throws(SecretServiceFailure) in
      try session.find(self.item)?.text
    }
    return found.map { (SharedKeyringItem.Encoding.read($0).bytes, stamp) }
  }

  func write(_ pieces: [ArraySlice<UInt8>]) throws(TokenCacheFailure) -> FileStamp? {
    try perform { (session) throws(SecretServiceFailure) in
      if let found = try session.find(self.item) {
        let encoding = SharedKeyringItem.Encoding.read(found.text).encoding ?? self.item.encoding
        try session.replace(encoding.write(pieces), in: found)
      } else {
        try session.create(self.item, self.item.encoding.write(pieces))
      }
    }
    return try CacheFile(path: path).touch()
  }

  func keepCopy(of bytes: [UInt8]) throws(TokenCacheFailure) {
    // In the clear, in a file, is no place for it.
    throw TokenCacheFailure("what is in it is no token cache, and was left as it is")
  }

  /// Does `work`, which ends when `limit` is over.
  private func perform<Value>(
    limit: DispatchTimeInterval = answerLimit, _ cancellable: Cancellable = Cancellable(),
    _ work: (SecretServiceSession) throws(SecretServiceFailure) -> Value
  ) throws(TokenCacheFailure) -> Value {
    let timer = DispatchSource.makeTimerSource()
    timer.schedule(deadline: .now() + limit)
    timer.setEventHandler { cancellable.cancel() }
    timer.resume()
    defer { timer.cancel() }
    do {
      return try work(try SecretServiceSession(cancellable: cancellable))
    } catch {
      if error == .locked { isOpen.store(false, ordering: .relaxed) }
      throw TokenCacheFailure(error.reason)
    }
  }
}
