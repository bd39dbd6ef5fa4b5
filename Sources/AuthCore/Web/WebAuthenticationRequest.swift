/// The page that a ``WebAuthenticationSession`` shows, and the redirect that it waits for.
public struct WebAuthenticationRequest: Sendable, Equatable {
  /// The URL of the first page.
  ///
  /// Always `https`.
  public var startURL: String
  /// The navigation that ends the session; see ``RedirectURI/matches(_:)``.
  public var redirectURI: RedirectURI
  /// Whether cookies are discarded when the session ends.
  public var prefersEphemeralSession: Bool
  /// Cookies to set before the first page loads.
  ///
  /// A session that cannot set cookies, such as the system browser, ignores them.
  public var cookies: [WebCookie] = []

  /// Creates a request.
  public init(startURL: String, redirectURI: RedirectURI, prefersEphemeralSession: Bool = true) {
    self.startURL = startURL
    self.redirectURI = redirectURI
    self.prefersEphemeralSession = prefersEphemeralSession
  }

  /// Whether `url` is the redirect, with the `state` that was sent.
  ///
  /// For sessions that others can pass URLs to: a wrong URL must not end the wait. The flow checks
  /// the URL in any case.
  public func isAnswered(by url: String) -> Bool {
    guard redirectURI.matches(url) else { return false }
    guard let sent = Self.state(of: startURL) else { return true }
    return Self.state(of: url).map { constantTimeEqual($0, sent) } ?? false
  }

  static func state(of url: String) -> String? {
    let values = FormEncoding.query(of: url).flatMap { FormEncoding.parse($0) } ?? []
    let states = values.filter { $0.name == "state" }
    return states.count == 1 ? states[0].value : nil
  }
}

extension WebAuthenticationRequest: CustomStringConvertible, CustomReflectable {
  /// The start URL without its query, which contains the values that the response is checked
  /// against, and the user's name.
  public var description: String {
    let address = startURL.prefix { $0 != "?" && $0 != "#" }
    return address + (address.utf8.count < startURL.utf8.count ? "?…" : "")
  }

  /// A mirror that shows only ``description``.
  public var customMirror: Mirror {
    Mirror(
      self,
      children: [
        "startURL": description, "redirectURI": redirectURI,
        "prefersEphemeralSession": prefersEphemeralSession,
      ])
  }
}
