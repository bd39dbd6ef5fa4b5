/// The account that signed in last, and the one before it.
public struct CurrentAccount: Sendable, Equatable {
  /// The current account; nil when no one is signed in.
  public var current: Account?
  /// The account that the previous call reported, when it was a different one.
  public var previous: Account?
}
