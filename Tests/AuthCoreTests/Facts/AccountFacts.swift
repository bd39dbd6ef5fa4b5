import AuthCore
import TestSupport
import Testing

extension AccountTests {
  /// MSAL fails with AmbiguousAccount; an account page needs the latest account.
  @Test(
    "The current account is the latest one, and a change is reported once")
  func currentAccount() async throws {
    let adele = try await signIn(.adele)
    await expectCurrent(adele, previous: nil)
    await expectCurrent(adele, previous: nil)
    let ben = try await signIn(.ben)
    await expectCurrent(ben, previous: adele)
    await expectCurrent(ben, previous: nil)
    try await app.remove(ben)
    try await app.remove(adele)
    await expectCurrent(nil, previous: ben)
  }
}

extension SignOutTests {
  @Test("Removing an unknown account succeeds")
  func removesUnknownAccount() async throws {
    let adele = try await signIn(.adele)
    let ben = try await signIn(.ben)
    _ = try await app.signOut(adele)
    #expect(try await app.signOut(adele).removal == .done)
    try await app.remove(adele)
    #expect(await app.accounts() == [ben])
  }

  @Test("Invalid sign-out parameters are an error, and no account is removed")
  func rejectsParameters() async throws {
    let adele = try await signIn(.adele)
    for name in ["state", "ID_TOKEN_HINT", "post_logout_redirect_uri"] {
      var parameters = SignOutParameters(session: goodbye)
      parameters.extraQueryParameters = [name: "x"]
      let error = await #expect(throws: AuthenticationError.self) {
        try await app.signOut(adele, parameters: parameters)
      }
      #expect(error?.code == .invalidParameter)
    }
    #expect(await app.accounts() == [adele])
    #expect(authority.pagesShown.count == 1)
  }
}
