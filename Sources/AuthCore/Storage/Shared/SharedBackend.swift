package import Sentences

/// The storage of a token cache that programs share: a file or a keyring item.
///
/// All operations can block, and are called on one thread at a time. All except reading are called
/// under the lock beside ``path``; reading changes nothing.
package protocol SharedBackend: Sendable {
  /// The name for errors, such as `token cache '~/cache.json'`.
  var name: Sentence { get }
  /// The file whose stamp signals every change; the lock is beside it.
  var path: String { get }
  /// Whether the cache itself is the file at ``path``.
  ///
  /// Otherwise, a program can end after writing the cache and before signaling the change.
  var isItsOwnSignal: Bool { get }

  /// Makes the cache readable; may ask the user.
  func open() async throws(StorageFailure)
  /// Allows the next ``open()`` to ask the user, although they declined before.
  func allowAskingAgain()
  /// The whole cache; nil when it does not exist.
  func read() throws(StorageFailure) -> (bytes: [UInt8], stamp: FileStamp?)?
  /// Replaces the cache with `bytes` atomically.
  func write(_ bytes: [UInt8]) throws(StorageFailure) -> FileStamp?
  /// Saves a copy of unreadable content that is about to be overwritten, where the user can find
  /// it.
  func keepCopy(of bytes: [UInt8]) throws(StorageFailure)
  /// Removes what ``keepCopy(of:)`` has saved.
  func removeCopies()
}

extension SharedBackend {
  /// Does nothing: for a backend that never asks the user.
  package func allowAskingAgain() {}

  /// Does nothing: for a backend that saves no copies.
  package func removeCopies() {}
}
