/// An account of an ``ExternalAccountProvider``.
public struct ExternalAccount: Sendable, Hashable {
  /// The name that the user types to sign in.
  ///
  /// Use it as ``InteractiveTokenParameters/loginHint`` to sign them in here too.
  public var username: String
  /// The account's ID in its home tenant, when the provider knows it.
  public var homeAccountID: HomeAccountID?

  /// Creates an account.
  public init(username: String, homeAccountID: HomeAccountID? = nil) {
    self.username = username
    self.homeAccountID = homeAccountID
  }

  /// Whether this is `account`: compares the ID if it is known, else the user name.
  func stands(for account: Account) -> Bool {
    homeAccountID.map { $0 == account.homeAccountID }
      ?? (username.lowercased() == account.username.lowercased())
  }
}
