/// A token of the cache that is given to a caller.
struct CachedToken: Sendable {
  /// How good it is.
  enum Standing: Sendable {
    /// It can be used.
    case good
    /// It can be used, and it is time to renew it while nobody waits for that.
    case due
    /// Its time is over, but the service that could renew it is down.
    case extended
  }

  var token: AccountRecord.AccessToken
  var record: AccountRecord
  var standing: Standing
}
