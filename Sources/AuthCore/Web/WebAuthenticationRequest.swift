/// What a ``WebAuthenticationSession`` has to show, and what it has to wait for.
public struct WebAuthenticationRequest: Sendable, Equatable {
  /// The URL to load first.
  ///
  /// Always `https`.
  public var startURL: String
  /// The navigation that ends the session; see ``RedirectURI/matches(_:)``.
  public var redirectURI: RedirectURI
  /// Whether cookies are forgotten when the session ends.
  public var prefersEphemeralSession: Bool
  /// Cookies to set before the first page loads.
  ///
  /// A session that cannot set any, such as the system's browser, leaves them out.
  public var cookies: [WebCookie] = []

  /// Creates a request.
  public init(startURL: String, redirectURI: RedirectURI, prefersEphemeralSession: Bool = true) {
    self.startURL = startURL
    self.redirectURI = redirectURI
    self.prefersEphemeralSession = prefersEphemeralSession
  }

  /// Whether `url` is the redirect and carries the `state` that was sent.
  ///
  /// For sessions that are open to others, who may hand them any URL: a wrong one does not end the wait. The
  /// flow checks what a session gives it in any case.
  public func isAnswered(by url: String) -> Bool {
    guard redirectURI.matches(url) else { return false }
    guard let sent = Self.state(of: startURL) else { return true }
    return Self.state(of: url).map { constantTimeEqual($0, sent) } ?? false
  }

  private static func state(of url: String) -> String? {
    let query = url.prefix { $0 != "#" }.split(separator: "?", maxSplits: 1).dropFirst().first
    let values = FormEncoding.parse(query ?? "")?.filter { $0.name == "state" } ?? []
    return values.count == 1 ? values[0].value : nil
  }
}
