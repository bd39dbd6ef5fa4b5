import Sentences

/// What a request sent and its errors must not repeat: a code, a token, a verifier.
///
/// A server may put what it was sent into its words: as a whole or cut short, plain or percent-encoded.
package struct SentSecrets: Sendable {
  /// How many bytes in a row give a secret away; a shorter secret has to be there as a whole.
  private static let telling = 16

  /// All pieces of the secrets that give them away, by their length.
  private var pieces: [Int: Set<[UInt8]>] = [:]

  /// Looks out for `secrets`.
  package init(_ secrets: [Secret<String>]) {
    for secret in secrets where !secret.exposed.isEmpty {
      let bytes = Array(secret.exposed.utf8)
      let length = min(Self.telling, bytes.count)
      pieces[length, default: []].formUnion(Self.pieces(of: bytes, length))
    }
  }

  /// Whether `text` repeats one of them.
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
  /// The fields that say nothing secret; any other does.
  private static let publicFields: Set<String> = [
    "claims", "client_id", "client_info", "grant_type", "redirect_uri", "req_cnf", "scope",
    "token_type",
  ]

  /// What `read` makes of the answer; its error repeats nothing secret that was sent.
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
  /// This error without any of the server's words that repeat `secrets`.
  func hiding(_ secrets: SentSecrets) -> AuthenticationError {
    func kept(_ text: String?) -> String? { secrets.isRepeated(in: text) ? nil : text }
    var error = self
    error.oauthError = kept(oauthError)
    error.suberror = kept(suberror)
    error.serverDescription = kept(serverDescription)
    error.correlationID = kept(correlationID)
    if secrets.isRepeated(in: claims?.json) { error.claims = nil }
    if secrets.isRepeated(in: message) {
      error.sentence = Sentence("The sign-in service refused the request. Please sign in again.")
    }
    return error
  }
}
