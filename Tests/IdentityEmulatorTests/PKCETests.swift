import IdentityEmulator
import Testing

/// Proof Key for Code Exchange, with the example of RFC 7636.
struct PKCETests {
  // RFC 7636, appendix B
  let verifier = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"
  let challenge = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM"

  @Test func `The example of the RFC`() {
    #expect(PKCE.challenge(for: verifier) == challenge)
    #expect(PKCE.verify(verifier, challenge: challenge))
  }

  @Test func `One wrong character is rejected`() {
    #expect(!PKCE.verify(String(verifier.dropLast()) + "j", challenge: challenge))
    #expect(!PKCE.verify(verifier, challenge: String(challenge.dropLast()) + "N"))
  }

  @Test(arguments: [42, 129])
  func `A verifier with a length outside of 43 to 128 is rejected`(length: Int) {
    let verifier = String(repeating: "a", count: length)
    #expect(!PKCE.verify(verifier, challenge: PKCE.challenge(for: verifier)))
  }

  @Test func `A verifier with a reserved character is rejected`() {
    let verifier = String(repeating: "a", count: 42) + "+"
    #expect(!PKCE.verify(verifier, challenge: PKCE.challenge(for: verifier)))
  }
}
