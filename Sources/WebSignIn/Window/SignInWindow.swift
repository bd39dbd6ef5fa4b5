import Gio
import AuthCore
import Gtk
import Localization
import Sentences

/// The sign-in window: the page, its origin, and errors.
@MainActor
final class SignInWindow {
  private static let zoomStep = 1.2
  private static let zoomRange = 0.5...3.0
  /// The sites that a notice has been about, in any sign-in of this process.
  private static var knownSites: Set<Origin> = []

  let request: WebAuthenticationRequest
  private let authority: PrivateCA?
  private let otherWays: OtherWays
  private let cookieDirectory: String?
  private let remark: String?
  private let copySecret: EmbeddedWebSession.CopySecret
  let window: Window
  let securityRow: SecurityRow
  let progressBar: ProgressBar
  let stack: Stack
  private let loadingSpinner: Widget
  private let remarkLabel: Label
  private let bars: PageBars
  private let statusPage: StatusPage
  private let reloadButton: Button
  private let toastOverlay: ToastOverlay

  private(set) var page: SignInPage?
  private(set) var focus: PageFocus?
  var trail: SiteTrail
  var problem: SignInProblem?
  var hasCrashed = false
  private var isIntroduced = false
  var watchdog: Task<Void, any Error>?
  var scriptWatchdog: Task<Void, any Error>?
  private var toast: Toast?
  private var pasteDialog: PasteDialog?
  private var lastLink: ContinuousClock.Instant?
  private var continuation: CheckedContinuation<Result<String, AuthenticationError>, Never>?

  private lazy var back = Action("back") { [weak self] in self?.goBack() }

  /// Makes the window; it is not shown yet.
  init(
    request: WebAuthenticationRequest, start: Origin, authority: PrivateCA?, otherWays: OtherWays,
    cookieDirectory: String?, remark: String?, isSignOut: Bool,
    copySecret: @escaping EmbeddedWebSession.CopySecret, parent: Window?
  ) {
    self.request = request
    self.remark = remark
    self.copySecret = copySecret
    self.authority = authority
    self.otherWays = otherWays
    self.cookieDirectory = cookieDirectory
    let builder = Builder(interface: "sign-in-window")
    window = builder.object("window")
    if isSignOut {
      window.title = tr("Sign Out")
      let noticeButton: Button = builder.object("notice_cancel_button")
      noticeButton.setLabel(mnemonic: tr("_Cancel"))
    }
    securityRow = SecurityRow(builder)
    progressBar = builder.object("progress_bar")
    stack = builder.object("stack")
    loadingSpinner = builder.object("loading_spinner")
    bars = PageBars(builder, hasBrowser: otherWays.useBrowser != nil)
    remarkLabel = builder.object("remark_label")
    remarkLabel.text = remark ?? ""
    statusPage = builder.object("status_page")
    reloadButton = builder.object("reload_button")
    toastOverlay = builder.object("toast_overlay")
    trail = SiteTrail(start: start)
    for id in ["problem_browser_button", "site_browser_box"] {
      let widget: Widget = builder.object(id)
      widget.isVisible = otherWays.useBrowser != nil
    }
    if let parent { window.setTransient(for: parent) }
    window.onCloseRequest { [weak self] in
      self?.cancel()
      return true
    }
    addActions()
  }

  /// Shows the window until the sign-in ends.
  func run() async -> Result<String, AuthenticationError> {
    defer { window.destroy() }
    let page: SignInPage
    do throws(GLibError) {
      page = try SignInPage(request, authority: authority, kept: keptSession()) { [weak self] in
        self?.handle($1, of: $0)
      }
    } catch {
      return .failure(
        AuthenticationError(.webAuthenticationFailed, error.message, step: .authorization))
    }
    self.page = page
    stack.add(page.view, name: "page", title: tr("Web page"))
    let result = await withCheckedContinuation { continuation in
      self.continuation = continuation
      window.present()
      focus = PageFocus(window: window, view: page.view)
      restart()
    }
    watchdog?.cancel()
    scriptWatchdog?.cancel()
    page.terminate()
    return result
  }

  /// Cancels the sign-in.
  func cancel() {
    finish(.failure(problem?.error ?? page?.shownError ?? .signInCanceled))
  }

  /// Whether the sign-in has ended, or not begun.
  var isOver: Bool { continuation == nil }

  /// Ends the sign-in; only the first call counts.
  func finish(_ result: Result<String, AuthenticationError>) {
    continuation?.resume(returning: result)
    continuation = nil
  }

  /// Where cookies are kept; nil when none are.
  private func keptSession() -> KeptSession? {
    guard let cookieDirectory else { return nil }
    do throws(AuthenticationError) {
      return try KeptSession(cookieDirectory)
    } catch {
      // Without them, the pages only ask more.
      say(tr(error.sentence))
      return nil
    }
  }

  // MARK: Actions

  private func addActions() {
    let actions = ActionGroup([
      Action("cancel") { [weak self] in self?.cancel() },
      Action("dismiss") { [weak self] in self?.dismiss() },
      back,
      Action("close-pop-up") { [weak self] in self?.closePopUp() },
      Action("close-notice") { [weak self] in self?.closeNotice() },
      Action("reload") { [weak self] in self?.reload() },
      Action("zoom", parameter: String.self) { [weak self] in self?.zoom($0) },
      Action("copy-link") { [weak self] in self?.copyLink() },
      Action("paste-address") { [weak self] in self?.pasteAddress() },
    ])
    // The menu hides items without an action.
    if let useBrowser = otherWays.useBrowser {
      actions.add([Action("use-browser") { [weak self] in self?.leave(for: useBrowser) }])
    }
    if let useCode = otherWays.useCode {
      actions.add([Action("use-code") { [weak self] in self?.leave(for: useCode) }])
    }
    window.insert(actions, as: "sign-in")
  }

  /// Continues in another way.
  private func leave(for way: @MainActor () -> Void) {
    guard !isOver else { return }
    way()
    finish(.failure(.signInCanceled))
  }

  /// Handles Escape.
  private func dismiss() {
    if visiblePage?.isPopUp == true { closePopUp() } else { cancel() }
  }

  private func goBack() {
    guard let page = visiblePage else { return }
    if problem == nil, page.view.canGoBack {
      page.view.goBack()
    } else if page.isPopUp {
      closePopUp()
    }
  }

  private func closeNotice() {
    visiblePage?.notice = nil
    showPage()
    visiblePage?.view.grabFocus()
  }

  private func reload() {
    if problem == nil { visiblePage?.view.reload() } else { restart() }
  }

  private func zoom(_ direction: String) {
    guard let view = visiblePage?.view else { return }
    let zoom =
      switch direction {
      case "in": view.zoom * Self.zoomStep
      case "out": view.zoom / Self.zoomStep
      default: 1.0
      }
    view.zoom = min(max(zoom, Self.zoomRange.lowerBound), Self.zoomRange.upperBound)
  }

  private func copyLink() {
    let message = tr("Link copied. After signing in with it, choose “Paste Address…”")
    say(copySecret(request.startURL, window, message))
  }

  private func pasteAddress() {
    guard pasteDialog == nil else { return }
    let dialog = PasteDialog(request) { [weak self] in self?.finish(.success($0)) }
    pasteDialog = dialog
    dialog.present(over: window) { [weak self] in self?.pasteDialog = nil }
  }

  /// Opens a link that the user clicked in the user's browser.
  func open(link url: String) {
    let now = ContinuousClock.now
    // A page can claim any number of links for one click.
    if let lastLink, now - lastLink < .seconds(1) { return }
    lastLink = now
    say(tr("“{host}” opens in your browser", ["host": Origin(url)?.displayName ?? ""]))
    Task { [weak self] in
      do throws(AuthenticationError) {
        try await SystemBrowser.open(url)
      } catch {
        self?.say(tr(error.sentence))
      }
    }
  }

  // MARK: Showing

  /// The page that the user sees: the one that was opened last.
  var visiblePage: SignInPage? {
    page?.popUp.flatMap { $0.view.parent == nil ? nil : $0 } ?? page
  }

  /// The origin of the page that the user sees, or is to see.
  var origin: Origin { visiblePage?.site?.origin ?? trail.start }

  /// Shows a toast; reuses it, because a page can cause any number of them.
  func say(_ text: String) {
    if let toast {
      toast.title = text
      return
    }
    let added = Toast(text)
    added.onDismiss { [weak self] in self?.toast = nil }
    toast = added
    toastOverlay.show(added)
  }

  /// Shows the visible page with its site and its notice.
  func showPage() {
    guard let page = visiblePage else { return }
    if let site = page.site {
      securityRow.show(site, trail: trail)
    } else {
      securityRow.showConnecting(to: trail.start)
    }
    showBars(notice: page.notice)
    show(page.isPopUp ? "pop-up" : page.site == nil ? Self.loadingPage : "page")
    updateBack()
    guard page.site != nil else { return }
    focus?.grab()
    introduce()
  }

  /// Has a screen reader say once what it does not find on the pages.
  private func introduce() {
    guard !isIntroduced else { return }
    isIntroduced = true
    let isReadable = otherWays.useBrowser == nil || ScreenReader.canReadWebPages
    let texts = [remark, isReadable ? nil : Self.unreadablePage].compactMap(\.self)
    if !texts.isEmpty { window.announce(texts.joined(separator: " ")) }
  }

  /// The name of the stack's page that is shown while there is no web page.
  private static let loadingPage = "loading"

  /// Shows a page of the stack.
  private func show(_ name: String) {
    // A spinner turns even on a page that is not shown.
    loadingSpinner.isVisible = name == Self.loadingPage
    // It is about what a page offers.
    remarkLabel.isVisible = remark != nil && (name == "page" || name == "pop-up")
    stack.show(name: name)
  }

  /// What a screen reader says when it cannot read the page.
  private static var unreadablePage: String {
    tr(
      "Screen readers cannot read this page. To sign in with your browser, choose “Use a Browser”"
        + " in the menu (F10).")
  }

  private func showBars(notice: PageNotice?) {
    bars.show(notice, opener: visiblePage?.isPopUp == true ? page?.site?.origin : nil)
  }

  /// Shows why there is no page.
  func show(_ problem: SignInProblem) {
    self.problem = problem
    watchdog?.cancel()
    if !problem.mayPass {
      visiblePage?.view.stop()
      scriptWatchdog?.cancel()
    }
    switch problem {
    case .slow, .unresponsive: break
    case .tls, .forbidden("http"): securityRow.showInsecure(origin)
    default: securityRow.showNotConnected(origin)
    }
    showBars(notice: nil)
    statusPage.show(icon: problem.iconName, title: problem.title, description: problem.message)
    show("problem")
    updateBack()
    reloadButton.grabFocus()
    window.announce("\(problem.title)\n\(problem.message)")
  }

  /// Loads the first page, with the cookies.
  func restart() {
    if case .unresponsive = problem { page?.view.terminateProcess() }
    closePopUp()
    problem = nil
    page?.site = nil
    page?.notice = nil
    showPage()
    watch()
    page?.load(request.startURL)
  }

  /// A page can go back unless there is a problem; a page that another one opened can be closed.
  func updateBack() {
    guard let page = visiblePage else { return }
    back.isEnabled = page.isPopUp || problem == nil && page.view.canGoBack
  }

  /// The notice about `site`, which `page` shows now.
  func notice(about site: PageSite, on page: SignInPage) -> PageNotice? {
    let kind = trail.site(site.origin)
    if let obstacle = PageObstacle(url: page.view.url ?? "", site: kind) {
      return .obstacle(obstacle)
    }
    let previous = page.site?.origin
    let notice = trail.notice(at: site.origin, from: previous)
    // The notice stays while the site does, until the user closes it.
    if previous == site.origin { return page.notice }
    guard let notice, !notice.isWarning else { return notice }
    return Self.knownSites.insert(site.origin).inserted ? notice : nil
  }
}
