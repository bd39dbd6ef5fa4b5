import Crypto
import FoundationEssentials

/// Proof Key for Code Exchange (RFC 7636) with S256, the only accepted method.
public enum PKCE {
  /// The challenge for a verifier: base64url of its SHA-256.
  public static func challenge(for verifier: String) -> String {
    Data(SHA256.hash(data: Data(verifier.utf8))).base64URL
  }

  /// Whether `verifier` has the format of section 4.1 and matches `challenge`.
  public static func verify(_ verifier: String, challenge: String) -> Bool {
    (43...128).contains(verifier.utf8.count)
      && verifier.utf8.allSatisfy(isUnreserved)
      && self.challenge(for: verifier) == challenge
  }

  private static func isUnreserved(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."),
      UInt8(ascii: "_"), UInt8(ascii: "~"):
      true
    default: false
    }
  }
}
