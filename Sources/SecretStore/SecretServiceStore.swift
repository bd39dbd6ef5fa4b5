public import AuthCore
import CSecret
import Dispatch
import FoundationEssentials
import Synchronization

/// Keeps token records in the desktop's Secret Service: gnome-keyring, KWallet, KeePassXC.
///
/// Each record is an item of its own, in the default collection. What can be read without unlocking, the
/// attributes and the label, says nothing about the account. The secret is one line of base64url text: a
/// line break in a secret makes a gnome-keyring without a password unreadable, for all programs.
public final class SecretServiceStore: KeyringStore {
  private let application: String
  private let label: String
  /// libsecret is called where waiting does no harm: never on the main thread, one call at a time.
  private let queue = DispatchQueue(label: "secret-service")
  /// A person is asked to unlock once in a run, and not at every token.
  private let hasAskedToUnlock = Atomic(false)

  /// How long the service may take to answer.
  private static let answerLimit = Duration.seconds(10)
  /// How long it may take to say whether it is there.
  private static let presenceLimit = Duration.seconds(3)
  /// How long a person may take to unlock.
  private static let unlockLimit = Duration.seconds(120)

  /// Opens the store of an application.
  ///
  /// Nothing is asked of the service yet.
  /// - Parameters:
  ///   - application: the application's ID; it keeps its records apart from others'.
  ///   - label: what keyring managers show for each item.
  public init(application: String, label: String) {
    self.application = application
    self.label = label
  }

  /// All records, after asking the person to unlock the keyring if it is locked.
  public func load() async throws(AuthenticationError) -> [StoredRecord] {
    try await perform(limit: Self.unlockLimit) {
      (session) throws(SecretServiceFailure) in
      let mayAsk = self.hasAskedToUnlock.compareExchange(
        expected: false, desired: true, ordering: .relaxed
      ).exchanged
      let isUnlocked = try session.unlockDefaultCollection(mayAsk: mayAsk)
      guard isUnlocked else { throw .locked }
      return try session.search(["application": self.application, "kind": "account"]).compactMap {
        guard let id = $0.attributes["id"], let contents = Base64URL.decode($0.secret.exposed)
        else { return nil }
        return StoredRecord(id: id, contents: Secret(contents))
      }
    }
  }

  /// Writes `record` as an item.
  public func save(_ record: StoredRecord) async throws(AuthenticationError) {
    try await perform(limit: Self.answerLimit) {
      [label, attributes = attributes(of: record.id)] (session) throws(SecretServiceFailure) in
      try session.store(
        Secret(Base64URL.encode(record.contents.exposed)), attributes: attributes, label: label)
    }
  }

  /// Removes the item with `id`.
  public func delete(id: String) async throws(AuthenticationError) {
    try await perform(limit: Self.answerLimit) {
      [attributes = attributes(of: id)] (session) throws(SecretServiceFailure) in
      try session.clear(attributes)
    }
  }

  /// Looks for the keyring, without asking the person to unlock it.
  ///
  /// It takes three seconds at most.
  public func presence() async -> KeyringPresence {
    let isUnlocked = await result(limit: Self.presenceLimit) { (session) throws(SecretServiceFailure) in
      try session.unlockDefaultCollection(mayAsk: false)
    }
    return switch isUnlocked {
    case .success(true): .unlocked
    case .success(false): .locked
    case .failure(let failure): failure.presence
    }
  }

  private func attributes(of id: String) -> [String: String] {
    ["application": application, "kind": "account", "id": id]
  }

  /// Does `work` on the queue.
  private func perform<Value: Sendable>(
    limit: Duration,
    _ work: @escaping @Sendable (SecretServiceSession) throws(SecretServiceFailure) -> Value
  ) async throws(AuthenticationError) -> Value {
    do {
      return try await result(limit: limit, work).get()
    } catch {
      throw error.authenticationError
    }
  }

  /// What comes of `work` on the queue.
  ///
  /// It ends when the task is cancelled or `limit` is over.
  private func result<Value: Sendable>(
    limit: Duration,
    _ work: @escaping @Sendable (SecretServiceSession) throws(SecretServiceFailure) -> Value
  ) async -> Result<Value, SecretServiceFailure> {
    let cancellable = Cancellable()
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        queue.async {
          // The time counts from here: an earlier call may be waiting for a person.
          let timer = DispatchSource.makeTimerSource()
          timer.schedule(deadline: .now() + .seconds(Int(limit.components.seconds)))
          timer.setEventHandler { cancellable.cancel() }
          timer.resume()
          defer { timer.cancel() }
          continuation.resume(
            returning: Result { () throws(SecretServiceFailure) -> Value in
              try work(try SecretServiceSession(cancellable: cancellable))
            })
        }
      }
    } onCancel: {
      cancellable.cancel()
    }
  }
}
