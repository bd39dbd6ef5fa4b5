import AuthCore
import CWebKit
import Gtk

/// Sets the cookies for the first page.
@MainActor
enum SignInCookies {
  /// Adds `cookies` to `session`.
  ///
  /// A cookie that WebKit rejects is skipped: then the pages ask the user.
  static func add(_ cookies: [WebCookie], to session: Object) async {
    guard let manager = webkit.network_session_get_cookie_manager(session.opaque) else { return }
    for cookie in cookies {
      // No leading dot: for this host only. No age: a session cookie.
      guard
        let value = webkit.soup_cookie_new(
          cookie.name, cookie.value.exposed, cookie.host, "/", -1)
      else { continue }
      defer { webkit.soup_cookie_free(value) }
      webkit.soup_cookie_set_secure(value, 1)
      webkit.soup_cookie_set_http_only(value, 1)
      _ = try? await awaitOperation { cancellable, ready, data in
        webkit.cookie_manager_add_cookie(manager, value, cancellable, ready, data)
      } finish: { result, error in
        webkit.cookie_manager_add_cookie_finish(manager, result, &error)
      }
    }
  }
}
