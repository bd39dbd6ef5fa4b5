/// A permission that a client requests.
struct Scope: Sendable, Hashable, Comparable {
  /// The registered name, without the resource: `User.Read`.
  let name: String
  /// The description on the consent page.
  let meaning: String
  /// The identifier of its API; empty for a sign-in, and for the API of the kind of service.
  var resource = ""

  /// Scopes for the sign-in, not for a resource.
  static let openID = [
    Scope(name: "openid", meaning: "Sign you in"),
    Scope(name: "profile", meaning: "See your basic profile"),
    Scope(name: "email", meaning: "See your e-mail address"),
    Scope(name: "offline_access", meaning: "Keep access to data you have given it access to"),
  ]

  /// The scope of a custom API at `/api/me`, for services without Graph.
  static let demo = Scope(name: "demo.read", meaning: "Read the demonstration's data")

  /// The prefix of a scope that names Microsoft Graph.
  static let graphPrefix = "https://graph.microsoft.com/"

  /// Microsoft Graph's application ID, which replaces its address.
  static let graphID = "00000003-0000-0000-c000-000000000000"

  static func < (one: Scope, other: Scope) -> Bool { one.name < other.name }

  var isOpenID: Bool { Self.openID.contains(self) }

  /// The name with the resource in front of it, as in responses.
  ///
  /// - Parameter prefix: that of the scopes of the kind's own API.
  func fullName(_ prefix: String) -> String {
    if isOpenID { return name }
    return resource.isEmpty ? prefix + name : "\(resource)/\(name)"
  }
}

/// The scopes of one request.
struct ScopeRequest: Sendable, Hashable {
  /// The requested scopes, in order.
  private(set) var scopes: [Scope]
  /// Whether the request named the resource; then the response does too.
  let namesResource: Bool

  /// What a list of scopes is read with.
  struct Context: Sendable {
    let client: ClientRegistration
    let kind: AuthorityKind
    /// The APIs besides the kind's own.
    let resources: [ResourceRegistration]
    /// Scheme, host and port of the emulator, which also name its Graph.
    let origin: String

    /// Whether `name` is the kind's own API.
    func isOwn(_ name: some StringProtocol) -> Bool {
      var names = [String(kind.scopePrefix.dropLast())]
      if kind.isMicrosoftEntra { names += [Scope.graphID, origin] }
      return ResourceRegistration(identifier: "", aliases: names, scopes: []).isNamed(name)
    }

    /// The scopes that `word` names.
    func scopes(_ word: Substring) throws(EntraError) -> [Scope] {
      if let scope = Scope.openID.first(where: { $0.name == word.lowercased() }) { return [scope] }
      guard let slash = word.lastIndex(of: "/"), !isOwn(word[..<slash]) else {
        let name = word[
          (word.lastIndex(of: "/").map { word.index(after: $0) } ?? word.startIndex)...
        ]
        .lowercased()
        // `.default` means the scopes in the registration: User.Read.
        let wanted = name == ".default" && kind.isMicrosoftEntra ? "user.read" : name
        guard let scope = kind.scopes.first(where: { $0.name.lowercased() == wanted }) else {
          throw .unknownScope(String(word), client: client)
        }
        return [scope]
      }
      guard kind.isMicrosoftEntra else { throw .unknownScope(String(word), client: client) }
      guard let resource = resources.first(where: { $0.isNamed(word[..<slash]) }) else {
        throw .unknownResource(String(word[..<slash]))
      }
      let name = word[word.index(after: slash)...].lowercased()
      let scopes = resource.scopes.filter { name == ".default" || $0.lowercased() == name }
        .map {
          Scope(
            name: $0, meaning: "Access \(resource.identifier) as you (\($0))",
            resource: resource.identifier)
        }
      guard !scopes.isEmpty else { throw .unknownScope(String(word), client: client) }
      return scopes
    }
  }

  /// Parses a space-separated list.
  ///
  /// Names are case-insensitive.
  /// - Throws: ``EntraError`` for an empty list or an unknown name.
  init(_ list: String, _ context: Context) throws(EntraError) {
    var scopes: [Scope] = []
    for word in list.split(separator: " ") {
      for scope in try context.scopes(word) where !scopes.contains(scope) { scopes.append(scope) }
    }
    guard !scopes.isEmpty else { throw .missingParameter("scope") }
    self.scopes = scopes
    let prefix = context.kind.scopePrefix
    namesResource =
      !prefix.isEmpty
      && list.split(separator: " ").contains { $0.lowercased().hasPrefix(prefix.lowercased()) }
  }

  /// The API that a token for these scopes is for.
  var resource: String { scopes.first { !$0.isOpenID }?.resource ?? "" }

  /// Whether they are for more than one API; a token is for one.
  var hasSeveralResources: Bool {
    scopes.contains { !$0.isOpenID && $0.resource != resource }
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
