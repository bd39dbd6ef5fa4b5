import FoundationEssentials

/// What the `claims` parameter asks for (OpenID Connect Core 1.0, section 5.5).
struct RequestedClaims: Sendable, Hashable {
  /// The claims of the ID token by name, each essential or not.
  var idToken: Set<String> = []
  /// What the client can do (`xms_cc`), such as `CP1`.
  var capabilities: [String] = []

  init() {}

  private struct Document: Decodable {
    var idToken: [String: Claim?]?
    var accessToken: [String: Claim?]?

    enum CodingKeys: String, CodingKey {
      case idToken = "id_token"
      case accessToken = "access_token"
    }
  }

  private struct Claim: Decodable {
    var values: [String]?
  }

  /// Reads the parameter of a request.
  init(_ form: Form) throws(EntraError) {
    guard let text = form["claims"] else { return }
    guard let document = try? JSONDecoder().decode(Document.self, from: Data(text.utf8)) else {
      throw .invalidParameter("claims")
    }
    idToken = Set(document.idToken?.keys.map { $0 } ?? [])
    capabilities = (document.accessToken?["xms_cc"] ?? nil)?.values ?? []
  }
}
