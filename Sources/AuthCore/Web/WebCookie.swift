/// A cookie that sign-in pages are given before the first of them loads (RFC 6265).
///
/// It is for `https` only (`Secure`), out of reach of scripts (`HttpOnly`), for all paths of one host and
/// for one session.
public struct WebCookie: Sendable, Equatable {
  /// The name.
  public var name: String
  /// The value; whoever has it is signed in.
  public var value: Secret<String>
  /// The host that it is for, and no other.
  public var host: String

  /// Describes a cookie.
  public init(name: String, value: Secret<String>, host: String) {
    self.name = name
    self.value = value
    self.host = host
  }
}
