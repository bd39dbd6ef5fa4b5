public import AuthCore
public import FoundationEssentials

/// The last requests of the Explorer page, and what is typed there.
///
/// The windows of an app share it. An account's requests go with the account.
public typealias ExplorerHistory = KeptFile<SentRequests>

extension KeptFile<SentRequests> {
  /// The requests, the latest first.
  public var entries: [SentRequests.Entry] { contents.entries }

  /// What was typed last; nil for nothing.
  var draft: SentRequests.Draft? { contents.draft }

  /// Adds a request, in place of the same one for the same account before: as in the history of a
  /// browser, one that is repeated moves up, with its latest status and the last other one.
  func add(_ entry: SentRequests.Entry) { change { $0.add(entry) } }

  /// Keeps what is typed in place of what was typed before; nil for nothing.
  func set(_ draft: SentRequests.Draft?) { change(notifies: false) { $0.draft = draft } }

  /// Forgets all requests, but not what is typed.
  ///
  /// - Returns: the requests.
  func removeEntries() -> [SentRequests.Entry] {
    let (removed, draft) = (entries, draft)
    // What is not read yet would come back otherwise.
    clear()
    set(draft)
    return removed
  }

  /// Brings requests back, after those that were sent since.
  func restore(_ removed: [SentRequests.Entry]) { change { $0.add(older: removed) } }
}

/// What was sent and its status, without answers and secret header fields, and what is typed for
/// the next request.
public struct SentRequests: KeptContents {
  /// A request.
  public struct Entry: Sendable, Equatable {
    /// What was done.
    public var method: ExplorerRequest.Method
    /// The address as it was typed.
    public var address: String
    /// The header fields as they were typed, without secret ones.
    public var fields = ""
    /// The body; empty unless the person wants that bodies are kept.
    public var body = ""
    /// Whether it had header fields that are not kept: secret or very long ones.
    var lacksFields = false
    /// Whether it had a body that is not kept.
    var lacksBody = false
    /// The HTTP status; nil when there was no response.
    public var status: Int?
    /// The last other status of the same request before; nil for none.
    var earlierStatus: Int?
    /// When it was sent.
    public var date: Date
    /// The account that it was sent for.
    var account: AccountKey

    /// The request, to send it again.
    var request: ExplorerRequest {
      var request = ExplorerRequest(method, address, fields: fields, body: body)
      request.lacksBody = lacksBody
      return request
    }

    /// Forgets the body, but not that there was one.
    fileprivate mutating func removeBody() {
      if !body.isEmpty { (body, lacksBody) = ("", true) }
    }

    /// Whether it is the same request for the same account, whenever it was sent.
    fileprivate func isSame(as other: Self) -> Bool {
      request == other.request && account == other.account
    }
  }

  /// What is typed on the page; of a file that is its body, only the path.
  struct Draft: Sendable, Equatable {
    /// The request, without secret header fields.
    let request: ExplorerRequest
    /// The account that was selected then.
    let account: AccountKey
    /// When it was typed.
    let date: Date
  }

  /// How many requests are kept.
  public static let limit = 100
  /// The longest address that is kept, in bytes.
  private static let longestAddress = 4096
  /// The longest header fields that are kept, in bytes.
  private static let longestFields = 8192
  /// The longest body of a request that was sent, in bytes.
  private static let longestBody = 32 << 10
  /// The most that is kept of what is typed, in bytes.
  fileprivate static let longestDraft = 256 << 10

  /// The requests, the latest first.
  public private(set) var entries: [Entry] = []
  /// What was typed last; nil for nothing.
  var draft: Draft?

  /// Nothing.
  public init() {}

  /// Reads what is in a file.
  public init(_ json: JSON) {
    entries = (json["requests"]?.array ?? []).prefix(Self.limit).compactMap(Entry.init)
    draft = json["draft"].flatMap(Draft.init)
  }

  /// What is written; nil when there is nothing to keep.
  public var json: JSON? {
    guard !entries.isEmpty || draft != nil else { return nil }
    return JSON(members: [
      ("requests", entries.isEmpty ? nil : .array(entries.map(\.json))), ("draft", draft?.json),
    ])
  }

  /// The accounts that it is about.
  public var accounts: Set<AccountKey> {
    Set(entries.map(\.account) + [draft?.account].compactMap(\.self))
  }

  /// What of it is about `accounts`.
  public func only(_ accounts: Set<AccountKey>) -> Self {
    var kept = self
    kept.entries.removeAll { !accounts.contains($0.account) }
    if let draft, !accounts.contains(draft.account) { kept.draft = nil }
    return kept
  }

  /// Adds what was in the file.
  public mutating func add(older: Self) {
    add(older: older.entries)
    draft = draft ?? older.draft
  }

  fileprivate mutating func add(older: [Entry]) {
    let others = older.filter { old in !entries.contains { $0.isSame(as: old) } }
    entries = Array((entries + others).prefix(Self.limit))
  }

  fileprivate mutating func add(_ entry: Entry) {
    guard entry.address.utf8.count <= Self.longestAddress else { return }
    var entry = entry
    if entry.fields.utf8.count > Self.longestFields {
      (entry.fields, entry.lacksFields) = ("", true)
    }
    if entry.body.utf8.count > Self.longestBody { entry.removeBody() }
    if let old = entries.first(where: { $0.isSame(as: entry) }) {
      entry.earlierStatus = old.status == entry.status ? old.earlierStatus : old.status
    }
    entries.removeAll { $0.isSame(as: entry) }
    entries.insert(entry, at: 0)
    if entries.count > Self.limit { entries.removeLast() }
  }

  /// The same with only what is of the dates that `isKept` is true for.
  func only(where isKept: (Date) -> Bool) -> Self {
    var kept = self
    kept.entries.removeAll { !isKept($0.date) }
    if let draft, !isKept(draft.date) { kept.draft = nil }
    return kept
  }

  /// The same without the bodies of requests that were sent.
  var withoutBodies: Self {
    var kept = self
    kept.entries = []
    for var entry in entries {
      entry.removeBody()
      // Those that differed in their bodies alone are the same now.
      if !kept.entries.contains(where: { $0.isSame(as: entry) }) { kept.entries.append(entry) }
    }
    return kept
  }
}

extension SentRequests.Draft {
  /// What is kept of a request that is typed at `date`; nil when it is too long, or its address is
  /// none.
  init?(_ request: ExplorerRequest, of account: AccountKey, at date: Date) {
    let texts = [request.address, request.fields, request.body, request.bodyFile ?? ""]
    let size = texts.reduce(0) { $0 + $1.utf8.count }
    guard size <= SentRequests.longestDraft, request.hasPlainAddress else { return nil }
    var request = request
    request.fields = request.fieldsWithoutSecrets
    self.init(request: request, account: account, date: date)
  }

  fileprivate init?(_ json: JSON) {
    // Earlier versions kept commands, too.
    guard let request = ExplorerRequest(json), request.hasPlainAddress,
      let account = AccountKey(json)
    else { return nil }
    // One without a time is of an earlier version.
    let date = Date(timeIntervalSince1970: Double(json["time"]?.integer ?? 0))
    self.init(request: request, account: account, date: date)
  }

  fileprivate var json: JSON {
    let time: [(String, JSON?)] = [("time", .number(date.wholeSeconds))]
    return JSON(members: request.members + time + account.members)
  }
}

extension SentRequests.Entry {
  fileprivate init?(_ json: JSON) {
    guard let request = ExplorerRequest(json), request.hasPlainAddress,
      let time = json["time"]?.integer, let account = AccountKey(json)
    else { return nil }
    self.init(
      method: request.method, address: request.address, fields: request.fields,
      body: request.body, lacksFields: json["lacksFields"]?.bool ?? false,
      // Earlier versions did not write whether there was a body.
      lacksBody: json["lacksBody"]?.bool ?? (request.method.hasBody && request.body.isEmpty),
      status: json["status"]?.integer, earlierStatus: json["earlierStatus"]?.integer,
      date: Date(timeIntervalSince1970: Double(time)), account: account)
  }

  fileprivate var json: JSON {
    let members: [(String, JSON?)] = [
      ("lacksFields", lacksFields ? .bool(true) : nil),
      ("status", status.map { .number(String($0)) }),
      ("earlierStatus", earlierStatus.map { .number(String($0)) }),
      ("time", .number(date.wholeSeconds)),
    ]
    return JSON(members: request.members + members + account.members)
  }
}

extension Date {
  /// The whole seconds since 1970, as a number of JSON.
  fileprivate var wholeSeconds: String {
    String(Int(exactly: timeIntervalSince1970.rounded(.down)) ?? 0)
  }
}

extension ExplorerRequest {
  /// Reads the request that an object is about; nil when it is about none.
  fileprivate init?(_ json: JSON) {
    guard let method = json["method"]?.string.flatMap(Method.init),
      let address = json["address"]?.string
    else { return nil }
    self.init(
      method, address, fields: json["fields"]?.string ?? "", body: json["body"]?.string ?? "")
    lacksBody = json["lacksBody"]?.bool ?? false
    if let path = json["file"]?.string, path.hasPrefix("/"), !path.utf8.contains(0) {
      (body, bodyFile) = ("", path)
    }
  }

  /// The members of an object that is about it.
  fileprivate var members: [(String, JSON?)] {
    [
      ("method", .string(method.rawValue)), ("address", .string(address)),
      ("fields", fields.isEmpty ? nil : .string(fields)),
      ("body", body.isEmpty ? nil : .string(body)), ("file", bodyFile.map { .string($0) }),
      ("lacksBody", body.isEmpty && method.hasBody ? .bool(lacksBody) : nil),
    ]
  }
}
