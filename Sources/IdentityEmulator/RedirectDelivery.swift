/// The ways an authorization response can travel, for testing what a client intercepts.
///
/// A later version can have more of them: a `switch` needs a `default`.
public struct RedirectDelivery: Sendable, Hashable, CaseIterable, CustomStringConvertible {
  /// A redirect by status and `Location`, as the platform does it mostly.
  public static let http302 = RedirectDelivery(.http302)
  /// A page whose script navigates.
  public static let script = RedirectDelivery(.script)
  /// A page with a GET form to the redirect URI, sent by script.
  public static let form = RedirectDelivery(.form)
  /// A page with a form to the emulator, whose redirect is forbidden by the page's own
  /// `Content-Security-Policy: form-action 'self'`.
  public static let formCSP = RedirectDelivery(.formCSP)
  /// A page with `<meta http-equiv="refresh">`.
  public static let meta = RedirectDelivery(.meta)
  /// A page with a frame that is redirected.
  ///
  /// No client may accept this one. WebKit does not even ask: to it, a frame that goes from `https`
  /// to another scheme is mixed content.
  public static let iframe = RedirectDelivery(.iframe)

  /// All that there are in this version.
  public static let allCases = Known.allCases.map { RedirectDelivery($0) }

  /// Those of this version, for a `switch` that has to handle each.
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

  /// The way called `rawValue`; nil when this version knows none of that name.
  public init?(rawValue: String) {
    guard let known = Known(rawValue: rawValue) else { return nil }
    self.init(known)
  }

  /// The name, by which it is chosen on the command line.
  public var rawValue: String { known.rawValue }
  /// The name.
  public var description: String { rawValue }
}
