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
    /// The page wanted something that is not allowed here, and did not get it.
    case denied(String)
  }

  /// The widget.
  let view: Object

  private let context: Object
  private let session: Object
  private let policy: NavigationPolicy
  private let privateCA: PrivateCA?
  private let report: @MainActor (Event) -> Void
  /// What is to be set before the first page loads.
  private var cookies: [WebCookie]
  private var hasEnded = false
  /// What is loaded anew with an accepted certificate; once is enough if it helps at all.
  private var retriedURL: String?

  /// Creates the view; WebKit starts its processes.
  init(
    _ request: WebAuthenticationRequest, privateCA: PrivateCA?,
    report: @escaping @MainActor (Event) -> Void
  ) {
    policy = NavigationPolicy(redirectURI: request.redirectURI)
    cookies = request.cookies
    self.privateCA = privateCA
    self.report = report
    context = WebViewSetup.makeContext(answeringNothingTo: request.redirectURI.schemeName)
    session = WebViewSetup.makeSession()
    view = WebViewSetup.makeView(context: context, session: session)
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
      if isMainFrame, verdict == .load,
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
    if verdict == .ignore, isUserGesture {
      report(.denied(tr("This link is not allowed")))
    }
    carryOut(verdict, url: url)
    return true
  }

  private func carryOut(_ verdict: NavigationPolicy.Decision, url: String) {
    switch verdict {
    case .load, .ignore: break
    case .stop: report(.failed(.forbidden(scheme: Origin.scheme(of: url) ?? "")))
    case .complete: report(.completed(url))
    case .refuse: report(.refused)
    }
  }

  private func reportOrigin() {
    retriedURL = nil
    let origin = viewURL.flatMap { Origin($0) }
    var certificate: UnsafeMutablePointer<GTlsCertificate>?
    var errors = GTlsCertificateFlags(rawValue: 0)
    let isEncrypted = webkit.web_view_get_tls_info(view.ptr(), &certificate, &errors) != 0
    var isSecure = isEncrypted && errors.rawValue == 0
    if isEncrypted, !isSecure, let certificate, let origin {
      let certificate = Object(borrowing: UnsafeMutableRawPointer(certificate))
      isSecure = privateCA?.hasAccepted(certificate, of: origin) ?? false
    }
    report(.committed(origin, isSecure: isSecure))
  }

  /// The address that WebKit reports at this moment.
  ///
  /// It can hold the code, so it is not to be shown.
  private var viewURL: String? {
    webkit.web_view_get_uri(view.ptr()).map { String(cString: $0) }
  }

  private static func url(of request: OpaquePointer?) -> String {
    webkit.uri_request_get_uri(request).map { String(cString: $0) } ?? ""
  }

  // MARK: Failures

  private func connectFailures() {
    view.connectReturningBool("load-failed") { [weak self] arguments in
      guard let self, let error = arguments.pointer(2) else { return false }
      loadFailed(
        arguments.string(1) ?? "",
        GLibError(borrowing: UnsafePointer(error.assumingMemoryBound(to: GError.self))))
      // WebKit would put a page of its own in place of the one that is there.
      return true
    }
    view.connectReturningBool("load-failed-with-tls-errors") { [weak self] arguments in
      guard let self, let certificate = arguments.object(1) else { return false }
      let errors = GTlsCertificateFlags(rawValue: UInt32(truncatingIfNeeded: arguments.int(2)))
      tlsFailed(arguments.string(0) ?? "", certificate, errors)
      return true
    }
    view.connect("web-process-terminated") { [weak self] arguments in
      let isMemory =
        UInt32(arguments.int(0)) == WEBKIT_WEB_PROCESS_EXCEEDED_MEMORY_LIMIT.rawValue
      self?.report(.terminated(isMemory ? .outOfMemory : .crashed))
    }
  }

  private func loadFailed(_ url: String, _ error: GLibError) {
    if let verdict = policy.failure(of: url) {
      carryOut(verdict, url: url)
      return
    }
    // What was ignored or overtaken by another load ends here, too.
    let code = UInt32(truncatingIfNeeded: error.code)
    switch error.domain {
    case Self.policyErrors where code != WEBKIT_POLICY_ERROR_CANNOT_USE_RESTRICTED_PORT.rawValue:
      return
    case Self.networkErrors where code == WEBKIT_NETWORK_ERROR_CANCELLED.rawValue: return
    default: break
    }
    if let origin = Origin(url), origin.scheme == "https" {
      report(.failed(.network(host: origin.description, reason: error.message)))
    } else {
      report(.failed(.forbidden(scheme: Origin.scheme(of: url) ?? "")))
    }
  }

  private func tlsFailed(_ url: String, _ certificate: Object, _ errors: GTlsCertificateFlags) {
    guard let origin = Origin(url) else { return }
    guard url != retriedURL else {
      report(.failed(.tls(host: origin.description, faults: errors.rawValue)))
      return
    }
    retriedURL = url
    Task { [weak self, privateCA, session] in
      let faults =
        await privateCA?.accept(certificate, errors: errors, of: origin, in: session) ?? errors
      if faults.rawValue == 0 {
        self?.load(url)
      } else {
        self?.report(.failed(.tls(host: origin.description, faults: faults.rawValue)))
      }
    }
  }

  private static let policyErrors = String(cString: g_quark_to_string(webkit.policy_error_quark()))
  private static let networkErrors = String(
    cString: g_quark_to_string(webkit.network_error_quark()))

  // MARK: Refusals

  /// Says no to whatever a page may ask for beyond being shown.
  private func connectRefusals() {
    view.connectReturningObject("create") { _ in nil }
    view.connectReturningBool("permission-request") { arguments in
      guard let request = arguments.object(0) else { return false }
      webkit.permission_request_deny(request.opaque)
      return true
    }
    view.connectReturningBool("query-permission-state") { arguments in
      guard let query = arguments.pointer(0) else { return false }
      webkit.permission_state_query_finish(OpaquePointer(query), WEBKIT_PERMISSION_STATE_DENIED)
      return true
    }
    view.connectReturningBool("authenticate") { arguments in
      guard let request = arguments.object(0) else { return false }
      // Goes on with no credentials, so that the server's own page for that case is shown.
      webkit.authentication_request_authenticate(request.opaque, nil)
      return true
    }
    view.connectReturningBool("run-file-chooser") { arguments in
      guard let request = arguments.object(0) else { return false }
      webkit.file_chooser_request_cancel(request.opaque)
      return true
    }
    view.connectReturningBool("print") { _ in true }
    view.connectReturningBool("enter-fullscreen") { _ in true }
    view.connectReturningBool("show-notification") { _ in true }
    view.connectReturningBool("context-menu") { arguments in
      guard let menu = arguments.object(0) else { return true }
      return WebViewSetup.keepEditing(in: menu) == 0
    }
    session.connect("download-started") { [weak self] arguments in
      guard let download = arguments.object(0) else { return }
      webkit.download_cancel(download.opaque)
      self?.report(.denied(tr("Downloads are not allowed")))
    }
  }
}
