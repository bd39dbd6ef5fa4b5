import AuthCore
import CurlHTTP
import Glibc
import Localization
import Sentences

/// The file that is the body of the page's request: what is known of it, and the text whose place it
/// has taken.
@MainActor
final class ExplorerBodyFile {
  /// Why a file cannot be sent.
  struct Refusal: Error, Equatable {
    /// A whole sentence or two.
    let text: String
  }

  /// The text that was the body before; it comes back when the file is removed.
  var text = ""
  /// The file's size when it was last looked at, in bytes, or why it cannot be sent; nil while that
  /// is not known.
  private(set) var size: Result<Int, Refusal>?
  private var path: String?
  private var check: Task<Void, Never>?

  /// The largest file, in bytes: as one that an `.http` file names.
  private nonisolated static let largest = FileReader.Limit.record

  /// Looks at the file at `path`, and calls `found` when ``size`` is known; nil for no file.
  func follow(_ path: String?, _ found: @escaping @MainActor () -> Void) {
    check?.cancel()
    if path != self.path { (self.path, size) = (path, nil) }
    guard let path else { return text = "" }
    check = Task { [weak self] in
      let size = await Self.size(of: path)
      guard let self, !Task.isCancelled else { return }
      self.size = size
      found()
    }
  }

  /// Notes that the file at `path` could not be read when it was to be sent, if it is still this one.
  func take(_ refusal: Refusal, of path: String) {
    guard path == self.path else { return }
    check?.cancel()
    size = .failure(refusal)
  }

  /// Stops looking.
  func stop() { check?.cancel() }

  /// The size of the file at `path`, in bytes, without reading it.
  @concurrent
  static func size(of path: String) async -> Result<Int, Refusal> {
    do throws(FileReader.Failure) {
      let file = try FileReader(path)
      let size = Int(file.status.st_size)
      guard size <= largest else { throw FileReader.tooLarge(largest) }
      return .success(size)
    } catch {
      return .failure(Refusal(error, path))
    }
  }

  /// The contents of the file at `path`.
  @concurrent
  static func contents(of path: String) async -> Result<[UInt8], Refusal> {
    do throws(FileReader.Failure) {
      let file = try FileReader(path)
      let bytes = try file.read(upTo: largest)
      try file.checkUnchanged()
      return .success(bytes)
    } catch {
      return .failure(Refusal(error, path))
    }
  }
}

extension ExplorerBodyFile.Refusal {
  fileprivate init(_ failure: FileReader.Failure, _ path: String) {
    let name = RequestFile(path: path).name.plain
    let text = tr(
      "The file “{path}” cannot be read: {reason}.",
      ["path": name, "reason": tr(failure.cause)])
    let isTooLarge = failure.reason == FileReader.tooLarge(FileReader.Limit.record).reason
    self.text =
      isTooLarge
      ? join([text, tr("To send a larger file, use “entrancectl graph upload”.")]) : text
  }
}
