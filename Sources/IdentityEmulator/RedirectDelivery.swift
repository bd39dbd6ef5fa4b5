/// How an authorization response reaches the redirect URI, to test what a client intercepts.
///
/// Later versions may add ways: a `switch` needs a `default`.
public struct RedirectDelivery: Sendable, Hashable, CaseIterable, CustomStringConvertible {
  /// A redirect with status and `Location`, the usual way of the platform.
  public static let http302 = RedirectDelivery(.http302)
  /// A page whose script navigates.
  public static let script = RedirectDelivery(.script)
  /// A page with a GET form to the redirect URI, submitted by a script.
  public static let form = RedirectDelivery(.form)
  /// A page with a form to the emulator, whose redirect the page's own `Content-Security-Policy:
  /// form-action 'self'` forbids.
  public static let formCSP = RedirectDelivery(.formCSP)
  /// A page with `<meta http-equiv="refresh">`.
  public static let meta = RedirectDelivery(.meta)
  /// A page with a frame that is redirected.
  ///
  /// No client may accept this one. WebKit does not even report it: a navigation of a frame from
  /// `https` to another scheme is mixed content.
  public static let iframe = RedirectDelivery(.iframe)

  /// All ways of this version.
  public static let allCases = Known.allCases.map { RedirectDelivery($0) }

  /// The ways of this version, for a `switch` that must handle each.
  enum Known: String, CaseIterable {
    case http302 = "302"
    case script, form
    case formCSP = "form-csp"
    case meta, iframe
  }
  let known: Known

  private init(_ known: Known) {
    self.known = known
  }

  /// The way called `rawValue`; nil when this version has none with that name.
  public init?(rawValue: String) {
    guard let known = Known(rawValue: rawValue) else { return nil }
    self.init(known)
  }

  /// The name, for the command line.
  public var rawValue: String { known.rawValue }
  /// The name.
  public var description: String { rawValue }
}
