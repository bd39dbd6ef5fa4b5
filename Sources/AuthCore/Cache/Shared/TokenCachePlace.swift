import Glibc

/// Where a token cache lies that programs share: in a file, or in an item of a keyring.
///
/// Everything it does can block, and is done by one thread at a time. All but reading is done under the
/// lock beside ``path``, and reading changes nothing.
package protocol TokenCachePlace: Sendable {
  /// What errors call it, such as `token cache '~/cache.json'`.
  var name: String { get }
  /// The file whose stamp tells of every change, beside which the lock is.
  var path: String { get }
  /// Whether the cache is what ``path`` names.
  ///
  /// Else a program can end between writing the cache and telling so.
  var isItsOwnSignal: Bool { get }

  /// Sees to it that the cache can be read, asking the person where that is needed.
  func open() async throws(TokenCacheFailure)
  /// All of it; nil when it is not there.
  func read() throws(TokenCacheFailure) -> (bytes: [UInt8], stamp: FileStamp?)?
  /// Puts `pieces` in its place: whole, or not at all.
  func write(_ pieces: [ArraySlice<UInt8>]) throws(TokenCacheFailure) -> FileStamp?
  /// Keeps what nobody can read, and what is about to be written over, where a person finds it.
  func keepCopy(of bytes: [UInt8]) throws(TokenCacheFailure)
}

/// Why a token cache was not read or written, in words that follow its name.
package struct TokenCacheFailure: Error {
  package var reason: String
  /// Whether it is that another program has the lock.
  var isLocked = false

  package init(_ reason: String) { self.reason = reason }

  init(_ reason: String, isLocked: Bool) {
    self.reason = reason
    self.isLocked = isLocked
  }

  /// What the last system call has left in `errno`.
  static func system(_ what: String) -> TokenCacheFailure {
    TokenCacheFailure("\(what): \(String(cString: strerror(errno)))")
  }
}

/// What changes when a file does.
package struct FileStamp: Sendable, Equatable {
  private let device: dev_t
  private let inode: ino_t
  private let size: off_t
  private let seconds: Int
  private let nanoseconds: Int

  init(_ status: stat) {
    device = status.st_dev
    inode = status.st_ino
    size = status.st_size
    seconds = status.st_mtim.tv_sec
    nanoseconds = status.st_mtim.tv_nsec
  }

  /// The stamp of the file at `path`; nil when there is none.
  package init?(path: String) {
    var status = stat()
    guard lstat(path, &status) == 0 else { return nil }
    self.init(status)
  }
}
