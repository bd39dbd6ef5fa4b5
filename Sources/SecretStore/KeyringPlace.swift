import AuthCore
import Dispatch
import FoundationEssentials

/// An application's items in the Secret Service, one a blob.
///
/// The attributes of an item are all of its name. An item is always stored with every attribute that others
/// of the application have, too: gnome-keyring replaces whatever has at least those of the new one.
final class KeyringPlace: BlobPlace {
  private let application: String
  private let label: String
  /// libsecret is called where waiting does no harm: never on the main thread, one call at a time.
  private let queue = DispatchQueue(label: "secret-service")
  /// Who only looks does not wait for a person.
  private let lookingQueue = DispatchQueue(label: "secret-service.presence")
  private let question = Question()

  /// How long the service may take to answer.
  static let answerLimit = DispatchTimeInterval.seconds(10)
  /// How long it may take to say whether it is there.
  private static let presenceLimit = DispatchTimeInterval.seconds(3)
  private static let collection = "default"
  private static let schema = "io.github.entrance.TokenCache"
  /// The kind of items before there were slots.
  private static let oldKind = "account"

  init(application: String, label: String) {
    self.application = application
    self.label = label
  }

  /// Opens the keyring and the application's items in it, for which the person may be asked.
  func prepare() async throws(AuthenticationError) {
    try await perform { (session) throws(SecretServiceFailure) in
      try Self.openCollection(session)
      try session.openItems(self.attributes)
    }
  }

  /// Lets the next ``prepare()`` ask the person, although they were asked before.
  func allowAskingAgain() { question.allow() }

  func list() async throws(AuthenticationError) -> [Blob] {
    try await perform { (session) throws(SecretServiceFailure) in
      try session.readSecrets(of: try session.search(self.attributes)).compactMap(self.blob)
    }
  }

  func read(_ kind: Blob.Kind, _ id: String) async throws(AuthenticationError) -> [Blob] {
    try await perform { (session) throws(SecretServiceFailure) in
      let attributes = self.attributes.merging(["id": id]) { $1 }
      var items = try session.search(attributes)
      if items.isEmpty, try session.isLocked(Self.collection) != false {
        // What is locked is not gone.
        try Self.openCollection(session)
        items = try session.search(attributes)
      }
      return try session.readSecrets(of: items).compactMap(self.blob)
        .filter { $0.name.kind == kind }
    }
  }

  func write(_ data: Secret<Data>, as name: Blob.Name) async throws(AuthenticationError) {
    let attributes = attributes(of: name)
    let text = Secret(Array(Base64URL.encode(data.exposed).utf8))
    try await perform { (session) throws(SecretServiceFailure) in
      if let item = try session.search(attributes).first {
        return try session.replace(text, in: item)
      }
      try Self.openCollection(session)
      try session.create(
        text,
        attributes: attributes.merging([SecretServiceSession.schemaAttribute: Self.schema]) { $1 },
        label: self.label, in: Self.collection)
    }
  }

  func delete(_ name: Blob.Name) async throws(AuthenticationError) {
    let attributes = attributes(of: name)
    try await perform { (session) throws(SecretServiceFailure) in
      try session.remove(attributes)
    }
  }

  /// Looks for the keyring, without asking the person.
  func presence() async -> KeyringPresence {
    let presence = await result(on: lookingQueue, limit: Self.presenceLimit, nil) {
      (session) throws(SecretServiceFailure) -> KeyringPresence in
      switch try session.isLocked(Self.collection) {
      case true?: .locked
      case false?: try session.hasLockedItem(self.attributes) ? .needsConsent : .unlocked
      case nil: .noDefaultCollection
      }
    }
    switch presence {
    case .success(let presence): return presence
    case .failure(let failure): return failure.presence
    }
  }

  /// Who provides the keyring; nil when that cannot be told.
  func provider() async -> KeyringProvider? {
    let provider = await result(on: lookingQueue, limit: Self.presenceLimit, nil) {
      (session) throws(SecretServiceFailure) in
      try session.provider()
    }
    return try? provider.get()
  }

  /// Has the service make a keyring; the person who wants one is asked for its password.
  func createKeyring() async throws(AuthenticationError) {
    try await perform(Question()) { (session) throws(SecretServiceFailure) in
      // KWallet's default is the wallet of this name, whatever it is told.
      let isKWallet = try session.provider() == .kwallet
      try session.createCollection(
        Self.collection, label: isKWallet ? "kdewallet" : "Default keyring")
    }
  }

  private static func openCollection(
    _ session: SecretServiceSession
  ) throws(SecretServiceFailure) {
    guard try session.openCollection(collection) else { throw .noDefaultCollection }
  }

  // MARK: - Items

  /// What all items of the application have.
  private var attributes: [String: String] { ["application": application] }

  private func attributes(of name: Blob.Name) -> [String: String] {
    let isOld = name.kind == .record && name.slot == nil
    var attributes = attributes
    attributes["kind"] = isOld ? Self.oldKind : name.kind.rawValue
    attributes["id"] = name.id
    attributes["slot"] = name.slot?.rawValue
    return attributes
  }

  /// An item as a blob; nil when it is another's.
  private func blob(_ item: KeyringItem, _ secret: Secret<[UInt8]>) -> Blob? {
    let attributes = item.attributes
    guard let kind = attributes["kind"], let id = attributes["id"] else { return nil }
    let slot = attributes["slot"].flatMap(Blob.Slot.init)
    let name: Blob.Name
    switch (Blob.Kind(rawValue: kind), slot) {
    case (.record?, .some), (.index?, .some), (.quarantine?, nil):
      name = Blob.Name(Blob.Kind(rawValue: kind) ?? .record, id, slot)
    case (nil, nil) where kind == Self.oldKind: name = Blob.Name(.record, id)
    default: return nil
    }
    guard let data = Base64URL.decode(String(decoding: secret.exposed, as: UTF8.self)) else {
      return Blob(name: name, contents: .damaged(Secret(Data(secret.exposed))))
    }
    return Blob(name: name, contents: .data(Secret(data)))
  }

  // MARK: - The service

  /// Does `work` on the queue; the person may be asked meanwhile.
  private func perform<Value: Sendable>(
    _ question: Question? = nil,
    _ work: @escaping @Sendable (SecretServiceSession) throws(SecretServiceFailure) -> Value
  ) async throws(AuthenticationError) -> Value {
    do {
      return try await result(
        on: queue, limit: Self.answerLimit, question ?? self.question, work
      ).get()
    } catch {
      throw error.authenticationError
    }
  }

  /// What comes of `work`.
  ///
  /// It ends when the task is cancelled or the time is over.
  private func result<Value: Sendable>(
    on queue: DispatchQueue, limit: DispatchTimeInterval, _ question: Question?,
    _ work: @escaping @Sendable (SecretServiceSession) throws(SecretServiceFailure) -> Value
  ) async -> Result<Value, SecretServiceFailure> {
    let cancellable = Cancellable()
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        queue.async {
          continuation.resume(
            returning: Result { () throws(SecretServiceFailure) -> Value in
              try SecretServiceSession.using(limit: limit, cancellable, question, work)
            })
        }
      }
    } onCancel: {
      cancellable.giveUp()
    }
  }
}
