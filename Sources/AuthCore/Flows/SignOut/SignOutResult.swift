/// What a sign-out did, part by part.
///
/// The parts do not depend on each other: each is tried, whatever became of the others.
public struct SignOutResult: Sendable, Equatable {
  /// What became of one part.
  ///
  /// It is an enum because there is no fourth: a part is asked for or not, and done or not.
  public enum Part: Sendable, Equatable {
    /// It was not asked for, or there is nothing it could be about.
    case notAsked
    /// It is done.
    case done
    /// It is not done, for this reason.
    case failed(AuthenticationError)

    /// Why it is not done; nil when it is, or was not asked for.
    public var error: AuthenticationError? {
      guard case .failed(let error) = self else { return nil }
      return error
    }
  }

  /// The account and its tokens are gone from this app and from its store.
  ///
  /// When it failed the store still has them (``AuthenticationError/Code/storageUnavailable``). They are
  /// gone from memory all the same, and from the store as soon as it can be reached again in this run.
  public internal(set) var removal = Part.notAsked
  /// What ``SignOutParameters/wipeAccount`` or ``SignOutParameters/wipeCacheForAllAccounts`` ask for is
  /// gone from the store.
  ///
  /// When it failed some of it may be there still: ask again.
  public internal(set) var wipe = Part.notAsked
  /// Every ``ExternalAccountProvider`` was told; the error is that of the first that failed.
  public internal(set) var externalProviders = Part.notAsked
  /// This computer's identity broker gives the app no more tokens of the account.
  ///
  /// When it failed the broker goes on listing the account: some brokers cannot remove any.
  public internal(set) var broker = Part.notAsked
  /// The sign-out page said that the browser session has ended.
  ///
  /// A person who closes the page first has not ended it: then the error's code is
  /// ``AuthenticationError/Code/userCanceled``.
  public internal(set) var browserSession = Part.notAsked

  /// The errors of all parts that failed, in the order of the parts; empty when all went well.
  public var failures: [AuthenticationError] {
    [removal, wipe, externalProviders, broker, browserSession].compactMap(\.error)
  }
}
