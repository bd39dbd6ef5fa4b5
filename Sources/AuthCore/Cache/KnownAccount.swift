/// An account as it is in memory: its record, and what callers are given of it.
///
/// It is one object, so that every silent request has it without a copy of all that is in it.
final class KnownAccount: Sendable {
  let record: AccountRecord
  let account: Account

  init(_ record: AccountRecord) {
    self.record = record
    account = record.account
  }
}
