public import AuthCore

/// Keeps token records in the desktop's Secret Service: gnome-keyring, KWallet, KeePassXC.
///
/// Each record is two items of its own in the default collection, which are written in turn, so that the one
/// before is there until the new one is. What can be read without unlocking, the attributes and the label,
/// says nothing about the account. The secret is one line of base64url text: a line break in a secret makes
/// a gnome-keyring without a password unreadable, for all programs.
public final class SecretServiceStore: KeyringStore {
  private let place: KeyringPlace
  private let records: GenerationStore

  /// Opens the store of an application.
  ///
  /// Nothing is asked of the service yet.
  /// - Parameters:
  ///   - application: the application's ID; it keeps its records apart from others'.
  ///   - label: what keyring managers show for each item.
  public init(application: String, label: String) {
    place = KeyringPlace(application: application, label: label)
    let name = application.replacing("/", with: "_")
    records = GenerationStore(
      place: place, lockPath: "\(ProcessLock.directory)/keyring-\(name).lock")
  }

  /// Whether another process has written to the store since it was last read or written here.
  public var hasChanged: Bool { records.hasChanged }

  /// The application, whose processes share the store.
  public var lockName: String? { records.lockName }

  /// What was amiss when the keyring was last read, though the rest could be: a record was damaged, or is
  /// not shown.
  public var warning: AuthenticationError? { records.warning }

  /// All records, after asking the person to unlock the keyring, or its items, where they are locked.
  ///
  /// Who declines is asked again after ``allowAskingAgain()`` only. The task can be cancelled meanwhile.
  public func load() async throws(AuthenticationError) -> [StoredRecord] {
    try await records.load()
  }

  /// Lets the next ``load()`` ask the person to unlock the keyring, although they were asked before.
  public func allowAskingAgain() { place.allowAskingAgain() }

  /// Writes `record` as an item.
  public func save(_ record: StoredRecord) async throws(AuthenticationError) {
    try await records.save(record)
  }

  /// Writes all of `records`, and what tells of them once.
  public func save(_ records: [StoredRecord]) async throws(AuthenticationError) {
    try await self.records.save(records)
  }

  /// Removes the items with `id`.
  public func delete(id: String) async throws(AuthenticationError) {
    try await records.delete(id: id)
  }

  /// Makes a keyring where the service has none: ``KeyringPresence/noDefaultCollection``.
  ///
  /// Call it when a person wants one: the service asks them for a password.
  public func createKeyring() async throws(AuthenticationError) {
    try await place.createKeyring()
  }

  /// Looks for the keyring, without asking the person to unlock it.
  ///
  /// It takes three seconds at most.
  public func presence() async -> KeyringPresence { await place.presence() }

  /// What provides the keyring; nil when that cannot be told within three seconds.
  package func provider() async -> KeyringProvider? { await place.provider() }
}
