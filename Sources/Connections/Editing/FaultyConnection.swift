package import AuthCore
import Sentences

/// The entry of `apps.json` that has the file's fault, in a field that the form of an app shows.
package struct FaultyConnection: Sendable, Equatable {
  /// The fault.
  package let error: ConnectionFileError
  /// What the file says of the entry; a field of another type reads as left out.
  package let draft: ConnectionDraft
  /// Where the accounts of all connections are kept; nil for where it fits.
  package let storage: StorageKind?
  /// The index in the list.
  private let index: Int
  /// The field with the fault.
  private let field: String

  /// Finds it in the text of a file; nil when there is none.
  init?(_ bytes: [UInt8]) {
    guard let text = try? JSONText(file: bytes) else { return nil }
    do throws(ConnectionFileError) {
      _ = try ConnectionFile.connections(of: text)
      return nil
    } catch {
      guard error.isInForm, let entry = error.entry,
        let elements = text.json[ConnectionFile.listField(of: text.json)]?.array,
        elements.indices ~= entry.index
      else { return nil }
      self.error = error
      (index, field) = (entry.index, entry.field)
      draft = ConnectionDraft(elements[entry.index])
      storage = text.json["storage"]?.string.flatMap(StorageKind.init)
    }
  }

  /// The text of the file with `draft` in place of what the entry says.
  ///
  /// Another entry may have a fault, which is told next.
  /// - Throws: ``ConnectionFileError`` when a field of the entry does not fit, or the file has
  ///   changed.
  func corrected(
    _ bytes: [UInt8], by draft: ConnectionDraft, storage: StorageKind?
  ) throws(ConnectionFileError) -> [UInt8] {
    guard FaultyConnection(bytes) == self else {
      throw ConnectionFileError(
        line: nil, field: nil, reason: Sentence("another program has changed the file"))
    }
    var text = try JSONText(file: bytes)
    let list = ConnectionFile.listField(of: text.json)
    let path = "\(list)[\(index)]"
    let changed = ConnectionFields.fields.filter {
      $0.name == field || self.draft.value(of: $0) != draft.value(of: $0)
    }
    do throws(JSONError) {
      for field in changed { try text.set(field.name, of: path, to: draft.value(of: field)) }
      if storage != self.storage {
        try text.set("storage", of: "", to: storage.map { .string($0.rawValue) })
      }
    } catch {
      throw ConnectionFileError(error)
    }
    let others = (text.json[list]?.array ?? []).enumerated().filter { $0.offset != index }
    guard !others.contains(where: { $0.element["name"]?.string == draft.name }) else {
      throw fault(path, "name", Sentence("another app has the same name"))
    }
    for field in changed {
      if let reason = field.refusal(of: draft) { throw fault(path, field.name, reason) }
    }
    do throws(ConnectionFileError) {
      _ = try ConnectionFile.connections(of: text)
    } catch {
      if error.entry?.index == index { throw error }
    }
    return text.bytes
  }

  private func fault(_ path: String, _ name: String, _ reason: Sentence) -> ConnectionFileError {
    ConnectionFileError(line: nil, field: "\(path).\(name)", reason: reason)
  }
}
