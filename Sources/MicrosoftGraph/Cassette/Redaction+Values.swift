import AuthCore
import CurlHTTP
import FoundationEssentials
import HTTPTypes

// What single values become.
extension Redaction {
  /// A text of the member `name`.
  mutating func leaf(_ text: String, _ name: String) -> String {
    let name = name.lowercased()
    if name == "id_token" || name == "id_token_hint" {
      return token(text) ?? standIn(text, .secret)
    }
    if name == "client_info" {
      guard let data = Base64URL.decode(text), let json = try? JSON(parsing: data) else {
        return standIn(text, .secret)
      }
      return Base64URL.encode(self.json(json, "").compactText.utf8)
    }
    if Self.isSecret(name) { return standIn(text, .secret) }
    if Self.isURL(text) { return url(text) }
    if name == "url", text.hasPrefix("/") { return url(text) }
    if name.hasSuffix("@odata.type") { return text }
    let isCode = Self.errors.contains(name) && (isOfSignIn || isError)
    if isCode, text.allSatisfy({ $0.isASCII && ($0.isLetter || $0 == "_") }) { return text }
    if isOfSignIn, name == "scope" { return scopes(text) }
    if isCode || isOfSignIn && (Self.kept.contains(name) || name.hasSuffix("_supported")) {
      return scrub(text)
    }
    if Self.isOfProtocol(text, name) { return text }
    if Self.hosts.contains(name) { return host(text) }
    if Self.isTime(text) { return text }
    let isID = name == "id" || name.hasSuffix("id") || name.hasSuffix("etag") || name == "sub"
    return standIn(text, isID ? .id : .name)
  }

  /// Secrets, and what belongs to one session.
  static let secrets: Set<String> = [
    "access_token", "refresh_token", "device_code", "user_code", "code_verifier", "client_secret",
    "password", "assertion", "client_assertion", "nonce", "state", "session_state", "uti", "aio",
    "rh", "sid", "login_hint", "xms_st",
  ]

  /// Whether the member `name`, in lower case, is a secret, also as a number.
  static func isSecret(_ name: String) -> Bool {
    secrets.contains(name) || name.hasSuffix("password") || name == "pin" || name == "otp"
  }

  /// What neither names nor identifies anybody in a document of a sign-in service; free texts are
  /// scrubbed.
  static let kept: Set<String> = [
    "alg", "code", "e", "error", "error_description", "expires_in", "expires_on",
    "ext_expires_in", "foci", "grant_type", "interval", "kid", "kty", "n", "not_before",
    "refresh_in", "scope", "suberror", "tenant_region_scope", "token_type", "typ", "use", "ver",
  ]

  /// Members with codes of errors, such as `Request_UnsupportedQuery`.
  private static let errors: Set<String> = ["code", "error", "suberror"]

  private static let hosts: Set<String> = [
    "aliases", "cloud_graph_host_name", "cloud_instance_name", "msgraph_host", "preferred_cache",
    "preferred_network",
  ]

  /// Scopes, in which permissions stay, although somebody may have such a name.
  mutating func scopes(_ text: String) -> String {
    var result: [String] = []
    for scope in text.split(separator: " ", omittingEmptySubsequences: false) {
      let isKept = Self.openIDScopes.contains(scope) || Self.isPermission(scope)
      result.append(isKept ? String(scope) : scrub(String(scope)))
    }
    return result.joined(separator: " ")
  }

  private static let openIDScopes: Set<Substring> = [
    "email", "offline_access", "openid", "profile",
  ]

  /// Whether a text is a part of an upload or a batch, and nothing else.
  private static func isOfProtocol(_ text: String, _ name: String) -> Bool {
    switch name {
    case "method": ["GET", "POST", "PUT", "PATCH", "DELETE"].contains(text)
    case "nextexpectedranges": text.utf8.allSatisfy { $0.isDigit || $0 == UInt8(ascii: "-") }
    default: false
    }
  }

  /// Whether a text is a date or a time, such as `2026-11-23T19:46:12Z`.
  private static func isTime(_ text: String) -> Bool {
    let bytes = Array(text.utf8)
    guard bytes.count >= 10, bytes.count <= 33, bytes[4] == UInt8(ascii: "-"),
      bytes[7] == UInt8(ascii: "-")
    else { return false }
    return bytes.allSatisfy { "0123456789-:.+TZ ".utf8.contains($0) }
  }

  /// A signed token, without its signature.
  private mutating func token(_ text: String) -> String? {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 3, let header = Base64URL.decode(parts[0]),
      let payload = Base64URL.decode(parts[1]), let headerJSON = try? JSON(parsing: header),
      let claims = try? JSON(parsing: payload)
    else { return nil }
    let wasOfSignIn = isOfSignIn
    isOfSignIn = true
    defer { isOfSignIn = wasOfSignIn }
    let texts = [json(headerJSON, ""), json(claims, "")].map(\.compactText)
    return texts.map { Base64URL.encode($0.utf8) }.joined(separator: ".") + ".c3RhbmQtaW4"
  }

  /// The value of a header field.
  mutating func value(of name: HTTPField.Name, _ value: String) -> String {
    let field = name.canonicalName
    if field == "content-type" || field == "accept" { return value }
    if Self.keptFields.contains(field) || field.hasPrefix("x-client") { return scrub(value) }
    switch field {
    case "authorization", "proxy-authorization":
      let scheme = value.prefix { $0 != " " }
      return "\(scheme) " + standIn(value.dropFirst(scheme.count + 1), .secret)
    case "location", "content-location", "referer", "origin", "azure-asyncoperation":
      return url(value)
    case "www-authenticate": return challenge(value)
    case "etag", "if-match", "if-none-match", "if-range", "request-id", "client-request-id",
      "x-ms-request-id":
      return standIn(value, .id)
    default:
      let isNumber = value.utf8.count <= 6 && value.allSatisfy { ("0"..."9").contains($0) }
      return isNumber ? value : standIn(value, .secret)
    }
  }

  private static let keptFields: Set<String> = [
    "accept-encoding", "accept-language", "cache-control", "consistencylevel",
    "content-encoding", "content-length", "content-range", "date", "deprecation",
    "expires", "link", "odata-version", "pragma", "prefer", "preference-applied", "range",
    "retry-after", "return-client-request-id", "sunset", "user-agent", "vary",
  ]

  /// Challenges, whose claims are Base64.
  private mutating func challenge(_ value: String) -> String {
    guard let start = value.firstRange(of: "claims=\""),
      let end = value[start.upperBound...].firstIndex(of: "\"")
    else { return scrub(value) }
    let claims = value[start.upperBound..<end].filter { $0 != "=" }
      .replacing("+", with: "-").replacing("/", with: "_")
    let text = Base64URL.decode(claims).flatMap { String(validating: $0, as: UTF8.self) }
    let hidden = text.map { Data(scrub($0).utf8).base64EncodedString() }
    return scrub(String(value[..<start.lowerBound])) + "claims=\""
      + (hidden ?? standIn(claims, .secret)) + scrub(String(value[end...]))
  }
}
