public import FoundationEssentials

/// A record of a ``TokenCacheStore``: the data of one account for one app.
public struct StoredRecord: Sendable, Identifiable {
  /// A random ID.
  public var id: String
  private let form: Form

  /// The representation of the contents.
  private enum Form: Sendable {
    case text(Secret<Data>)
    case read(AccountRecord)
  }

  /// Creates a record.
  public init(id: String, contents: Secret<Data>) {
    self.id = id
    form = .text(contents)
  }

  /// Creates a record whose text is made when it is needed.
  init(_ record: AccountRecord) {
    id = record.id
    form = .read(record)
  }

  /// The data: JSON in MSAL's unified schema.
  ///
  /// It contains tokens.
  public var contents: Secret<Data> {
    switch form {
    case .text(let contents): contents
    case .read(let record): record.text
    }
  }

  /// The index entry of the record; nil when it contains no account.
  public var entry: RecordEntry? {
    account.map { RecordEntry(id: id, account: $0.key, clientID: $0.clientID) }
  }

  /// The account in the record, for any app; nil when it contains none.
  var account: AccountRecord? {
    switch form {
    case .text(let contents):
      guard let cache = try? UnifiedCache(Array(contents.exposed)),
        let clientID = cache.accountKeys.lazy.flatMap(cache.clientIDs).first
      else { return nil }
      return account(in: cache, clientID)
    case .read(var record):
      record.id = id
      return record
    }
  }

  /// The account in the record for an app; nil when it contains none.
  func account(for clientID: String) -> AccountRecord? {
    if case .text(let contents) = form {
      return (try? UnifiedCache(Array(contents.exposed))).flatMap { account(in: $0, clientID) }
    }
    return account.flatMap { caselessEqual($0.clientID, clientID) ? $0 : nil }
  }

  private func account(in cache: UnifiedCache, _ clientID: String) -> AccountRecord? {
    cache.accountKeys.first.flatMap {
      AccountRecord(cache, of: $0, clientID: clientID, id: id)
    }
  }
}

extension StoredRecord: Equatable {
  /// Compares IDs and contents.
  public static func == (one: StoredRecord, other: StoredRecord) -> Bool {
    one.id == other.id && one.contents == other.contents
  }
}

/// An entry in the index of a ``TokenCacheStore``.
public struct RecordEntry: Sendable, Hashable, Identifiable {
  /// The record's ID.
  public var id: String
  /// The record's account.
  public var account: AccountKey
  /// The record's app.
  public var clientID: String

  /// Creates an entry.
  public init(id: String, account: AccountKey, clientID: String) {
    self.id = id
    self.account = account
    self.clientID = clientID
  }
}
