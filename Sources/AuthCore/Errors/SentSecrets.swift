import Sentences

/// The secrets of a request, which its errors must not repeat: a code, a token, a verifier.
///
/// A server may echo them in its message: complete or truncated, plain or percent-encoded.
package struct SentSecrets: Sendable {
  /// How many consecutive bytes reveal a secret; a shorter secret must match completely.
  private static let telling = 16

  /// The pieces that reveal a secret, by their length.
  private var pieces: [Int: Set<[UInt8]>] = [:]

  /// Creates a filter for `secrets`.
  package init(_ secrets: [Secret<String>]) {
    for secret in secrets where !secret.exposed.isEmpty {
      let bytes = Array(secret.exposed.utf8)
      let length = min(Self.telling, bytes.count)
      pieces[length, default: []].formUnion(Self.pieces(of: bytes, length))
    }
  }

  /// Whether `text` contains a piece of one.
  package func isRepeated(in text: String?) -> Bool {
    guard var bytes = text.map({ Array($0.utf8) }) else { return false }
    // A URL within a URL is encoded twice.
    for _ in 0...2 {
      let isFound = pieces.contains { length, known in
        Self.pieces(of: bytes, length).contains { known.contains($0) }
      }
      if isFound { return true }
      bytes = FormEncoding.lenientlyDecoded(bytes)
    }
    return false
  }

  private static func pieces(
    of bytes: [UInt8], _ length: Int
  ) -> some Sequence<[UInt8]> {
    (0..<max(0, bytes.count - length + 1)).lazy.map { Array(bytes[$0..<($0 + length)]) }
  }
}

extension TokenRequest {
  /// Form fields without secrets; any other may hold one.
  private static let publicFields: Set<String> = [
    "claims", "client_id", "client_info", "grant_type", "redirect_uri", "req_cnf", "scope",
    "token_type",
  ]

  /// The result of `read`; the secrets are removed from its error.
  func reading<Value>(
    _ read: () throws(AuthenticationError) -> Value
  ) throws(AuthenticationError) -> Value {
    do throws(AuthenticationError) {
      return try read()
    } catch {
      let secrets = fields.exposed.filter { !Self.publicFields.contains($0.name) }
      throw error.hiding(SentSecrets(secrets.map { Secret($0.value) }))
    }
  }
}

extension AuthenticationError {
  /// This error without any server message that contains `secrets`.
  func hiding(_ secrets: SentSecrets) -> AuthenticationError {
    func kept(_ text: String?) -> String? { secrets.isRepeated(in: text) ? nil : text }
    var error = self
    error.oauthError = kept(oauthError)
    error.suberror = kept(suberror)
    error.serverDescription = kept(serverDescription)
    error.correlationID = kept(correlationID)
    if var known = brokerError {
      (known.context, known.oauthError) = (kept(known.context), kept(known.oauthError))
      (known.suberror, known.correlationID) = (kept(known.suberror), kept(known.correlationID))
      error.brokerError = known
    }
    if secrets.isRepeated(in: claims?.json) { error.claims = nil }
    if secrets.isRepeated(in: message) {
      error.sentence = Sentence("The sign-in service refused the request. Sign in again.")
    }
    return error
  }
}
