/// A process's turn at renewing the tokens of an account, among all that share a store.
///
/// A refresh token may be good for one use only, and a second one that is sent makes some services end the
/// whole sign-in. So whoever renews has a lock meanwhile, and the next one looks at the store first. A
/// process that was killed has let go of it; for one that hangs nobody waits for long.
struct RenewalTurn: ~Copyable {
  /// How long to wait for another process.
  static let patience = Duration.seconds(5)

  private let lock: ProcessLock?
  /// Whether another process has its turn.
  let isOthers: Bool
  /// Why there is no lock, though there should be one.
  let failure: String?

  /// Waits until it is this process's turn, or `patience` is over.
  ///
  /// A store that is this process's alone has no lock, and an account without a refresh token takes none.
  init(_ account: Account, in cache: TokenCache, patience: Duration) async {
    let isRenewable = cache.record(of: account)?.refreshToken != nil
    guard isRenewable, let store = cache.store.lockName else {
      lock = nil
      isOthers = false
      failure = nil
      return
    }
    let owner = account.cacheID
    do throws(CacheFile.Failure) {
      lock = try await ProcessLock.take(
        "\(store)\n\(owner.cloud)\n\(owner.homeAccountID)\n\(cache.clientID.lowercased())",
        in: "\(ProcessLock.directory)/renewals.lock", patience: patience)
      isOthers = false
      failure = nil
    } catch {
      lock = nil
      isOthers = error.isLocked
      failure = error.reason
    }
  }

  /// Lets the next process have its turn.
  consuming func end() {}
}
