package import FoundationEssentials
package import Sentences

/// Where the bytes of a ``RecordStore`` lie: items of a keyring, files of a directory.
///
/// It keeps slots under their names, and knows nothing of what is in them. A write must take effect whole or
/// not at all; it need not be told which.
package protocol RecordBackend: Sendable {
  /// Makes it ready to be read, for which it may ask a person.
  func prepare() async throws(AuthenticationError)

  /// Lets the next ``prepare()`` ask the person, although they were asked before.
  func allowAskingAgain()

  /// All that is in it.
  ///
  /// - Throws: when any of it cannot be read. What cannot be made sense of is a ``Slot``, too.
  func list() async throws(AuthenticationError) -> [Slot]

  /// The slots of one record that are there.
  ///
  /// - Throws: when they cannot be read. That is never the same as nothing.
  func read(_ kind: Slot.Kind, _ id: String) async throws(AuthenticationError) -> [Slot]

  /// Puts `data` under `name`, in place of what is there.
  func write(_ data: Secret<Data>, as name: Slot.Name) async throws(AuthenticationError)

  /// Removes what is under `name`, if there is anything, and nothing else.
  func delete(_ name: Slot.Name) async throws(AuthenticationError)
}

extension RecordBackend {
  /// Does nothing: for a backend that asks nobody.
  package func allowAskingAgain() {}
}

/// One of the two halves of a record in a ``RecordBackend``, which are written in turn.
package struct Slot: Sendable {
  package var name: Name
  package var contents: Contents

  package init(name: Name, contents: Contents) {
    self.name = name
    self.contents = contents
  }

  /// What a slot is about.
  package enum Kind: String, Sendable, CaseIterable {
    /// An account.
    case record
    /// The IDs of all accounts.
    case index
    /// What was a record, and could not be read.
    case quarantine
  }

  /// Which of the two it is.
  package enum Side: String, Sendable, CaseIterable {
    case a
    case b
  }

  /// All that can be seen of a slot while the backend is locked.
  package struct Name: Sendable, Hashable {
    package var kind: Kind
    package var id: String
    /// Nil for what is written once: what is in quarantine, and records as they were before there were
    /// slots.
    package var side: Side?

    package init(_ kind: Kind, _ id: String, _ side: Side? = nil) {
      self.kind = kind
      self.id = id
      self.side = side
    }
  }

  /// What is under a name.
  package enum Contents: Sendable {
    case data(Secret<Data>)
    /// The backend cannot make sense of it; these are the bytes.
    case damaged(Secret<Data>)
    /// Another program's, which this one must leave as it is, for the reason told.
    case untouchable(Sentence)
  }
}
