/// What the emulator remembers of one browser, found by its cookie.
struct BrowserSession: Sendable {
  /// The value of the cookie.
  let id: String
  /// What clients get to see of it as `session_state`.
  let state = Random.guid()
  /// The users who are signed in, the latest last.
  var usernames: [String] = []
  /// Whether the person wants to stay signed in, so that the cookie outlives the browser.
  var isPersistent = false

  /// The cookie's name.
  ///
  /// The prefix makes browsers insist on `Secure` and on this host alone.
  static let cookieName = "__Host-session"

  /// The `Set-Cookie` field for this session.
  var cookie: String {
    let base = "\(Self.cookieName)=\(id); Path=/; Secure; HttpOnly; SameSite=Lax"
    return isPersistent ? "\(base); Max-Age=7776000" : base
  }

  /// The `Set-Cookie` field that takes the cookie away.
  static let expiredCookie =
    "\(cookieName)=; Path=/; Secure; HttpOnly; SameSite=Lax; Max-Age=0"
}
