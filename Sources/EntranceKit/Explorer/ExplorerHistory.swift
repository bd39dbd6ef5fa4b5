import AuthCore
import CurlHTTP
public import FoundationEssentials

/// The last requests of the Explorer page: what was sent and its status, no answers, bodies or header
/// fields.
///
/// The windows of an app share it. An account's requests go with the account.
@MainActor
public final class ExplorerHistory {
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
  public nonisolated static let limit = 100
  /// The longest address that is kept, in bytes.
  private static let longestAddress = 4096

  /// The requests, the latest first.
  public private(set) var entries: [Entry] = []
  /// The observers of the requests.
  public let changes = Observers<Void>()

  private let file: ExplorerHistoryFile?
  private var reading: Task<Void, Never>?
  private var writing: Task<Void, Never>?
  /// Whether something changed after the current write began.
  private var hasChanged = false
  /// Whether what is kept was cleared, and must not come back when it is read.
  private var isCleared = false

  /// Creates a history that is kept in `file`, or nowhere.
  public init(_ file: ExplorerHistoryFile?) {
    self.file = file
  }

  /// Reads what is kept, at the first call.
  public func load() async {
    let reading = reading ?? Task { await read() }
    self.reading = reading
    await reading.value
  }

  private func read() async {
    guard let found = await file?.read(), !found.isEmpty, !isCleared else { return }
    // A window may already have sent something.
    entries = Array((entries + found).prefix(Self.limit))
    changes.notify(())
  }

  /// Adds a request, in place of the same one before.
  func add(_ entry: Entry) {
    guard entry.address.utf8.count <= Self.longestAddress else { return }
    entries.removeAll {
      $0.method == entry.method && $0.address == entry.address && $0.account == entry.account
    }
    entries.insert(entry, at: 0)
    if entries.count > Self.limit { entries.removeLast() }
    follow()
  }

  /// *Clear History*.
  public func clear() {
    isCleared = true
    entries = []
    follow()
  }

  /// Forgets the requests of the accounts for which `isKept` is false.
  func keep(where isKept: @escaping (AccountKey) -> Bool) {
    Task {
      // What is not read yet would come back.
      await load()
      guard entries.contains(where: { !isKept($0.account) }) else { return }
      entries.removeAll { !isKept($0.account) }
      follow()
    }
  }

  /// Goes on under another name of the connection.
  public func rename(to connection: String) async { await file?.rename(to: connection) }

  /// Returns when all changes are in the file.
  public func finishWriting() async {
    await load()
    await Task.yield()
    await writing?.value
  }

  private func follow() {
    changes.notify(())
    hasChanged = true
    guard let file, writing == nil else { return }
    writing = Task {
      // What is in the file must not be lost.
      await load()
      while hasChanged {
        hasChanged = false
        await file.write(entries)
      }
      writing = nil
    }
  }
}

/// Keeps an ``ExplorerHistory`` in a file that only this user can read. Errors are ignored.
public actor ExplorerHistoryFile {
  private var record: ConnectionRecord

  /// Creates a memory in `directory` for the connection called `connection`.
  public init(directory: String, connection: String) {
    record = ConnectionRecord(directory: directory, connection: connection)
  }

  /// Goes on under another name of the connection.
  func rename(to connection: String) { record.rename(to: connection) }

  func read() -> [ExplorerHistory.Entry] {
    (record.read()?["requests"]?.array ?? []).prefix(ExplorerHistory.limit)
      .compactMap(ExplorerHistory.Entry.init)
  }

  func write(_ entries: [ExplorerHistory.Entry]) {
    let json = JSON.object([JSON.Member("requests", .array(entries.map(\.json)))])
    record.write(entries.isEmpty ? nil : json)
  }
}

extension ExplorerHistory.Entry {
  fileprivate init?(_ json: JSON) {
    guard let method = json["method"]?.string.flatMap(ExplorerRequest.Method.init),
      let address = json["address"]?.string, let time = json["time"]?.integer,
      let account = json["account"]?.string, let cloud = json["cloud"]?.string
    else { return nil }
    self.init(
      method: method, address: address, status: json["status"]?.integer,
      date: Date(timeIntervalSince1970: Double(time)),
      account: AccountKey(homeAccountID: account, environment: cloud))
  }

  fileprivate var json: JSON {
    let seconds = Int(exactly: date.timeIntervalSince1970.rounded(.down)) ?? 0
    let members: [(String, JSON?)] = [
      ("method", .string(method.rawValue)), ("address", .string(address)),
      ("status", status.map { .number(String($0)) }), ("time", .number(String(seconds))),
      ("account", .string(account.homeAccountID)), ("cloud", .string(account.cloud)),
    ]
    return .object(members.compactMap { name, value in value.map { JSON.Member(name, $0) } })
  }
}
