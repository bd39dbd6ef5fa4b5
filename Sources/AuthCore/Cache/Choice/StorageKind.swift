/// Where accounts can be kept from one run to the next.
///
/// The raw values are those of `"storage"` in a configuration.
public enum StorageKind: String, Sendable, CaseIterable {
  /// In the desktop's keyring: gnome-keyring, KWallet, KeePassXC.
  case secretService
  /// In encrypted files: with a key of the service manager, or a passphrase.
  case encryptedFile
  /// In a file that is not encrypted.
  ///
  /// It is never chosen unless the person said so.
  case plainFile
  /// Nowhere: they are forgotten when the program ends.
  case memory
}
