import AuthCore
import Dispatch
import Synchronization

/// An item of the keyring as the place of a token cache.
final class SharedItemPlace: TokenCachePlace {
  private let item: SharedKeyringItem
  /// Where a person is waited for.
  private let queue = DispatchQueue(label: "shared-keyring-item")
  private let question = Question()
  private let isOpen = Atomic(false)

  init(_ item: SharedKeyringItem) {
    self.item = item
  }

  var name: String { "token cache '\(item.schema)' in the keyring" }
  var path: String { item.signalFile }
  var isItsOwnSignal: Bool { false }

  /// Lets the next ``open()`` ask the person, although they were asked before.
  func allowAskingAgain() {
    question.allow()
    isOpen.store(false, ordering: .relaxed)
  }

  func open() async throws(TokenCacheFailure) {
    guard !isOpen.load(ordering: .relaxed) else { return }
    let cancellable = Cancellable()
    let result: Result<Void, TokenCacheFailure> = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        queue.async { [self] in
          continuation.resume(
            returning: Result { () throws(TokenCacheFailure) in
              try perform(cancellable) { (session) throws(SecretServiceFailure) in
                try session.open(item)
              }
            })
        }
      }
    } onCancel: {
      cancellable.giveUp()
    }
    try result.get()
    isOpen.store(true, ordering: .relaxed)
  }

  func read() throws(TokenCacheFailure) -> (bytes: [UInt8], stamp: FileStamp?)? {
    // First, so that a change in between is seen as one.
    let stamp = FileStamp(path: path)
    let found = try perform { (session) throws(SecretServiceFailure) in
      try session.find(self.item)?.secret.exposed
    }
    return found.map { (SharedKeyringItem.Encoding.read($0).bytes, stamp) }
  }

  func write(_ pieces: [ArraySlice<UInt8>]) throws(TokenCacheFailure) -> FileStamp? {
    try perform { (session) throws(SecretServiceFailure) in
      if let (found, secret) = try session.find(self.item) {
        let encoding =
          SharedKeyringItem.Encoding.read(secret.exposed).encoding ?? self.item.encoding
        try session.replace(Secret(encoding.write(pieces)), in: found)
      } else {
        try session.create(self.item, Secret(self.item.encoding.write(pieces)))
      }
    }
    return try CacheFile(path: path).touch()
  }

  func keepCopy(of bytes: [UInt8]) throws(TokenCacheFailure) {
    // In the clear, in a file, is no place for it.
    throw TokenCacheFailure("what is in it is no token cache, and was left as it is")
  }

  /// Does `work`, in which the person may be asked.
  private func perform<Value>(
    _ cancellable: Cancellable = Cancellable(),
    _ work: (SecretServiceSession) throws(SecretServiceFailure) -> Value
  ) throws(TokenCacheFailure) -> Value {
    do {
      return try SecretServiceSession.using(
        limit: KeyringPlace.answerLimit, cancellable, question, work)
    } catch {
      if error == .locked { isOpen.store(false, ordering: .relaxed) }
      throw TokenCacheFailure(error.reason)
    }
  }
}
