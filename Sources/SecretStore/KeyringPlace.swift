import AuthCore
import CSecret
import Dispatch
import FoundationEssentials
import Synchronization

/// An application's items in the Secret Service, one a blob.
///
/// The attributes of an item are all of its name. An item is always stored with every attribute that others
/// of the application have, too: gnome-keyring replaces whatever has at least those of the new one.
final class KeyringPlace: BlobPlace {
  private let application: String
  private let label: String
  /// libsecret is called where waiting does no harm: never on the main thread, one call at a time.
  private let queue = DispatchQueue(label: "secret-service")
  /// A person may take long, and others need not wait for them.
  private let unlocking = DispatchQueue(label: "secret-service.unlock")
  /// A person is asked to unlock once in a run, and not at every token.
  private let hasAskedToUnlock = Atomic(false)

  /// How long the service may take to answer.
  static let answerLimit = Duration.seconds(10)
  /// How long it may take to say whether it is there.
  private static let presenceLimit = Duration.seconds(3)
  /// How long a person may take to unlock.
  private static let unlockLimit = Duration.seconds(120)
  /// The kind of items before there were slots.
  private static let oldKind = "account"

  init(application: String, label: String) {
    self.application = application
    self.label = label
  }

  /// Asks the person to unlock the keyring if it is locked, and they were not asked before.
  func prepare() async throws(AuthenticationError) {
    if try await isUnlocked() { return }
    let mayAsk = hasAskedToUnlock.compareExchange(
      expected: false, desired: true, ordering: .relaxed
    ).exchanged
    guard mayAsk else { throw SecretServiceFailure.locked.authenticationError }
    let answer = await result(on: unlocking, limit: Self.unlockLimit) {
      (session) throws(SecretServiceFailure) in
      try session.unlockDefaultCollection(mayAsk: true)
    }
    // Who was not waited for was not asked.
    if Task.isCancelled { hasAskedToUnlock.store(false, ordering: .relaxed) }
    switch answer {
    case .success(true): return
    case .success(false): throw SecretServiceFailure.locked.authenticationError
    case .failure(let failure): throw failure.authenticationError
    }
  }

  /// Lets the next ``prepare()`` ask the person, although they were asked before.
  func allowAskingAgain() { hasAskedToUnlock.store(false, ordering: .relaxed) }

  func list() async throws(AuthenticationError) -> [Blob] {
    try await perform { (session) throws(SecretServiceFailure) in
      try session.search(["application": self.application]).compactMap(self.blob)
    }
  }

  func read(_ kind: Blob.Kind, _ id: String) async throws(AuthenticationError) -> [Blob] {
    try await perform { (session) throws(SecretServiceFailure) in
      let blobs = try session.search(["application": self.application, "id": id])
        .compactMap(self.blob).filter { $0.name.kind == kind }
      // What is locked is not gone.
      if blobs.isEmpty, try !session.unlockDefaultCollection(mayAsk: false) { throw .locked }
      return blobs
    }
  }

  func write(_ data: Secret<Data>, as name: Blob.Name) async throws(AuthenticationError) {
    try await perform { (session) throws(SecretServiceFailure) in
      try session.store(
        Secret(Base64URL.encode(data.exposed)), attributes: self.attributes(of: name),
        label: self.label)
    }
  }

  func delete(_ name: Blob.Name) async throws(AuthenticationError) {
    try await perform { (session) throws(SecretServiceFailure) in
      try session.clear(self.attributes(of: name))
    }
  }

  /// Whether the keyring can be read without asking the person.
  func isUnlocked() async throws(AuthenticationError) -> Bool {
    try await perform { (session) throws(SecretServiceFailure) in
      try session.unlockDefaultCollection(mayAsk: false)
    }
  }

  /// Looks for the keyring, without asking the person.
  func presence() async -> KeyringPresence {
    let isUnlocked = await result(on: queue, limit: Self.presenceLimit) {
      (session) throws(SecretServiceFailure) in
      try session.unlockDefaultCollection(mayAsk: false)
    }
    return switch isUnlocked {
    case .success(true): .unlocked
    case .success(false): .locked
    case .failure(let failure): failure.presence
    }
  }

  // MARK: - Items

  private func attributes(of name: Blob.Name) -> [String: String] {
    let isOld = name.kind == .record && name.slot == nil
    var attributes = [
      "application": application, "kind": isOld ? Self.oldKind : name.kind.rawValue, "id": name.id,
    ]
    attributes["slot"] = name.slot?.rawValue
    return attributes
  }

  /// An item as a blob; nil when it is another's.
  private func blob(_ item: SecretServiceSession.Item) -> Blob? {
    guard let kind = item.attributes["kind"], let id = item.attributes["id"] else { return nil }
    let slot = item.attributes["slot"].flatMap(Blob.Slot.init)
    let name: Blob.Name
    switch (Blob.Kind(rawValue: kind), slot) {
    case (.record?, .some), (.index?, .some), (.quarantine?, nil):
      name = Blob.Name(Blob.Kind(rawValue: kind) ?? .record, id, slot)
    case (nil, nil) where kind == Self.oldKind: name = Blob.Name(.record, id)
    default: return nil
    }
    guard let data = Base64URL.decode(item.secret.exposed) else {
      return Blob(name: name, contents: .damaged(Secret(Data(item.secret.exposed.utf8))))
    }
    return Blob(name: name, contents: .data(Secret(data)))
  }

  // MARK: - The service

  /// Does `work` on the queue.
  private func perform<Value: Sendable>(
    _ work: @escaping @Sendable (SecretServiceSession) throws(SecretServiceFailure) -> Value
  ) async throws(AuthenticationError) -> Value {
    do {
      return try await result(on: queue, limit: Self.answerLimit, work).get()
    } catch {
      throw error.authenticationError
    }
  }

  /// What comes of `work`.
  ///
  /// It ends when the task is cancelled or `limit` is over.
  private func result<Value: Sendable>(
    on queue: DispatchQueue, limit: Duration,
    _ work: @escaping @Sendable (SecretServiceSession) throws(SecretServiceFailure) -> Value
  ) async -> Result<Value, SecretServiceFailure> {
    let cancellable = Cancellable()
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        queue.async {
          // The time counts from here: an earlier call may take long.
          let timer = DispatchSource.makeTimerSource()
          timer.schedule(deadline: .now() + .seconds(Int(limit.components.seconds)))
          timer.setEventHandler { cancellable.cancel() }
          timer.resume()
          defer { timer.cancel() }
          continuation.resume(
            returning: Result { () throws(SecretServiceFailure) -> Value in
              try SecretServiceSession.using(cancellable, work)
            })
        }
      }
    } onCancel: {
      cancellable.cancel()
    }
  }
}
