import Glibc

/// A file whose parts are sent as the bodies of requests.
package final class BodyFile: Sendable {
  fileprivate let reader: FileReader

  /// Opens the file at `path`.
  package init(_ path: String) throws(FileReader.Failure) {
    reader = try FileReader(path)
  }

  /// Opens a file in `directory` or below it, by a name that someone else may have chosen.
  package init(_ name: String, in directory: String) throws(FileReader.Failure) {
    reader = try FileReader(name, in: directory)
  }

  /// Its bytes, when it was opened.
  package var size: Int { Int(reader.status.st_size) }
}

extension BodyFile: Equatable {
  /// Whether both were opened at once.
  package static func == (one: BodyFile, other: BodyFile) -> Bool { one === other }
}

/// A part of a file as the body of a request.
///
/// It is read while it is sent, so it takes no memory.
package final class FilePart: Sendable {
  private let file: BodyFile
  private let range: Range<Int>
  private let problem = LockedValue<FileReader.Failure?>(nil)

  /// A part, whose `range` is within the size of `file`.
  package init(_ file: BodyFile, _ range: Range<Int>) {
    self.file = file
    self.range = range
  }

  /// Its bytes.
  package var count: Int { range.count }

  /// Why it was not sent, when it could not be read.
  package var failure: FileReader.Failure? { problem.withLock(\.self) }

  /// Reads what comes after `offset` bytes of the part; returns the number of bytes, or nil after
  /// ``failure``.
  func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int) -> Int? {
    do throws(FileReader.Failure) {
      let length = min(buffer.count, range.count - offset)
      let wanted = UnsafeMutableRawBufferPointer(rebasing: buffer[..<length])
      guard try file.reader.read(into: wanted, at: range.lowerBound + offset) == length else {
        throw FileReader.changed
      }
      // After each piece: what was sent of one version must not be followed by another one.
      try file.reader.checkUnchanged()
      return length
    } catch {
      problem.withLock { $0 = error }
      return nil
    }
  }
}
