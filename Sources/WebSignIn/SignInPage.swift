import AuthCore
import CGtk
import CWebKit
import Gtk

/// The web view of one sign-in: shows the pages, and reports what the window has to know.
@MainActor
final class SignInPage {
  /// What can happen on the way.
  enum Event {
    /// A load began; nothing of it is there yet.
    case started
    /// A page begins to appear, so from now on this is the site that the person talks to.
    case committed(Origin?, isSecure: Bool)
    /// So much of the page is there; nil when it is complete.
    case progress(Double?)
    /// The sign-in ended with this redirect.
    case completed(String)
    /// A page went to an address that looks like the redirect and is not.
    case refused
    /// There is no page to show.
    case failed(SignInProblem)
    /// The process that shows the pages ended.
    case terminated(SignInProblem)
    /// The page closed its window.
    case closed
    /// The page wanted something that is not allowed here, and did not get it.
    case denied(String)
  }

  /// The widget.
  let view: Object

  let session: Object
  let policy: NavigationPolicy
  let report: @MainActor (Event) -> Void
  /// The way out for a connection with authorities of its own.
  private(set) var gate: ConnectionGate?

  private let context: Object
  /// What is to be set before the first page loads.
  private var cookies: [WebCookie]
  private var hasEnded = false

  /// Creates the view; WebKit starts its processes.
  ///
  /// - Parameter authority: who vouches for the pages' servers, in place of the system's authorities.
  init(
    _ request: WebAuthenticationRequest, authority: PrivateCA?,
    report: @escaping @MainActor (Event) -> Void
  ) throws(GLibError) {
    policy = NavigationPolicy(redirectURI: request.redirectURI)
    cookies = request.cookies
    self.report = report
    context = WebViewSetup.makeContext(answeringNothingTo: request.redirectURI.schemeName)
    session = WebViewSetup.makeSession()
    view = WebViewSetup.makeView(context: context, session: session)
    if let authority {
      gate = try ConnectionGate(authority: authority, session: session) { [weak self] in
        self?.refused($0)
      }
    }
    connectLoading()
    connectFailures()
    connectRefusals()
  }

  /// Loads `url`.
  func load(_ url: String) {
    guard !cookies.isEmpty else { return webkit.web_view_load_uri(view.ptr(), url) }
    let unset = cookies
    cookies = []
    Task {
      await CookieJar.add(unset, to: session)
      if !hasEnded { webkit.web_view_load_uri(view.ptr(), url) }
    }
  }

  /// Loads the current page again.
  func reload() {
    webkit.web_view_reload(view.ptr())
  }

  /// Loads nothing any more.
  func stop() {
    webkit.web_view_stop_loading(view.ptr())
  }

  /// Ends the process with the page, and with it all that the page may still be doing.
  func terminate() {
    hasEnded = true
    webkit.web_view_stop_loading(view.ptr())
    webkit.web_view_terminate_web_process(view.ptr())
    gate?.close()
  }

  /// Ends the process with a page that does not answer; another one is started for the next page.
  func abandon() {
    webkit.web_view_terminate_web_process(view.ptr())
  }

  /// Returns when the page has time for it: at once, unless its scripts never end.
  func answer() async {
    _ = await evaluate("0")
  }

  /// How large everything is shown; 1 is the normal size.
  var zoom: Double {
    get { webkit.web_view_get_zoom_level(view.ptr()) }
    set { webkit.web_view_set_zoom_level(view.ptr(), newValue) }
  }

  // MARK: Loading

  private func connectLoading() {
    view.connectReturningBool("decide-policy") { [weak self] arguments in
      guard let self, let decision = arguments.object(0) else { return false }
      return decide(decision, type: arguments.int(1))
    }
    view.connect("load-changed") { [weak self] arguments in
      guard let self else { return }
      switch UInt32(arguments.int(0)) {
      case WEBKIT_LOAD_STARTED.rawValue: report(.started)
      case WEBKIT_LOAD_COMMITTED.rawValue: reportOrigin()
      default: break
      }
    }
    let progress: @MainActor () -> Void = { [weak self] in
      guard let self else { return }
      let isLoading = webkit.web_view_is_loading(view.ptr()) != 0
      report(.progress(isLoading ? webkit.web_view_get_estimated_load_progress(view.ptr()) : nil))
    }
    view.connect("notify::estimated-load-progress", progress)
    view.connect("notify::is-loading", progress)
  }

  /// Answers `decide-policy`: carries out what the policy says.
  private func decide(_ decision: Object, type: Int) -> Bool {
    let verdict: NavigationPolicy.Decision
    let url: String
    var isUserGesture = false
    switch UInt32(type) {
    case WEBKIT_POLICY_DECISION_TYPE_NAVIGATION_ACTION.rawValue:
      let action = webkit.navigation_policy_decision_get_navigation_action(decision.opaque)
      url = Self.url(of: webkit.navigation_action_get_request(action))
      isUserGesture = webkit.navigation_action_is_user_gesture(action) != 0
      verdict = policy.navigation(
        to: url, isServerRedirect: webkit.navigation_action_is_redirect(action) != 0,
        viewURL: viewURL)
    case WEBKIT_POLICY_DECISION_TYPE_RESPONSE.rawValue:
      url = Self.url(of: webkit.response_policy_decision_get_request(decision.opaque))
      let isMainFrame =
        webkit.response_policy_decision_is_main_frame_main_resource(decision.opaque) != 0
      verdict = policy.response(from: url, isMainFrame: isMainFrame)
      // What the gate answers in a host's place is no download: the load fails, and says why.
      if isMainFrame, verdict == .load, refusal(of: url) == nil,
        webkit.response_policy_decision_is_mime_type_supported(decision.opaque) == 0
      {
        report(.denied(tr("Downloads are not allowed")))
      }
    default:
      webkit.policy_decision_ignore(decision.ptr())
      report(.denied(tr("New windows are not allowed")))
      return true
    }
    if verdict == .load { return false }
    webkit.policy_decision_ignore(decision.ptr())
    // A page that tries by itself, or a frame in it, is of no interest.
    if [.ignore, .stopMainFrame].contains(verdict), isUserGesture {
      report(.denied(tr("This link is not allowed")))
    }
    carryOut(verdict, url: url)
    return true
  }

  func carryOut(_ verdict: NavigationPolicy.Decision, url: String) {
    switch verdict {
    case .load, .ignore: break
    case .stop: report(.failed(.forbidden(scheme: Origin.scheme(of: url) ?? "")))
    case .stopMainFrame:
      // WebKit does not say whose it is. But a page without frames has no other.
      Task { [weak self] in
        guard await self?.evaluate("window.length") == 0 else { return }
        self?.carryOut(.stop, url: url)
      }
    case .complete: report(.completed(url))
    case .refuse: report(.refused)
    }
  }

  private func reportOrigin() {
    let origin = viewURL.flatMap { Origin($0) }
    var certificate: UnsafeMutablePointer<GTlsCertificate>?
    var errors = GTlsCertificateFlags(rawValue: 0)
    let isEncrypted = webkit.web_view_get_tls_info(view.ptr(), &certificate, &errors) != 0
    var isSecure = isEncrypted && errors.rawValue == 0
    if let gate, isEncrypted, let certificate, let origin {
      let certificate = Object(borrowing: UnsafeMutableRawPointer(certificate))
      isSecure = gate.hasAccepted(certificate, of: origin)
      // Not the certificate that the host showed before, but one that the system's authorities know.
      if !isSecure {
        let faults = G_TLS_CERTIFICATE_UNKNOWN_CA.rawValue
        return report(.failed(.tls(host: origin.description, faults: faults)))
      }
    }
    report(.committed(origin, isSecure: isSecure))
  }

  /// The number that a script comes to in the main frame, beside the scripts of the page; nil when there
  /// is no page any more.
  private func evaluate(_ script: String) async -> Int? {
    let value = try? await awaitOperation { [view] cancellable, ready, data in
      webkit.web_view_evaluate_javascript(
        view.ptr(), script, -1, "entrance", nil, cancellable, ready, data)
    } finish: { [view] result, error in
      webkit.web_view_evaluate_javascript_finish(view.ptr(), result, &error)
        .map { Object(owning: UnsafeMutableRawPointer($0)) }
    }
    return (value ?? nil).map { Int(webkit.jsc_value_to_int32($0.opaque)) }
  }

  /// The address that WebKit reports at this moment.
  ///
  /// It can hold the code, so it is not to be shown.
  var viewURL: String? {
    webkit.web_view_get_uri(view.ptr()).map { String(cString: $0) }
  }

  private static func url(of request: OpaquePointer?) -> String {
    webkit.uri_request_get_uri(request).map { String(cString: $0) } ?? ""
  }
}
