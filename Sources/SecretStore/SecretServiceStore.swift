public import AuthCore

/// Keeps token records in the desktop's Secret Service: gnome-keyring, KWallet, KeePassXC.
///
/// Each record is two items of its own in the default collection, which are written in turn, so that the one
/// before is there until the new one is. What can be read without unlocking, the attributes and the label,
/// says nothing about the account. The secret is one line of base64url text: a line break in a secret makes
/// a gnome-keyring without a password unreadable, for all programs.
public final class SecretServiceStore: KeyringStore, ForwardingStore {
  private let backend: KeyringBackend
  package let target: any TokenCacheStore
  package var knownTarget: (any TokenCacheStore)? { target }

  /// Opens the store of an application.
  ///
  /// Nothing is asked of the service yet.
  /// - Parameters:
  ///   - application: the application's ID; it keeps its records apart from others'.
  ///   - label: what keyring managers show for each item.
  public init(application: String, label: String) {
    backend = KeyringBackend(application: application, label: label)
    let name = application.replacing("/", with: "_")
    target = RecordStore(
      backend: backend, lockPath: "\(FileLock.directory)/keyring-\(name).lock")
  }

  /// Makes a keyring where the service has none: ``KeyringPresence/noDefaultCollection``.
  ///
  /// Call it when a person wants one: the service asks them for a password.
  public func createKeyring() async throws(AuthenticationError) {
    try await backend.createKeyring()
  }

  /// Looks for the keyring, without asking the person to unlock it.
  ///
  /// It takes three seconds at most.
  public func presence() async -> KeyringPresence { await backend.presence() }

  /// What provides the keyring; nil when that cannot be told within three seconds.
  package func provider() async -> KeyringProvider? { await backend.provider() }
}
