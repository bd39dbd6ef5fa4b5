import FoundationEssentials

/// The contents of an account's file: a line of JSON about the record, and the record.
///
/// The line is read without the record when only the accounts are needed.
struct RecordFile: Sendable {
  var id: String
  /// The record's account; nil when it has none.
  var entry: RecordEntry?
  /// The ``StoredRecord/signedIn`` of the record.
  var signedIn: String
  var contents: Secret<Data>

  var record: StoredRecord { StoredRecord(id: id, contents: contents) }

  init(_ record: StoredRecord) {
    (id, entry, contents) = (record.id, record.entry, record.contents)
    signedIn = record.signedIn
  }

  /// Nil when `data` has another form.
  init?(_ data: Data) {
    guard let end = data.firstIndex(of: Self.lineBreak),
      let head = try? JSON(parsing: data[..<end]), let id = head["id"]?.string,
      let signedIn = head["signed_in"]?.string
    else { return nil }
    (self.id, self.signedIn) = (id, signedIn)
    contents = Secret(Data(data[data.index(after: end)...]))
    guard let account = head["account"]?.string, let cloud = head["cloud"]?.string,
      let clientID = head["app"]?.string
    else { return }
    entry = RecordEntry(
      id: id, account: AccountKey(homeAccountID: account, environment: cloud), clientID: clientID)
  }

  var data: Data {
    var head: [JSON.Member] = [.init("id", .string(id)), .init("signed_in", .string(signedIn))]
    if let entry {
      head.append(.init("account", .string(entry.account.homeAccountID)))
      head.append(.init("cloud", .string(entry.account.cloud)))
      head.append(.init("app", .string(entry.clientID)))
    }
    return Data(JSON.object(head).compactText.utf8) + [Self.lineBreak] + contents.exposed
  }

  /// JSON text on one line does not contain it.
  private static let lineBreak = UInt8(ascii: "\n")
}
