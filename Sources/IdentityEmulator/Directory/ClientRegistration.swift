/// An app registration.
public struct ClientRegistration: Sendable, Hashable {
  /// The application (client) ID.
  public var clientID: String
  /// The name shown on the consent page.
  public var displayName: String
  /// The redirect URIs.
  public var redirectURIs: [String]
  /// The redirect URIs of a single-page application.
  ///
  /// As with Microsoft, these need PKCE, and a web page has to redeem the code.
  public var pageRedirectURIs: [String]
  /// The tenant in which it was created; nil for a configured one, which is known everywhere.
  var home: Tenant?
  /// The accounts that can sign in.
  var audience = SignInAudience.everyone
  /// Whether it gets tokens with device codes.
  var allowsPublicFlows = true

  /// Creates a registration.
  public init(
    clientID: String, displayName: String, redirectURIs: [String], pageRedirectURIs: [String] = []
  ) {
    self.clientID = clientID
    self.displayName = displayName
    self.redirectURIs = redirectURIs
    self.pageRedirectURIs = pageRedirectURIs
  }

  /// The registration of the demo.
  public static let demo = ClientRegistration(
    clientID: "7c1d9f3e-52a8-4b06-9e7d-3f84c0b2a615", displayName: "Entrance",
    redirectURIs: ["msauth.io.github.entrance.entrance://auth", "http://localhost"])

  /// Whether `uri` is an allowed redirect URI.
  ///
  /// It must be identical to a registered one, except for the port of loopback URIs (RFC 8252,
  /// section 7.3).
  func allows(redirectURI uri: String) -> Bool {
    isPage(redirectURI: uri)
      || redirectURIs.contains { registered in
        registered == uri
          || Self.withoutPort(registered).map { $0 == Self.withoutPort(uri) } == true
      }
  }

  /// Whether `uri` is one of a single-page application.
  func isPage(redirectURI uri: String) -> Bool { pageRedirectURIs.contains(uri) }

  /// Removes `:12345` and a trailing `/` from a loopback URI; nil for any other.
  private static func withoutPort(_ uri: String) -> String? {
    let prefix = ["http://localhost", "http://127.0.0.1"].first { uri.hasPrefix($0) }
    guard let prefix else { return nil }
    var rest = uri.dropFirst(prefix.count)
    if rest.first == ":" {
      let digits = rest.dropFirst().prefix(while: \.isASCIIDigit)
      guard (1...5).contains(digits.count) else { return nil }
      rest = rest.dropFirst(digits.count + 1)
    }
    guard rest.isEmpty || rest.first == "/" else { return nil }
    return rest == "/" ? prefix : prefix + rest
  }
}

extension Character {
  fileprivate var isASCIIDigit: Bool { ("0"..."9").contains(self) }
}
