import FoundationEssentials
import HTTPTypes

/// Wraps an access token in a signed HTTP request, which proves possession of the token's key
/// (draft-ietf-oauth-signed-http-request-03, section 3).
///
/// APIs accept a proof only for some minutes, so each use of a token creates a new one.
struct SignedHTTPRequest: Sendable {
  private let key: ProofKey
  private let now: @Sendable () -> Date
  private let newNonce: @Sendable () -> String

  init(key: ProofKey, runtime: Runtime) {
    self.key = key
    now = runtime.now
    newNonce = runtime.newCorrelationID
  }

  /// The proof for a request to `url`, as a JWT in compact form.
  func token(
    for accessToken: Secret<String>, _ method: HTTPRequest.Method, _ url: String, nonce: String?
  ) -> Secret<String> {
    let request = HTTPRequest(url: url)
    let path = (request.path ?? "").prefix { $0 != "?" }
    let header: [JSON.Member] = [
      .init("alg", .string("RS256")), .init("typ", .string("pop")), .init("kid", .string(key.id)),
    ]
    let claims: [JSON.Member] = [
      .init("at", .string(accessToken.exposed)),
      .init("ts", .number(String(Int(exactly: now().timeIntervalSince1970.rounded(.down)) ?? 0))),
      .init("m", .string(method.rawValue)),
      .init("u", .string((request.authority ?? "").lowercased())),
      .init("p", .string(path.isEmpty ? "/" : String(path))),
      .init("nonce", .string(nonce ?? newNonce())),
      .init("cnf", .object([.init("jwk", key.jwk)])),
    ]
    let text = [header, claims].map { Base64URL.encode(JSON.object($0).compactText.utf8) }
      .joined(separator: ".")
    return Secret("\(text).\(Base64URL.encode(key.signature(of: text)))")
  }
}
