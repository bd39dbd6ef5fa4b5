package import FoundationEssentials

/// A place that keeps pieces of data under names, and knows nothing of them: items of a keyring, files of
/// a directory.
///
/// A write must take effect whole or not at all; it need not be told which.
package protocol BlobPlace: Sendable {
  /// Makes the place ready to be read, for which it may ask a person.
  func prepare() async throws(AuthenticationError)

  /// All that is in it.
  ///
  /// - Throws: when any of it cannot be read. What cannot be made sense of is a ``Blob``, too.
  func list() async throws(AuthenticationError) -> [Blob]

  /// What is under the names of one record, in either slot or none.
  ///
  /// - Throws: when it cannot be read. That is never the same as nothing.
  func read(_ kind: Blob.Kind, _ id: String) async throws(AuthenticationError) -> [Blob]

  /// Puts `data` under `name`, in place of what is there.
  func write(_ data: Secret<Data>, as name: Blob.Name) async throws(AuthenticationError)

  /// Removes what is under `name`, if there is anything, and nothing else.
  func delete(_ name: Blob.Name) async throws(AuthenticationError)
}

/// A piece of data in a ``BlobPlace``.
package struct Blob: Sendable {
  package var name: Name
  package var contents: Contents

  package init(name: Name, contents: Contents) {
    self.name = name
    self.contents = contents
  }

  /// What a blob is about.
  package enum Kind: String, Sendable, CaseIterable {
    /// An account.
    case record
    /// The IDs of all accounts.
    case index
    /// What was a record, and could not be read.
    case quarantine
  }

  /// One of the two places of a record, which are written in turn.
  package enum Slot: String, Sendable, CaseIterable {
    case a
    case b
  }

  /// All that can be seen of a blob while the place is locked.
  package struct Name: Sendable, Hashable {
    package var kind: Kind
    package var id: String
    /// Nil for what is written once: what is in quarantine, and records as they were before there were
    /// slots.
    package var slot: Slot?

    package init(_ kind: Kind, _ id: String, _ slot: Slot? = nil) {
      self.kind = kind
      self.id = id
      self.slot = slot
    }
  }

  /// What is under a name.
  package enum Contents: Sendable {
    case data(Secret<Data>)
    /// The place cannot make sense of it; these are the bytes.
    case damaged(Secret<Data>)
    /// Another program's, which this one must leave as it is, for the reason told.
    case untouchable(String)
  }
}
