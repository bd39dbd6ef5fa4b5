import CurlHTTP
import Dispatch
import Glibc
import Localization
import Sentences

/// A text file that the user saves.
nonisolated enum TextFile {
  /// Why a file could not be saved.
  struct Failure: Error {
    /// The reason, in the user's language.
    let reason: String
  }

  /// Writes `text` to `path`, only for this user's eyes; a file of this name is replaced when the
  /// new one is complete.
  static func write(_ text: String, to path: String) async throws(Failure) {
    try await DispatchQueue.global(qos: .userInitiated).run { () throws(Failure) in
      let temporary = "\(path).\(getpid()).new"
      do throws(Failure) {
        try create(temporary, text)
        guard rename(temporary, path) == 0 else { throw Failure(reason: tr(.systemError)) }
      } catch {
        unlink(temporary)
        throw error
      }
    }
  }

  private static func create(_ path: String, _ text: String) throws(Failure) {
    let file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard file >= 0 else { throw Failure(reason: tr(.systemError)) }
    defer { close(file) }
    var rest = Array(text.utf8)[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Glibc.write(file, $0.baseAddress, $0.count) }
      guard count >= 0 || errno == EINTR else { throw Failure(reason: tr(.systemError)) }
      rest = rest.dropFirst(max(count, 0))
    }
    guard fsync(file) == 0 else { throw Failure(reason: tr(.systemError)) }
  }
}
