import AuthCore
import Connections
import CurlHTTP
import Localization
import Sentences

// Files that describe an app.
extension ConnectionList {
  /// Why nothing was imported from a file.
  public struct ImportFailure: Error, Equatable {
    /// A whole sentence.
    public let text: String
  }

  /// What the file at `path` describes, as ``import(_:)`` reads it from a text.
  ///
  /// - Throws: when the file cannot be read, has more than `ConnectionFile.maximumSize` bytes or is not
  ///   in UTF-8 and has no byte order mark of UTF-16, or when no client ID is found in it.
  public func importFile(_ path: String) async throws(ImportFailure) -> ConnectionEditor {
    let name = preferences.shown(RequestFile(path: path).name.plain)
    return makeEditor(try await Self.draft(in: path, called: name))
  }

  @concurrent
  private static func draft(
    in path: String, called name: String
  ) async throws(ImportFailure) -> ConnectionDraft {
    let bytes: [UInt8]
    do throws(FileReader.Failure) {
      bytes = try FileReader(path).read(upTo: ConnectionFile.maximumSize)
    } catch {
      throw unreadable(name, tr(error.cause))
    }
    guard let text = String(validating: MarkedText.utf8(bytes), as: UTF8.self) else {
      throw unreadable(name, tr("the text is not UTF-8"))
    }
    do throws(ConnectionFileError) {
      return try ConnectionImport.firstDraft(from: text)
    } catch {
      throw ImportFailure(
        text: tr(
          "The file “{path}” cannot be imported: {reason}.",
          ["path": name, "reason": tr(error.sentence)]))
    }
  }

  private nonisolated static func unreadable(_ name: String, _ reason: String) -> ImportFailure {
    ImportFailure(
      text: tr(
        "The file “{path}” cannot be read: {reason}.", ["path": name, "reason": reason]))
  }
}
