/// A turn at renewing the tokens of an account, among all who would use the same refresh token: in this
/// process, and in all that share a store.
///
/// A refresh token may be good for one use only, and a second one that is sent makes some services end the
/// whole sign-in. So whoever renews keeps the others out meanwhile, and the next one looks at the store first.
/// A process that was killed has let go of its turn.
struct RenewalTurn: ~Copyable {
  /// How long to wait for another process, which must be longer than its renewal can take: while the server
  /// may still answer it, its refresh token must not be sent a second time.
  ///
  /// A renewal asks for up to three documents in 31 s each and for the token in 62 s, as both are sent twice
  /// when there is trouble, and has a store that may take 15 s.
  static let patience = Duration.seconds(180)

  /// Whose turn is to be ended; nil where there is none.
  private let owner: AccountKey?
  private let turns: Turns<AccountKey>
  private let lock: FileLock?
  /// Whether another has its turn.
  let isOthers: Bool
  /// Why other processes are not kept out, though they should be.
  let failure: String?

  /// Waits until it is the caller's turn, or sees whether it is if `waits` is false.
  ///
  /// Where a store is this process's alone only its callers take turns. An account without a refresh token
  /// needs none.
  init(_ account: Account, in memory: RecordMemory, waits: Bool) async {
    turns = memory.renewals
    var lock: FileLock?
    var isOthers = false
    var failure: String?
    var owner: AccountKey?
    if memory.record(of: account)?.refreshToken != nil {
      owner = account.key
      if waits {
        await turns.begin(account.key)
      } else if !turns.beginNow(account.key) {
        (owner, isOthers) = (nil, true)
      }
    }
    if let owner, let store = memory.store.lockName {
      do throws(StorageFailure) {
        lock = try await FileLock.take(
          "\(store)\n\(owner.cloud)\n\(owner.homeAccountID)\n\(memory.clientID.lowercased())",
          in: "\(FileLock.directory)/renewals.lock", patience: waits ? Self.patience : .zero)
      } catch {
        (isOthers, failure) = (error.isLocked, "\(error.reason)")
      }
    }
    self.owner = owner
    self.lock = lock
    self.isOthers = isOthers
    self.failure = failure
  }

  deinit {
    if let owner { turns.end(owner) }
  }

  /// Lets the next one have its turn.
  consuming func end() {}
}
