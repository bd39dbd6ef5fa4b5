package import FoundationEssentials
package import Sentences

/// The storage of a ``RecordStore``: keyring items, or files in a directory.
///
/// It keeps slots by name, and does not interpret them. Each write must be atomic; the store
/// verifies it afterwards.
package protocol RecordBackend: Sendable {
  /// Prepares it for reading, and may ask the user to unlock it.
  func prepare() async throws(AuthenticationError)

  /// Allows the next ``prepare()`` to ask the user, although they declined before.
  func allowAskingAgain()

  /// All slots.
  ///
  /// - Throws: when any slot cannot be read. A slot that cannot be interpreted is returned as a
  ///   ``Slot`` too.
  func list() async throws(AuthenticationError) -> [Slot]

  /// The existing slots of one record.
  ///
  /// - Throws: when they cannot be read, as opposed to not existing.
  func read(_ kind: Slot.Kind, _ id: String) async throws(AuthenticationError) -> [Slot]

  /// Writes `data` under `name`, and replaces what is there.
  func write(_ data: Secret<Data>, as name: Slot.Name) async throws(AuthenticationError)

  /// Finds out whether a slot could be written now; changes nothing, and asks nobody.
  func checkWriting() async throws(AuthenticationError)

  /// Deletes the slot called `name`, if it exists.
  func delete(_ name: Slot.Name) async throws(AuthenticationError)

  /// Moves the slot called `name`, which cannot be used, to the name `copy`.
  ///
  /// - Parameter bytes: its contents, if they could be read.
  func move(
    _ name: Slot.Name, to copy: Slot.Name, _ bytes: Secret<Data>
  ) async throws(AuthenticationError)
}

extension RecordBackend {
  /// Does nothing: for a backend that never asks the user.
  package func allowAskingAgain() {}

  /// Does nothing: for a backend that can always be written.
  package func checkWriting() async throws(AuthenticationError) {}

  /// Writes a copy, and deletes the slot after the copy is complete.
  package func move(
    _ name: Slot.Name, to copy: Slot.Name, _ bytes: Secret<Data>
  ) async throws(AuthenticationError) {
    try await write(bytes, as: copy)
    let written = try await read(copy.kind, copy.id).first
    guard case .data(bytes)? = written?.contents else { return }
    try await delete(name)
  }
}

/// One of the two copies of a record in a ``RecordBackend``, which are written in turn.
package struct Slot: Sendable {
  package var name: Name
  package var contents: Contents

  package init(name: Name, contents: Contents) {
    self.name = name
    self.contents = contents
  }

  /// The kind of a slot's contents.
  package enum Kind: String, Sendable, CaseIterable {
    /// An account.
    case record
    /// The index: the IDs of all records.
    case index
    /// A damaged record that was set aside.
    case quarantine
  }

  /// Which of the two copies it is.
  package enum Side: String, Sendable, CaseIterable {
    case a
    case b
  }

  /// A slot's name, which is readable while the backend is locked.
  package struct Name: Sendable, Hashable {
    package var kind: Kind
    package var id: String
    /// Nil for slots without a second copy: quarantine, and records in the old format without
    /// slots.
    package var side: Side?

    package init(_ kind: Kind, _ id: String, _ side: Side? = nil) {
      self.kind = kind
      self.id = id
      self.side = side
    }
  }

  /// The contents of a slot.
  package enum Contents: Sendable {
    case data(Secret<Data>)
    /// The backend cannot interpret it; these are the bytes.
    case damaged(Secret<Data>)
    /// It belongs to another program and must not be changed, for this reason.
    case untouchable(Sentence)
    /// It was not read, for this reason, and stays as it is until its record is written.
    case refused(Sentence)
  }
}
