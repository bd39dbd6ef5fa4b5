/// How an authorization response reaches the redirect URI, to test what a client intercepts.
///
/// An enum, although later versions may add ways: programs name those that they want and need not
/// switch over all.
public enum RedirectDelivery: String, Sendable, CaseIterable, CustomStringConvertible {
  /// A redirect with status and `Location`, the usual way of the platform.
  case http302 = "302"
  /// A page whose script navigates.
  case script
  /// A page with a GET form to the redirect URI, submitted by a script.
  case form
  /// A page with a form to the emulator, whose redirect the page's own `Content-Security-Policy:
  /// form-action 'self'` forbids.
  case formCSP = "form-csp"
  /// A page with `<meta http-equiv="refresh">`.
  case meta
  /// A page with a frame that is redirected.
  ///
  /// No client may accept this one. WebKit does not even report it: a navigation of a frame from
  /// `https` to another scheme is mixed content.
  case iframe

  /// The name, for the command line.
  public var description: String { rawValue }
}
