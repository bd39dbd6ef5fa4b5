/// Lists accounts that another program knows: the desktop's online accounts, an identity broker,
/// another app.
///
/// The app passes its providers when it creates its ``PublicClientApplication``. A provider's
/// accounts are hints for signing in; they have no tokens here. A provider is informed of sign-ins
/// and sign-outs here, so that it can update its own list.
///
/// It corresponds to MSAL's `MSALExternalAccountProviding`.
public protocol ExternalAccountProvider: Sendable {
  /// The accounts that the provider knows.
  func accounts() async throws(AuthenticationError) -> [ExternalAccount]

  /// Handles that `account` has signed in here, or that its data has changed on the server.
  ///
  /// The call that acquired the token waits for it; an error is only logged.
  func update(_ account: Account) async throws(AuthenticationError)

  /// Handles that `account` has signed out here.
  ///
  /// - Parameters:
  ///   - account: the account that has signed out.
  ///   - wipesAccount: whether all other apps should remove it too.
  func remove(_ account: Account, wipesAccount: Bool) async throws(AuthenticationError)
}

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
