public import AuthCore

/// Keeps account records in the desktop's Secret Service: gnome-keyring, KWallet, KeePassXC.
///
/// Each record has two items of its own in the default collection, written in turn, so that the
/// previous one remains until the new one is complete. The attributes and the label, which can be
/// read without unlocking, say nothing about the account. The secret is one line of base64url text:
/// a line break in a secret makes a gnome-keyring without a password unreadable for all programs.
public final class SecretServiceStore: KeyringStore, ForwardingStore {
  private let backend: KeyringBackend
  package let target: any TokenCacheStore
  package var knownTarget: (any TokenCacheStore)? { target }

  /// Creates the store of an application.
  ///
  /// The service is not contacted yet.
  /// - Parameters:
  ///   - application: the application's ID, which separates its records from those of others.
  ///   - label: the name of the application, with which the titles of its items begin in keyring
  ///     managers.
  public init(application: String, label: String) {
    backend = KeyringBackend(application: application, label: label)
    target = Self.target(backend, of: application)
  }

  /// Creates the store of an application that never asks the user: while the keyring is locked, it
  /// is not available.
  package init(quietlyFor application: String, label: String) {
    backend = KeyringBackend(application: application, label: label, asksPerson: false)
    target = Self.target(backend, of: application)
  }

  private static func target(
    _ backend: KeyringBackend, of application: String
  ) -> any TokenCacheStore {
    let name = application.replacing("/", with: "_")
    return RecordStore(
      backend: KeyringRecordBackend(backend), lockPath: "\(FileLock.directory)/keyring-\(name).lock"
    )
  }

  /// Creates a default keyring when the service has none: `KeyringPresence.noDefaultCollection`.
  ///
  /// Call it when the user requests one: the service asks them for a password.
  public func createKeyring() async throws(AuthenticationError) {
    try await backend.createKeyring()
  }

  /// Looks for the keyring, without asking the user to unlock it.
  ///
  /// It takes at most three seconds.
  public func presence() async -> KeyringPresence { await backend.presence() }

  /// The program that provides the keyring; nil when it cannot be determined within three seconds.
  package func provider() async -> KeyringProvider? { await backend.provider() }
}
