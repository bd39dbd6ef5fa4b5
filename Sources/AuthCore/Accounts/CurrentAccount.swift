/// The account that signed in last, and the one before.
public struct CurrentAccount: Sendable, Equatable {
  /// The account to work with; nil when no one is signed in.
  public var current: Account?
  /// The account that the last call reported, when it was another one.
  public var previous: Account?
}
