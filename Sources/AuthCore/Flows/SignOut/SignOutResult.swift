/// The result of a sign-out, part by part.
///
/// The parts are independent: each is tried even if another fails.
public struct SignOutResult: Sendable, Equatable {
  /// The result of one part.
  ///
  /// An enum, because no other value is possible: a part is requested or not, and done or not.
  public enum Part: Sendable, Equatable {
    /// It was not requested, or does not apply.
    case notAsked
    /// It succeeded.
    case done
    /// It failed.
    case failed(AuthenticationError)

    /// Why it failed; nil otherwise.
    public var error: AuthenticationError? {
      guard case .failed(let error) = self else { return nil }
      return error
    }
  }

  /// The removal of the account and its tokens from this app and its store.
  ///
  /// On failure, the store still has them (``AuthenticationError/Code/storageUnavailable``). They
  /// are removed from memory anyway, and from the store as soon as it is available again in this
  /// run.
  public internal(set) var removal = Part.notAsked
  /// The removal requested by ``SignOutParameters/wipeAccount`` or
  /// ``SignOutParameters/wipeCacheForAllAccounts``.
  ///
  /// On failure, some data may remain: try again.
  public internal(set) var wipe = Part.notAsked
  /// The notification of every ``ExternalAccountProvider``; the error is that of the first that
  /// failed.
  public internal(set) var externalProviders = Part.notAsked
  /// The removal of the account from this computer's identity broker, for this app.
  ///
  /// On failure, the broker continues to list the account.
  public internal(set) var broker = Part.notAsked
  /// The end of the browser session, as confirmed by the sign-out page.
  ///
  /// When the user closes the page before that, the error's code is
  /// ``AuthenticationError/Code/userCanceled``; when the user does not finish it in time,
  /// ``AuthenticationError/Code/webAuthenticationTimedOut``.
  public internal(set) var browserSession = Part.notAsked

  /// The accounts of which a provider was not informed, for the next attempt.
  var accountsOfProviders: [Account] = []
  /// The accounts that the broker did not remove, for the next attempt.
  var accountsOfBroker: [HomeAccountID] = []

  /// The errors of all parts that failed, in the order of the parts; empty when none failed.
  public var failures: [AuthenticationError] {
    [removal, wipe, externalProviders, broker, browserSession].compactMap(\.error)
  }
}
