/// A turn to renew the tokens of an account, among all users of the same refresh token: in this
/// process, and in all processes that share a store.
///
/// A refresh token may be valid for only one use, and sending it a second time makes some services
/// end the whole session. So only one renews at a time, and the next reads the store first. The
/// turn of a process that ends is released.
struct RenewalTurn: ~Copyable {
  /// How long to wait for another process.
  ///
  /// This must be longer than its renewal can take: while the server may still answer it, its
  /// refresh token must not be sent again.
  ///
  /// A renewal requests up to three documents in 31 s each and the token in 62 s, because both are
  /// retried once, and uses a store that may take 15 s.
  static let timeout = Duration.seconds(180)

  /// The account whose turn must be released; nil for none.
  private let owner: AccountKey?
  private let turns: Turns<AccountKey>
  private let lock: FileLock?
  /// Whether someone else has the turn.
  let isOthers: Bool
  /// Why other processes cannot be locked out, although they should be.
  let failure: String?

  /// Waits for the turn; if `waits` is false, only checks whether it is free.
  ///
  /// For a store of this process alone, only its own callers take turns. An account without a
  /// refresh token needs no turn.
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
          in: "\(FileLock.directory)/renewals.lock", timeout: waits ? Self.timeout : .zero)
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

  /// Releases the turn.
  consuming func end() {}
}
