import AuthCore
import Gtk
import Localization

/// The web view of a sign-in: shows the pages, and reports events to the window.
@MainActor
final class SignInPage {
  /// An event.
  enum Event {
    /// A load began; nothing of it has arrived yet.
    case started
    /// A page starts to appear, so this is now the site that the user interacts with.
    case committed(Origin?, isSecure: Bool)
    /// The loading progress; nil when the page is complete.
    case progress(Double?)
    /// The sign-in ended with this redirect.
    case completed(String)
    /// A page navigated to a URL that looks like the redirect, but is not.
    case refused
    /// There is no page to show, for this reason.
    case failed(SignInProblem)
    /// The web process ended.
    case terminated(SignInProblem)
    /// The page closed its window.
    case closed
    /// The page requested something that is not allowed here, and was refused.
    case denied(String)
  }

  /// The widget.
  let view: WebView

  let session: Object
  let policy: NavigationPolicy
  let report: @MainActor (Event) -> Void
  /// The gate of a connection with its own authorities.
  private(set) var gate: ConnectionGate?

  private let context: Object
  /// The cookies to set before the first page loads.
  private var cookies: [WebCookie]
  private var hasEnded = false

  /// Creates the view; WebKit starts its processes.
  ///
  /// - Parameter authority: the certificate authorities that replace the system's.
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
    guard !cookies.isEmpty else { return view.load(url) }
    let unset = cookies
    cookies = []
    Task {
      await CookieJar.add(unset, to: session)
      if !hasEnded { view.load(url) }
    }
  }

  /// Ends the web process, and with it everything that the page does.
  func terminate() {
    hasEnded = true
    view.stop()
    view.terminateProcess()
    gate?.close()
  }

  /// Returns when the page responds: immediately, unless its scripts never end.
  func answer() async {
    _ = await view.evaluate("0")
  }

  // MARK: Loading

  private func connectLoading() {
    view.connectReturningBool("decide-policy") { [weak self] arguments in
      guard let self, let decision = PolicyDecision(arguments) else { return false }
      return decide(decision)
    }
    view.onLoad(
      started: { [weak self] in self?.report(.started) },
      committed: { [weak self] in self?.reportOrigin() })
    view.onProgress { [weak self] in self?.report(.progress($0)) }
  }

  /// Carries out the policy's decision.
  ///
  /// - Returns: whether the decision is final.
  private func decide(_ decision: PolicyDecision) -> Bool {
    let verdict: NavigationPolicy.Decision
    let url: String
    var isUserGesture = false
    switch decision.subject {
    case .navigation(let destination, let isServerRedirect, let isByPerson):
      (url, isUserGesture) = (destination, isByPerson)
      verdict = policy.navigation(
        to: url, isServerRedirect: isServerRedirect, viewURL: view.url)
    case .response(let source, let isMainFrame, let canBeShown):
      url = source
      verdict = policy.response(from: url, isMainFrame: isMainFrame)
      // A response of the gate itself is no download: the load fails, with the gate's reason.
      if isMainFrame, verdict == .load, refusal(of: url) == nil, !canBeShown {
        report(.denied(tr("Downloads are not allowed")))
      }
    case .newWindow:
      decision.refuse()
      report(.denied(tr("New windows are not allowed")))
      return true
    }
    if verdict == .load { return false }
    decision.refuse()
    // Ignore attempts without a user gesture, or in a subframe.
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
      // WebKit does not say which frame it is for. But a page without subframes has only one.
      Task { [weak self] in
        guard await self?.view.evaluate("window.length") == 0 else { return }
        self?.carryOut(.stop, url: url)
      }
    case .complete: report(.completed(url))
    case .refuse: report(.refused)
    }
  }

  private func reportOrigin() {
    let origin = view.url.flatMap { Origin($0) }
    let certificate = view.certificate
    var isSecure = certificate?.isFaultless ?? false
    if let gate, let shown = certificate?.object, let origin {
      isSecure = gate.hasAccepted(shown, of: origin)
      // The certificate differs from the one that the host sent before, and is signed by a system
      // authority.
      if !isSecure {
        let refused = ConnectionGate.Refused(origin: origin, refusal: .unknownIssuer)
        return report(.failed(refused.problem))
      }
    }
    report(.committed(origin, isSecure: isSecure))
  }
}
