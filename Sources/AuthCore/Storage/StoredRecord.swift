public import FoundationEssentials

/// A record of a ``TokenCacheStore``: what is kept of one account for one app.
public struct StoredRecord: Sendable, Identifiable {
  /// A random name.
  public var id: String
  private let form: Form

  /// How the contents are kept.
  private enum Form: Sendable {
    case text(Secret<Data>)
    case read(AccountRecord)
    /// The entries of an account for the app with `clientID`, among those of others: a shared cache may have
    /// thousands, so they are read when they are asked for.
    case entries(AccountKey, clientID: String, UnifiedCache.Snapshot)
  }

  /// Creates a record.
  public init(id: String, contents: Secret<Data>) {
    self.id = id
    form = .text(contents)
  }

  /// A record whose text is made when it is asked for.
  init(_ record: AccountRecord) {
    id = record.id
    form = .read(record)
  }

  /// What `snapshot` has of an account for an app.
  init(
    id: String, _ account: AccountKey, clientID: String, in snapshot: UnifiedCache.Snapshot
  ) {
    self.id = id
    form = .entries(account, clientID: clientID, snapshot)
  }

  /// What is kept: JSON in MSAL's unified schema.
  ///
  /// It holds tokens.
  public var contents: Secret<Data> {
    switch form {
    case .text(let contents): contents
    case .read(let record): record.text
    case .entries: account?.text ?? Secret(Data())
    }
  }

  /// What an index says of the record; nil when it holds no account.
  public var entry: RecordEntry? {
    knownEntry ?? account.map { RecordEntry(id: id, account: $0.key, clientID: $0.clientID) }
  }

  /// The same, if that is known without reading what is kept.
  var knownEntry: RecordEntry? {
    switch form {
    case .text: nil
    case .read(let record): RecordEntry(id: id, account: record.key, clientID: record.clientID)
    case .entries(let account, let clientID, _):
      RecordEntry(id: id, account: account, clientID: clientID)
    }
  }

  /// What is kept of the account, whichever app's it is; nil when the record holds no account.
  var account: AccountRecord? {
    switch form {
    case .text(let contents):
      guard let cache = try? UnifiedCache(Array(contents.exposed)),
        let clientID = cache.accountKeys.lazy.flatMap(cache.clientIDs).first
      else { return nil }
      return account(in: cache, clientID)
    case .read(let record): return record
    case .entries(let account, let clientID, let snapshot):
      return AccountRecord(snapshot.cache, of: account, clientID: clientID, id: id)
    }
  }

  /// What is kept of the account for an app; nil when the record holds none for it.
  func account(for clientID: String) -> AccountRecord? {
    if case .text(let contents) = form {
      return (try? UnifiedCache(Array(contents.exposed))).flatMap { account(in: $0, clientID) }
    }
    guard let knownEntry, caselessEqual(knownEntry.clientID, clientID) else { return nil }
    return account
  }

  private func account(in cache: UnifiedCache, _ clientID: String) -> AccountRecord? {
    cache.accountKeys.first.flatMap {
      AccountRecord(cache, of: $0, clientID: clientID, id: id)
    }
  }
}

extension StoredRecord: Equatable {
  /// Compares names and contents.
  public static func == (one: StoredRecord, other: StoredRecord) -> Bool {
    one.id == other.id && one.contents == other.contents
  }
}
