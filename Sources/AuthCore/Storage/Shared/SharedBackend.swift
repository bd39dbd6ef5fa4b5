package import Sentences

/// Where a token cache lies that programs share: in a file, or in an item of a keyring.
///
/// Everything it does can block, and is done by one thread at a time. All but reading is done under the
/// lock beside ``path``, and reading changes nothing.
package protocol SharedBackend: Sendable {
  /// What errors call it, such as `token cache '~/cache.json'`.
  var name: Sentence { get }
  /// The file whose stamp tells of every change, beside which the lock is.
  var path: String { get }
  /// Whether the cache is what ``path`` names.
  ///
  /// Else a program can end between writing the cache and telling so.
  var isItsOwnSignal: Bool { get }

  /// Sees to it that the cache can be read, asking the person where that is needed.
  func open() async throws(StorageFailure)
  /// Lets the next ``open()`` ask the person, although they were asked before.
  func allowAskingAgain()
  /// All of it; nil when it is not there.
  func read() throws(StorageFailure) -> (bytes: [UInt8], stamp: FileStamp?)?
  /// Puts `pieces` in its place: whole, or not at all.
  func write(_ pieces: [ArraySlice<UInt8>]) throws(StorageFailure) -> FileStamp?
  /// Keeps what nobody can read, and what is about to be written over, where a person finds it.
  func keepCopy(of bytes: [UInt8]) throws(StorageFailure)
}

extension SharedBackend {
  /// Does nothing: for a backend that asks nobody.
  package func allowAskingAgain() {}
}
