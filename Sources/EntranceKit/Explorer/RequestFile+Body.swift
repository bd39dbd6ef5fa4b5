import AuthCore
import CurlHTTP
import Glibc
import HTTPFiles
import Localization
import Sentences

// A file that the body of a request in a file consists of.
extension RequestFile {
  /// The line that stands for the contents of the file at `body`, in a request of the file at `path`.
  ///
  /// - Throws: why there is none: what a file of requests names must be in its folder or below it, and
  ///   not be hidden.
  @concurrent
  static func reference(
    to body: String, from path: String
  ) async throws(Failure) -> String {
    if case .failure(let refusal) = await ExplorerBodyFile.size(of: body) {
      throw Failure(refusal.text)
    }
    let name = RequestFile(path: body).name
    guard var folder = real(HTTPFile.directory(of: path)), let file = real(body) else {
      throw .refused(name, Sentence("it is not in the folder of the file that names it"))
    }
    if !folder.hasSuffix("/") { folder += "/" }
    guard file.hasPrefix(folder) else {
      throw .refused(name, Sentence("it is not in the folder of the file that names it"))
    }
    return try reference(toFileInFolder: String(file.dropFirst(folder.count)))
  }

  /// The line that stands for the contents of a file, by its path from the folder of the file of
  /// requests.
  ///
  /// - Throws: why the rules of such files let it stand for nothing, or for something else.
  static func reference(toFileInFolder path: String) throws(Failure) -> String {
    // Programs keep their secrets in such files: nobody is to get one with a file of requests.
    guard !path.split(separator: "/").contains(where: { $0.hasPrefix(".") }) else {
      throw .refused(path, Sentence("a name in its path begins with a dot"))
    }
    guard !path.hasSuffix(".js") else {
      throw .refused(path, Sentence("a name that ends in .js means a script there"))
    }
    guard path == path.plain, path.last?.isWhitespace == false else {
      throw .refused(path, Sentence("its name has characters that cannot be written there"))
    }
    return "< ./\(path)"
  }

  /// A path without symbolic links; nil when there is nothing at it.
  private static func real(_ path: String) -> String? {
    guard let real = realpath(path, nil) else { return nil }
    defer { free(real) }
    return String(cString: real)
  }
}

extension RequestFile.Failure {
  fileprivate static func refused(_ name: String, _ reason: Sentence) -> RequestFile.Failure {
    RequestFile.Failure(
      tr(
        "The file “{path}” cannot be the body of a request in an .http file: {reason}.",
        ["path": name.plain, "reason": reason]))
  }
}
