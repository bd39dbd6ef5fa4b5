import Crypto
import FoundationEssentials
import HTTPTypes

extension Set<Fault> {
  /// Changes the header of an ID token.
  func edit(header: inout JSON) {
    if contains(.algorithmNone) { header["alg"] = "none" }
    if contains(.algorithmHMAC) { header["alg"] = "HS256" }
    if contains(.unknownKeyID) { header["kid"] = .string(Random.token(bytes: 20)) }
    if contains(.foreignKeySet) { header["jku"] = .string(Fault.foreignHost + "/keys") }
    if contains(.unknownExtension) {
      header["crit"] = ["b64"]
      header["b64"] = false
    }
  }

  /// Changes the signature of an ID token; `text` is the signed part.
  func edit(signature: inout Data, of text: String, publicKey: String) {
    if contains(.wrongSignature), !signature.isEmpty { signature[signature.startIndex] ^= 1 }
    if contains(.algorithmNone) { signature = Data() }
    if contains(.algorithmHMAC) {
      let secret = SymmetricKey(data: Data(publicKey.utf8))
      signature = Data(HMAC<SHA256>.authenticationCode(for: Data(text.utf8), using: secret))
    }
  }

  /// The reply instead of the key set.
  var keySetReply: Response? {
    if contains(.keySetUnavailable) { return Response(status: .serviceUnavailable) }
    if contains(.keySetGarbage) { return .text("keys: {", type: "application/json") }
    return nil
  }
}
