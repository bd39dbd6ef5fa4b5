/// Where accounts can be stored.
///
/// Later versions may add places: a `switch` needs a `default`.
public struct StorageKind: Sendable, Hashable, CaseIterable, CustomStringConvertible {
  /// In the desktop's keyring: gnome-keyring, KWallet, KeePassXC.
  public static let secretService = StorageKind(.secretService)
  /// In encrypted files: with a key from the service manager, or a passphrase.
  public static let encryptedFile = StorageKind(.encryptedFile)
  /// In an unencrypted file.
  ///
  /// It is never chosen automatically.
  public static let plainFile = StorageKind(.plainFile)
  /// In memory only: they are lost when the program ends.
  public static let memory = StorageKind(.memory)

  /// All places of this version.
  public static let allCases = Known.allCases.map { StorageKind($0) }

  /// The places of this version, for a `switch` that must handle each.
  package enum Known: String, CaseIterable {
    case secretService, encryptedFile, plainFile, memory
  }
  package let known: Known

  private init(_ known: Known) {
    self.known = known
  }

  /// The place called `rawValue`, such as by `"storage"` in a configuration; nil when this version
  /// has none with that name.
  public init?(rawValue: String) {
    guard let known = Known(rawValue: rawValue) else { return nil }
    self.init(known)
  }

  /// The name, for logs and programs.
  public var rawValue: String { known.rawValue }
  /// The name.
  public var description: String { rawValue }
}
