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
    let header: JSON = ["alg": "RS256", "typ": "pop", "kid": .string(key.id)]
    let claims: JSON = [
      "at": .string(accessToken.exposed),
      "ts": .number(String(Int(exactly: now().timeIntervalSince1970.rounded(.down)) ?? 0)),
      "m": .string(method.rawValue),
      "u": .string((request.authority ?? "").lowercased()),
      "p": .string(path.isEmpty ? "/" : String(path)),
      "nonce": .string(nonce ?? newNonce()),
      "cnf": ["jwk": key.jwk],
    ]
    let text = [header, claims].map { Base64URL.encode($0.compactText.utf8) }
      .joined(separator: ".")
    return Secret("\(text).\(Base64URL.encode(key.signature(of: text)))")
  }
}
