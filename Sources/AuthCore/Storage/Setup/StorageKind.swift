/// Where accounts can be kept from one run to the next.
///
/// A later version can have more places: a `switch` needs a `default`.
public struct StorageKind: Sendable, Hashable, CaseIterable, CustomStringConvertible {
  /// In the desktop's keyring: gnome-keyring, KWallet, KeePassXC.
  public static let secretService = StorageKind(.secretService)
  /// In encrypted files: with a key of the service manager, or a passphrase.
  public static let encryptedFile = StorageKind(.encryptedFile)
  /// In a file that is not encrypted.
  ///
  /// It is never chosen unless the person said so.
  public static let plainFile = StorageKind(.plainFile)
  /// Nowhere: they are forgotten when the program ends.
  public static let memory = StorageKind(.memory)

  /// All that there are in this version.
  public static let allCases = Known.allCases.map { StorageKind($0) }

  /// Those of this version, for a `switch` that has to handle each.
  package enum Known: String, CaseIterable {
    case secretService, encryptedFile, plainFile, memory
  }
  package let known: Known

  private init(_ known: Known) {
    self.known = known
  }

  /// The place called `rawValue`, such as by `"storage"` in a configuration; nil when this version knows
  /// none of that name.
  public init?(rawValue: String) {
    guard let known = Known(rawValue: rawValue) else { return nil }
    self.init(known)
  }

  /// The name, for logs and for programs.
  public var rawValue: String { known.rawValue }
  /// The name.
  public var description: String { rawValue }
}
