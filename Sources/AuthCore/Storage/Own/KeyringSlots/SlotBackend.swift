package import FoundationEssentials

/// The storage of a ``KeyringRecordBackend``: items of a keyring.
///
/// It keeps slots by name, and does not interpret them.
package protocol SlotBackend: Sendable {
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

  /// Deletes the slot called `name`, if it exists.
  func delete(_ name: Slot.Name) async throws(AuthenticationError)
}

/// One of the two copies of a record in a ``SlotBackend``, which are written in turn.
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
  }
}
