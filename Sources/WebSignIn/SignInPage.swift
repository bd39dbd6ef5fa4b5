import AuthCore
import Gtk
import Localization

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
  let view: WebView

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
    guard !cookies.isEmpty else { return view.load(url) }
    let unset = cookies
    cookies = []
    Task {
      await CookieJar.add(unset, to: session)
      if !hasEnded { view.load(url) }
    }
  }

  /// Ends the process with the page, and with it all that the page may still be doing.
  func terminate() {
    hasEnded = true
    view.stop()
    view.terminateProcess()
    gate?.close()
  }

  /// Returns when the page has time for it: at once, unless its scripts never end.
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

  /// Carries out what the policy says.
  ///
  /// - Returns: whether there is nothing more to decide.
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
      // What the gate answers in a host's place is no download: the load fails, and says why.
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
      // Not the certificate that the host showed before, but one that the system's authorities know.
      if !isSecure {
        let refused = ConnectionGate.Refused(origin: origin, refusal: .unknownIssuer)
        return report(.failed(refused.problem))
      }
    }
    report(.committed(origin, isSecure: isSecure))
  }
}
