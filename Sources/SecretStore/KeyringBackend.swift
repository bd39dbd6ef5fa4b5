import AuthCore
import Dispatch
import FoundationEssentials

/// An application's items in the Secret Service, one for each slot.
///
/// An item's attributes are its only name. Every item is stored with all attributes that the
/// application's other items have: gnome-keyring replaces any item that has at least the attributes
/// of the new one.
final class KeyringBackend: SlotBackend {
  private let application: String
  private let label: String
  private let access: KeyringQueue
  /// Reads that must not wait for the user.
  private let looking = KeyringQueue(
    "secret-service.presence", limit: .seconds(3), asksPerson: false)

  private static let collection = "default"
  private static let schema = "io.github.entrance.TokenCache"
  /// The kind of items from before there were slots.
  private static let oldKind = "account"

  /// - Parameter asksPerson: whether the user may be asked.
  init(application: String, label: String, asksPerson: Bool = true) {
    self.application = application
    self.label = label
    access = KeyringQueue("secret-service", asksPerson: asksPerson)
  }

  /// Opens the keyring and the application's items in it; may ask the user to unlock them.
  func prepare() async throws(AuthenticationError) {
    try await perform { (session) throws(SecretServiceFailure) in
      try Self.openCollection(session)
      try session.openItems(self.attributes)
    }
  }

  /// Allows the next ``prepare()`` to ask the user, although they declined before.
  func allowAskingAgain() { access.allowAskingAgain() }

  func list() async throws(AuthenticationError) -> [Slot] {
    try await perform { (session) throws(SecretServiceFailure) in
      try session.readSecrets(of: try session.search(self.attributes)).compactMap(self.slot)
    }
  }

  func read(_ kind: Slot.Kind, _ id: String) async throws(AuthenticationError) -> [Slot] {
    try await perform { (session) throws(SecretServiceFailure) in
      let attributes = self.attributes.merging(["id": id]) { $1 }
      var items = try session.search(attributes)
      if items.isEmpty, try session.isLocked(Self.collection) != false {
        // A locked item still exists.
        try Self.openCollection(session)
        items = try session.search(attributes)
      }
      return try session.readSecrets(of: items).compactMap(self.slot)
        .filter { $0.name.kind == kind }
    }
  }

  func write(_ data: Secret<Data>, as name: Slot.Name) async throws(AuthenticationError) {
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
        label: self.title(of: name), in: Self.collection)
    }
  }

  func delete(_ name: Slot.Name) async throws(AuthenticationError) {
    let attributes = attributes(of: name)
    try await perform { (session) throws(SecretServiceFailure) in
      try session.remove(attributes)
    }
  }

  /// Looks for the keyring, without asking the user.
  func presence() async -> KeyringPresence {
    do throws(SecretServiceFailure) {
      return try await looking.run { (session) throws(SecretServiceFailure) -> KeyringPresence in
        switch try session.isLocked(Self.collection) {
        case true?: .locked
        case false?: try session.hasLockedItem(self.attributes) ? .needsConsent : .unlocked
        case nil: .noDefaultCollection
        }
      }
    } catch {
      return error.presence
    }
  }

  /// The program that provides the keyring; nil when it is unknown.
  func provider() async -> KeyringProvider? {
    try? await looking.run { (session) throws(SecretServiceFailure) in try session.provider() }
  }

  /// Creates a keyring; the service asks the user for its password.
  func createKeyring() async throws(AuthenticationError) {
    try await perform(UnlockPrompt()) { (session) throws(SecretServiceFailure) in
      // KWallet's default wallet always has this name.
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

  /// The attributes that all items of the application have.
  private var attributes: [String: String] { ["application": application] }

  /// The title that keyring managers show: what the item is, and the start of the random ID that
  /// tells an account's items from another's.
  ///
  /// It can be read on the bus, also while the keyring is locked, so it does not say whose they are.
  private func title(of name: Slot.Name) -> String {
    let copy = name.side.map { " (copy \($0.rawValue.uppercased()))" } ?? ""
    return switch name.kind {
    case .record: "\(label): account \(name.id.prefix(6))\(copy)"
    case .index: "\(label): list of accounts\(copy)"
    case .quarantine: "\(label): damaged account"
    }
  }

  private func attributes(of name: Slot.Name) -> [String: String] {
    let isOld = name.kind == .record && name.side == nil
    var attributes = attributes
    attributes["kind"] = isOld ? Self.oldKind : name.kind.rawValue
    attributes["id"] = name.id
    attributes["slot"] = name.side?.rawValue
    return attributes
  }

  /// An item as a slot; nil when it belongs to another application.
  private func slot(_ item: KeyringItem, _ secret: Secret<[UInt8]>) -> Slot? {
    let attributes = item.attributes
    guard let kind = attributes["kind"], let id = attributes["id"] else { return nil }
    let name: Slot.Name
    switch (Slot.Kind(rawValue: kind), attributes["slot"].flatMap(Slot.Side.init)) {
    case (let kind?, let side) where (kind == .quarantine) == (side == nil):
      name = Slot.Name(kind, id, side)
    case (nil, nil) where kind == Self.oldKind: name = Slot.Name(.record, id)
    default: return nil
    }
    guard let data = Base64URL.decode(String(decoding: secret.exposed, as: UTF8.self)) else {
      return Slot(name: name, contents: .damaged(Secret(Data(secret.exposed))))
    }
    return Slot(name: name, contents: .data(Secret(data)))
  }

  // MARK: - The service

  /// Runs `work`, which may ask the user.
  private func perform<Value: Sendable>(
    _ unlockPrompt: UnlockPrompt? = nil,
    _ work: @escaping @Sendable (SecretServiceSession) throws(SecretServiceFailure) -> Value
  ) async throws(AuthenticationError) -> Value {
    do throws(SecretServiceFailure) {
      return try await access.run(asking: unlockPrompt, work)
    } catch {
      throw error.authenticationError
    }
  }
}
