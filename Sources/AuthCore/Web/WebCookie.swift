/// A cookie for sign-in pages, set before the first page loads (RFC 6265).
///
/// It is sent only over `https` (`Secure`), hidden from scripts (`HttpOnly`), and valid for all
/// paths of one host and for one session.
public struct WebCookie: Sendable, Equatable {
  /// The name.
  public var name: String
  /// The value; whoever has it is signed in.
  public var value: Secret<String>
  /// The only host that it is sent to.
  public var host: String

  /// Creates a cookie.
  public init(name: String, value: Secret<String>, host: String) {
    self.name = name
    self.value = value
    self.host = host
  }
}
