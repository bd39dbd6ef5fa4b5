import FoundationEssentials

/// The key that a token is to be bound to: `req_cnf`.
struct RequestedKey: Decodable, Sendable {
  /// The key's thumbprint (RFC 7638).
  let kid: String

  /// Parses a token request; nil when it requests a bearer token.
  init?(_ form: Form) throws(EntraError) {
    guard form["token_type"]?.lowercased() == "pop" else { return nil }
    guard let text = form["req_cnf"] else { throw .missingParameter("req_cnf") }
    guard let data = Data(base64URL: text),
      let key = try? JSONDecoder().decode(Self.self, from: data), !key.kid.isEmpty
    else { throw .unreadableConfirmation }
    self = key
  }
}
