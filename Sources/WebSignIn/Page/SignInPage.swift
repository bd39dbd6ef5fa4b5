import Gio
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
    /// A load ended, with a page or without one.
    case finished
    /// A page starts to appear, so this is now the site that the user interacts with; nil for an
    /// empty page.
    case committed(PageSite?)
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
    /// Whether there is a page to go back to may have changed.
    case historyChanged
    /// The page opened another page, which is ready to be shown.
    case opened(SignInPage)
    /// The user clicked a link that wants a new window.
    case link(String)
    /// The page closed its window.
    case closed
    /// The page requested something that is not allowed here, and was refused.
    case denied(String)
  }

  /// The widget.
  let view: WebView

  let session: Object
  let policy: NavigationPolicy
  /// The gate of a connection with its own authorities.
  private(set) var gate: ConnectionGate?
  /// Its site; nil before the first page.
  var site: PageSite?
  /// The error that it shows, if the connection or the app registration is the cause.
  private(set) var shownError: AuthenticationError?
  /// What the user should know about it.
  var notice: PageNotice?
  /// The page that this page has opened.
  private(set) var popUp: SignInPage?
  /// Whether another page has opened it.
  let isPopUp: Bool

  /// The origin of the first page, which is the sign-in service's.
  private let startOrigin: Origin?
  private let handler: @MainActor (SignInPage, Event) -> Void
  private let context: Object
  /// The cookies to set before the first page loads.
  private var cookies: [WebCookie]
  private var hasEnded = false
  /// The HTTP status of the page that loads or has loaded; 0 when there is none.
  var status = 0

  /// Creates the view; WebKit starts its processes.
  ///
  /// - Parameters:
  ///   - authority: the certificate authorities that replace the system's.
  ///   - kept: where cookies are kept; nil for an ephemeral session.
  ///   - handler: handles the events of this page and of the page that it opens.
  init(
    _ request: WebAuthenticationRequest, authority: PrivateCA?, kept: KeptSession?,
    handler: @escaping @MainActor (SignInPage, Event) -> Void
  ) throws(GLibError) {
    policy = NavigationPolicy(redirectURI: request.redirectURI)
    startOrigin = Origin(request.startURL)
    cookies = request.cookies
    isPopUp = false
    self.handler = handler
    context = WebViewSetup.makeContext(answeringNothingTo: request.redirectURI.schemeName)
    session = WebViewSetup.makeSession(kept)
    view = WebViewSetup.makeView(context: context, session: session)
    if let authority {
      gate = try ConnectionGate(authority: authority, session: session) { [weak self] in
        self?.refused($0)
      }
    }
    connectLoading()
    connectFailures()
    connectRefusals()
    connectDownloads()
  }

  /// Creates the view for a page that `opener` opens.
  private init(openedBy opener: SignInPage) {
    (policy, session, context) = (opener.policy, opener.session, opener.context)
    (gate, handler, site) = (opener.gate, opener.handler, opener.site)
    startOrigin = nil
    cookies = []
    isPopUp = true
    view = WebViewSetup.makeView(openedBy: opener.view)
    connectLoading()
    connectFailures()
    connectRefusals()
    view.connect("ready-to-show") { [weak self, weak opener] in
      guard let self else { return }
      opener?.report(.opened(self))
    }
  }

  /// Opens a page for WebKit, which loads it.
  ///
  /// - Returns: nil when this page may not open another one.
  func openPopUp() -> WebView? {
    guard popUp == nil, !isPopUp else { return nil }
    let page = SignInPage(openedBy: self)
    popUp = page
    return page.view
  }

  /// Forgets the page that this page has opened.
  func closePopUp() {
    popUp?.hasEnded = true
    popUp?.view.stop()
    popUp = nil
  }

  /// Reports an event, until the page ends.
  func report(_ event: Event) {
    if !hasEnded { handler(self, event) }
  }

  /// Loads `url`.
  func load(_ url: String) {
    guard !cookies.isEmpty else { return view.load(url) }
    let unset = cookies
    cookies = []
    Task {
      await SignInCookies.add(unset, to: session)
      if !hasEnded { view.load(url) }
    }
  }

  /// Ends the web process, and with it everything that the page does.
  func terminate() {
    closePopUp()
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
      started: { [weak self] in
        self?.status = 0
        self?.report(.started)
      },
      committed: { [weak self] in
        self?.shownError = nil
        self?.reportSite()
      },
      finished: { [weak self] in
        self?.report(.finished)
        self?.readError()
        self?.reportEmptyPage()
      })
    view.onProgress { [weak self] in self?.report(.progress($0)) }
    view.onHistoryChange { [weak self] in self?.report(.historyChanged) }
  }

  /// Reads the number of an error that the page of the sign-in service shows instead of sending it,
  /// such as that of an unknown app: there is no redirect that the user could be sent to.
  private func readError() {
    guard let url = view.url, Origin(url) == startOrigin else { return }
    Task { [weak self] in
      let text = "document.title + document.body.innerText"
      let number = await self?.view.evaluate(
        "((\(text)).match(/AADSTS(\\d{4,9})/) || [0, 0])[1] | 0")
      guard let self, let number, number > 0, view.url == url else { return }
      shownError = AuthenticationError(shownCode: number)
    }
  }

  /// Reports an error of the server that came without a page: the view is blank.
  private func reportEmptyPage() {
    guard status >= 400, let url = view.url, let host = Origin(url)?.description else { return }
    let status = status
    Task { [weak self] in
      // An empty text is an empty `<pre>`.
      let content = await self?.view.evaluate(
        "document.body.innerText.trim().length + document.body.querySelectorAll(':not(pre)').length"
      )
      guard let self, content == 0, view.url == url else { return }
      report(.failed(.noPage(host: host, status: status)))
    }
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
    case .response(let source, let status, let isMainFrame, let canBeShown):
      url = source
      if isMainFrame { self.status = status }
      verdict = policy.response(from: url, isMainFrame: isMainFrame)
      // A response of the gate itself is no download: the load fails, with the gate's reason.
      if isMainFrame, verdict == .load, refusal(of: url) == nil, !canBeShown {
        if site == nil, let host = Origin(url)?.description {
          report(.failed(.noPage(host: host, status: status)))
        } else {
          report(.denied(tr("Downloads are not allowed")))
        }
      }
    case .newWindow(let url, let isLink, let isUserGesture):
      decision.refuse()
      let isLink = policy.opensInBrowser(url, isLink: isLink, isUserGesture: isUserGesture)
      report(isLink ? .link(url) : .denied(tr("New windows are not allowed")))
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
    case .stop: report(.failed(.forbidden(url: url)))
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

  private func reportSite() {
    guard let origin = view.url.flatMap({ Origin($0) }) else { return report(.committed(nil)) }
    let certificate = view.certificate
    var isSecure = certificate?.isFaultless ?? false
    if let gate, let shown = certificate?.object {
      isSecure = gate.hasAccepted(shown, of: origin)
      // The certificate differs from the one that the host sent before, and is signed by a system
      // authority.
      if !isSecure {
        let refused = ConnectionGate.Refused(origin: origin, refusal: .unknownIssuer)
        return report(.failed(refused.problem))
      }
    }
    report(
      .committed(
        PageSite(
          origin: origin, isSecure: isSecure,
          certificate: certificate?.object.map { CertificateDetails($0) })))
  }
}
