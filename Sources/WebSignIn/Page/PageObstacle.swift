import AuthCore
import FoundationEssentials

/// Why a page cannot go on in an embedded web view.
///
/// Only addresses that are known to mean this are recognized.
nonisolated enum PageObstacle: Sendable, Equatable {
  /// It asks for a passkey or a security key, which WebKitGTK does not support.
  case passkey
  /// Google refuses embedded web views.
  case refusal

  /// - Parameters:
  ///   - url: the page's URL.
  ///   - site: what is known about its host.
  init?(url: String, site: SignInSite) {
    guard let origin = Origin(url), origin.scheme == "https" else { return nil }
    let path = url.dropFirst("https://".count).prefix { $0 != "?" && $0 != "#" }
      .drop { $0 != "/" }.lowercased()
    if site != .other, path.hasSuffix("/fido/get") {
      self = .passkey
    } else if origin.description == "accounts.google.com", Self.isGooglesRefusal(path, url) {
      self = .refusal
    } else {
      return nil
    }
  }

  /// Google's page after it has rejected the browser, or its error page with the reason
  /// `disallowed_useragent`.
  private static func isGooglesRefusal(_ path: String, _ url: String) -> Bool {
    if ["/signin/rejected", "/v3/signin/rejected"].contains(path) { return true }
    guard path == "/signin/oauth/error" || path.hasPrefix("/signin/oauth/error/") else {
      return false
    }
    let query = FormEncoding.query(of: url) ?? ""
    let reason = FormEncoding.parse(query)?.first { $0.name == "authError" }?.value ?? ""
    return decoded(reason).contains("disallowed_useragent")
  }

  /// The text in an `authError`, which is the base64url of a binary message.
  private static func decoded(_ text: String) -> String {
    let plain = text.replacing("-", with: "+").replacing("_", with: "/").prefix { $0 != "=" }
    let padding = String(repeating: "=", count: (4 - plain.utf8.count % 4) % 4)
    return Data(base64Encoded: plain + padding).map { String(decoding: $0, as: UTF8.self) } ?? ""
  }
}
