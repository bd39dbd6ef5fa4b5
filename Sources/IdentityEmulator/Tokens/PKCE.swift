import Crypto
import FoundationEssentials

/// Proof Key for Code Exchange (RFC 7636).
public enum PKCE {
  /// The challenge of an authorization request.
  struct Challenge: Sendable {
    let text: String
    /// Whether it is the verifier itself (`plain`).
    let isPlain: Bool

    /// Reads it from a request; nil when there is none.
    init?(_ form: Form) throws(EntraError) {
      let method = form["code_challenge_method"]
      guard let text = form["code_challenge"] else {
        guard method == nil else { throw .missingParameter("code_challenge") }
        return nil
      }
      guard method == nil || method == "plain" || method == "S256" else {
        throw .invalidChallengeMethod
      }
      isPlain = method != "S256"
      guard isPlain ? isVerifier(text) : text.utf8.count == 43 else { throw .invalidChallengeSize }
      self.text = text
    }

    func verifies(_ verifier: String) -> Bool {
      isPlain ? isVerifier(verifier) && verifier == text : PKCE.verify(verifier, challenge: text)
    }
  }

  /// The challenge for a verifier: base64url of its SHA-256.
  public static func challenge(for verifier: String) -> String {
    Data(SHA256.hash(data: Data(verifier.utf8))).base64URL
  }

  /// Whether `verifier` has the format of section 4.1 and matches `challenge`.
  public static func verify(_ verifier: String, challenge: String) -> Bool {
    isVerifier(verifier) && self.challenge(for: verifier) == challenge
  }

  /// Whether `text` has the format of section 4.1.
  private static func isVerifier(_ text: String) -> Bool {
    (43...128).contains(text.utf8.count) && text.utf8.allSatisfy(\.isUnreserved)
  }
}
