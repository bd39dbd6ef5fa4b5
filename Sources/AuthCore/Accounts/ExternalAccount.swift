/// An account of an ``ExternalAccountProvider``.
public struct ExternalAccount: Sendable, Hashable {
  /// What the person types to sign in: ``InteractiveTokenParameters/loginHint`` for a request that signs
  /// them in here too.
  public var username: String
  /// The account's ID in its home tenant, where the provider knows it.
  public var homeAccountID: HomeAccountID?

  /// Describes an account.
  public init(username: String, homeAccountID: HomeAccountID? = nil) {
    self.username = username
    self.homeAccountID = homeAccountID
  }

  /// Whether this is `account`, as far as can be told: by the ID, or else by the name.
  func stands(for account: Account) -> Bool {
    homeAccountID.map { $0 == account.homeAccountID }
      ?? (username.lowercased() == account.username.lowercased())
  }
}
