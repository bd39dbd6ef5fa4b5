import FoundationEssentials

/// The order of accounts, which all lists have.
enum AccountOrder {
  /// The last to sign in first, as of `date`; of several at that time, by their IDs.
  static func latestFirst(
    _ known: some Sequence<KnownAccount>, asOf date: Date
  ) -> [Account] {
    known.map { (time: $0.record.signedIn(asOf: date), account: $0.account) }
      .sorted { $0.time == $1.time ? $0.account.id > $1.account.id : $0.time > $1.time }
      .map { $0.account }
  }
}
