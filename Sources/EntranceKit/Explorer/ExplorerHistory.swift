public import AuthCore
public import FoundationEssentials

/// The last requests of the Explorer page.
///
/// The windows of an app share it. An account's requests go with the account.
public typealias ExplorerHistory = KeptFile<SentRequests>

extension KeptFile<SentRequests> {
  /// The requests, the latest first.
  public var entries: [SentRequests.Entry] { contents.entries }

  /// Adds a request, in place of the same one before.
  func add(_ entry: SentRequests.Entry) { change { $0.add(entry) } }
}

/// What was sent and its status, no answers, bodies or header fields.
public struct SentRequests: KeptContents {
  /// A request.
  public struct Entry: Sendable, Equatable {
    /// What was done.
    public var method: ExplorerRequest.Method
    /// The address as it was typed.
    public var address: String
    /// The HTTP status; nil when there was no response.
    public var status: Int?
    /// When it was sent.
    public var date: Date
    /// The account that it was sent for.
    var account: AccountKey
  }

  /// How many requests are kept.
  public static let limit = 100
  /// The longest address that is kept, in bytes.
  private static let longestAddress = 4096

  /// The requests, the latest first.
  public private(set) var entries: [Entry] = []

  /// Nothing.
  public init() {}

  /// Reads what is in a file.
  public init(_ json: JSON) {
    entries = (json["requests"]?.array ?? []).prefix(Self.limit).compactMap(Entry.init)
  }

  /// What is written; nil without requests.
  public var json: JSON? {
    entries.isEmpty ? nil : JSON(members: [("requests", .array(entries.map(\.json)))])
  }

  /// The accounts that it is about.
  public var accounts: Set<AccountKey> { Set(entries.map(\.account)) }

  /// What of it is about `accounts`.
  public func only(_ accounts: Set<AccountKey>) -> Self {
    var kept = self
    kept.entries.removeAll { !accounts.contains($0.account) }
    return kept
  }

  /// Adds what was in the file.
  public mutating func add(older: Self) {
    entries = Array((entries + older.entries).prefix(Self.limit))
  }

  fileprivate mutating func add(_ entry: Entry) {
    guard entry.address.utf8.count <= Self.longestAddress else { return }
    entries.removeAll {
      $0.method == entry.method && $0.address == entry.address && $0.account == entry.account
    }
    entries.insert(entry, at: 0)
    if entries.count > Self.limit { entries.removeLast() }
  }
}

extension SentRequests.Entry {
  fileprivate init?(_ json: JSON) {
    guard let method = json["method"]?.string.flatMap(ExplorerRequest.Method.init),
      let address = json["address"]?.string, let time = json["time"]?.integer,
      let account = AccountKey(json)
    else { return nil }
    self.init(
      method: method, address: address, status: json["status"]?.integer,
      date: Date(timeIntervalSince1970: Double(time)), account: account)
  }

  fileprivate var json: JSON {
    let seconds = Int(exactly: date.timeIntervalSince1970.rounded(.down)) ?? 0
    let members: [(String, JSON?)] = [
      ("method", .string(method.rawValue)), ("address", .string(address)),
      ("status", status.map { .number(String($0)) }), ("time", .number(String(seconds))),
    ]
    return JSON(members: members + account.members)
  }
}
