import FoundationEssentials
import HTTPTypes

/// The session of a browser, found by its cookie.
struct BrowserSession: Sendable {
  /// The value of the cookie.
  let id: String
  /// The `session_state` for clients.
  let state = Random.guid()
  /// The users who are signed in, the last one last.
  var usernames: [String] = []
  /// When each gave a password last.
  var signedIn: [String: Date] = [:]
  /// Whether the user wants to stay signed in, so that the cookie is persistent.
  var isPersistent = false

  /// The cookie's name.
  ///
  /// With this prefix, browsers require `Secure` and restrict the cookie to this host.
  static let cookieName = "__Host-session"

  /// The `Set-Cookie` field for this session.
  var cookie: String {
    let base = "\(Self.cookieName)=\(id); Path=/; Secure; HttpOnly; SameSite=Lax"
    return isPersistent ? "\(base); Max-Age=7776000" : base
  }

  /// The `Set-Cookie` field that deletes the cookie.
  static let expiredCookie =
    "\(cookieName)=; Path=/; Secure; HttpOnly; SameSite=Lax; Max-Age=0"
}

extension Response {
  /// The response with the cookie of a session.
  func setting(_ session: BrowserSession) -> Response {
    var response = self
    response.headers[.setCookie] = session.cookie
    return response
  }
}
