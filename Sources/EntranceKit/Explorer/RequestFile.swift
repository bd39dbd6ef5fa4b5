import AuthCore
import CurlHTTP
import Glibc
import HTTPFiles
import Localization
import Sentences

/// A file of requests, as it was last read.
struct RequestFile: Sendable, Equatable {
  /// Where it is.
  let path: String
  /// What is in it; nil when it cannot be read.
  var file: HTTPFile?
  /// Why it cannot be read; nil when it can.
  var problem: String?

  /// The last part of the path.
  var name: String { path.split(separator: "/").last.map(String.init) ?? path }

  /// What a request is called: its name, or else its method and address.
  static func title(of request: HTTPFile.Request) -> String {
    request.name ?? "\(request.content.method) \(request.content.url)"
  }

  /// Reads the file at `path`.
  @concurrent
  static func read(_ path: String) async -> RequestFile {
    do throws(Failure) {
      return RequestFile(path: path, file: try contents(of: path))
    } catch {
      return RequestFile(path: path, problem: error.text)
    }
  }

  /// Why a file was not read or written.
  struct Failure: Error {
    /// A whole sentence.
    let text: String
    /// Whether the request is not in the file any more as it was read.
    var isConflict = false
    /// Whether the file cannot be read, maybe because it is gone.
    var isUnreadable = false

    init(_ text: String) { self.text = text }

    static let conflict: Failure = {
      var failure = Failure(tr("The request was changed by another program."))
      failure.isConflict = true
      return failure
    }()
  }

  private static func contents(of path: String) throws(Failure) -> HTTPFile {
    let bytes: [UInt8]
    do throws(FileReader.Failure) {
      bytes = try FileReader(path).read(upTo: HTTPFile.largest)
    } catch {
      var failure = Failure(tr("The file cannot be read: {reason}.", ["reason": tr(error.cause)]))
      failure.isUnreadable = true
      throw failure
    }
    do throws(HTTPFile.Remark) {
      return try HTTPFile(bytes)
    } catch {
      throw Failure(tr("Line {line}: {reason}", ["line": error.line, "reason": tr(error.reason)]))
    }
  }
}

extension RequestFile {
  /// A request of a file, by what tells it from the others.
  struct Place: Sendable, Equatable {
    var path: String
    /// Its index when the file was last read.
    var index: Int
    var name: String?
    /// What it was when the file was last read.
    var content: HTTPFile.Content

    /// Where it is in a file that may have been changed; nil when it is not there any more.
    ///
    /// - Parameter isChanged: whether it may send something else now.
    func index(in file: HTTPFile, isChanged: Bool = false) -> Int? {
      func isSame(_ request: HTTPFile.Request) -> Bool {
        request.name == name && (isChanged || request.content == content)
      }
      if file.requests.indices.contains(index), isSame(file.requests[index]) { return index }
      return file.requests.firstIndex(where: isSame)
    }
  }

  /// Writes a request back to where it was read.
  ///
  /// - Parameters:
  ///   - name: its name; nil for the one that it has.
  ///   - replacesOthers: whether it takes the place of what another program wrote there.
  /// - Returns: the file as it is now, and the index of the request.
  @concurrent
  static func save(
    _ content: HTTPFile.Content, called name: String? = nil, at place: Place, replacesOthers: Bool
  ) async throws(Failure) -> (RequestFile, Int) {
    let lock = FolderLock(besideFileAt: place.path)
    defer { withExtendedLifetime(lock) {} }
    // What other programs have written meanwhile is kept.
    var file = try contents(of: place.path)
    guard let index = place.index(in: file, isChanged: replacesOthers) else {
      guard replacesOthers else { throw .conflict }
      return try append(content, called: name ?? place.name ?? "", to: file, at: place.path)
    }
    do throws(HTTPFile.EditError) {
      try file.replace(index, with: content)
      if let name { try file.rename(index, to: name) }
    } catch {
      throw Failure(tr(error.reason))
    }
    try write(file.bytes, to: place.path)
    return (RequestFile(path: place.path, file: file), index)
  }

  /// Adds a request at the end of the file at `path`, which is made if it is not there.
  @concurrent
  static func add(
    _ content: HTTPFile.Content, called name: String, to path: String
  ) async throws(Failure) -> (RequestFile, Int) {
    let lock = FolderLock(besideFileAt: path)
    defer { withExtendedLifetime(lock) {} }
    let isThere = access(path, F_OK) == 0
    guard let file = isThere ? try contents(of: path) : try? HTTPFile([]) else {
      throw Failure("")
    }
    return try append(content, called: name, to: file, at: path)
  }

  /// Makes the file at `path` with one request, or replaces it, which the person was asked about.
  @concurrent
  static func make(
    _ content: HTTPFile.Content, called name: String, at path: String
  ) async throws(Failure) -> (RequestFile, Int) {
    let lock = FolderLock(besideFileAt: path)
    defer { withExtendedLifetime(lock) {} }
    guard let file = try? HTTPFile([]) else { throw Failure("") }
    return try append(content, called: name, to: file, at: path)
  }

  /// Makes the file at `path`, or replaces it, which the person was asked about.
  @concurrent
  static func write(_ file: HTTPFile, to path: String) async throws(Failure) -> RequestFile {
    try write(file.bytes, to: path)
    return RequestFile(path: path, file: file)
  }

  private static func append(
    _ content: HTTPFile.Content, called name: String, to file: HTTPFile, at path: String
  ) throws(Failure) -> (RequestFile, Int) {
    var file = file
    do throws(HTTPFile.EditError) {
      try file.append(content, called: name)
    } catch {
      throw Failure(tr(error.reason))
    }
    try write(file.bytes, to: path)
    return (RequestFile(path: path, file: file), file.requests.count - 1)
  }

  /// Replaces a file at once, so that nobody ever reads a part of it; its permissions stay.
  private static func write(_ bytes: [UInt8], to path: String) throws(Failure) {
    var status = stat()
    let isThere = stat(path, &status) == 0
    let target = SymbolicLink.target(of: path)
    do throws(StorageFailure) {
      _ = try PrivateFile(path: target).write(bytes, replacing: true)
    } catch {
      throw Failure(tr("The file could not be saved: {reason}", ["reason": tr(error.reason)]))
    }
    if isThere { chmod(target, status.st_mode & 0o777) }
  }
}
