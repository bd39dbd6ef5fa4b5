/// Accounts that another program knows: the desktop's online accounts, an identity broker, another app.
///
/// The app hands in what it has when it makes its ``PublicClientApplication``.
/// What a provider lists is a hint for the person who signs in, never a sign-in: its accounts have no
/// tokens here. In return a provider is told who signs in and out here, so that it can keep its own list.
///
/// It has the role of MSAL's `MSALExternalAccountProviding`.
public protocol ExternalAccountProvider: Sendable {
  /// The accounts it knows.
  func accounts() async throws(AuthenticationError) -> [ExternalAccount]

  /// Takes in that `account` has signed in here, or that the server has sent news of it.
  ///
  /// The call that got the token waits for it; an error is logged and has no other effect.
  func update(_ account: Account) async throws(AuthenticationError)

  /// Takes in that `account` has signed out here.
  ///
  /// - Parameters:
  ///   - account: who has signed out.
  ///   - wipesAccount: whether all other apps shall forget it, too.
  func remove(_ account: Account, wipesAccount: Bool) async throws(AuthenticationError)
}
