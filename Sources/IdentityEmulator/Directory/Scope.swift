/// A permission that a client requests.
struct Scope: Sendable, Hashable {
  /// The registered name, without the resource: `User.Read`.
  let name: String
  /// The description on the consent page.
  let meaning: String

  /// Scopes for the sign-in, not for a resource.
  static let openID = [
    Scope(name: "openid", meaning: "Sign you in"),
    Scope(name: "profile", meaning: "See your basic profile"),
    Scope(name: "email", meaning: "See your e-mail address"),
    Scope(name: "offline_access", meaning: "Keep access to data you have given it access to"),
  ]

  /// The supported scopes of Microsoft Graph.
  static let graph = [
    Scope(name: "User.Read", meaning: "Sign you in and read your profile"),
    Scope(name: "User.ReadBasic.All", meaning: "Read the basic profiles of all users"),
    Scope(name: "User.Read.All", meaning: "Read the full profiles of all users"),
    Scope(name: "Mail.Read", meaning: "Read your mail"),
    Scope(name: "Mail.ReadWrite", meaning: "Read and write your mail"),
    Scope(name: "Mail.Send", meaning: "Send mail as you"),
    Scope(name: "Calendars.Read", meaning: "Read your calendars"),
    Scope(name: "Files.Read", meaning: "Read your files"),
    Scope(name: "Files.ReadWrite", meaning: "Read and write your files"),
  ]

  /// The scope of a custom API at `/api/me`, for services without Graph.
  static let demo = Scope(name: "demo.read", meaning: "Read the demonstration's data")

  /// The prefix of a scope that names Microsoft Graph.
  static let graphPrefix = "https://graph.microsoft.com/"

  var isOpenID: Bool { Self.openID.contains(self) }
}

/// The scopes of one request.
struct ScopeRequest: Sendable, Hashable {
  /// The requested scopes, in order.
  private(set) var scopes: [Scope]
  /// Whether the request named the resource; then the response does too.
  let namesResource: Bool

  /// Parses a space-separated list.
  ///
  /// Names are case-insensitive.
  /// - Throws: ``EntraError`` for an empty list or an unknown name.
  init(
    _ list: String, client: ClientRegistration, kind: AuthorityKind
  ) throws(EntraError) {
    var scopes: [Scope] = []
    var namesResource = false
    for word in list.split(separator: " ") {
      var name = word.lowercased()
      let prefix = kind.scopePrefix
      if !prefix.isEmpty, name.hasPrefix(prefix) {
        name.removeFirst(prefix.count)
        namesResource = true
      }
      // `.default` means the scopes in the registration: User.Read.
      if name == ".default" { name = "user.read" }
      guard
        let scope = (Scope.openID + kind.scopes).first(where: { $0.name.lowercased() == name })
      else { throw .unknownScope(String(word), client: client) }
      if !scopes.contains(scope) { scopes.append(scope) }
    }
    guard !scopes.isEmpty else { throw .missingParameter("scope") }
    self.scopes = scopes
    self.namesResource = namesResource
  }

  /// Whether a refresh token is requested.
  var wantsRefreshToken: Bool { scopes.contains { $0.name == "offline_access" } }

  /// Requests a refresh token too.
  mutating func addRefreshToken() {
    guard !wantsRefreshToken else { return }
    scopes += Scope.openID.filter { $0.name == "offline_access" }
  }

  /// Whether an ID token is requested.
  var wantsIDToken: Bool { scopes.contains { $0.name == "openid" } }
}
