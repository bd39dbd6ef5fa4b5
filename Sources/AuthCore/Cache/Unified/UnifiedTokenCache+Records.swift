extension UnifiedTokenCache {
  /// The records in it: one for each account and app.
  var records: [StoredRecord] {
    let snapshot = Snapshot(self)
    return accounts.flatMap { account in
      clientIDs(of: account).map {
        StoredRecord(
          id: Self.id(account, clientID: $0), form: .account(account, clientID: $0, snapshot))
      }
    }
  }

  func record(_ account: AccountID, clientID: String) -> AccountRecord? {
    AccountRecord(
      self, of: account, clientID: clientID, id: Self.id(account, clientID: clientID))
  }

  func record(id: String) -> AccountRecord? {
    records.first { $0.id == id }.flatMap { AccountRecord($0) }
  }

  private static func id(_ account: AccountID, clientID: String) -> String {
    "\(account.homeAccountID) \(account.cloud) \(clientID)"
  }
}
