import AuthCore
import Gtk
import Localization
import Sentences

/// The sign-in window: the page, its origin, and errors.
@MainActor
final class SignInWindow {
  /// The time limit for a page to start to appear.
  private static let patience = Duration.seconds(30)
  /// The interval for checking whether a page responds.
  private static let pulse = Duration.seconds(5)
  /// How long a page's scripts may block it.
  private static let scriptPatience = Duration.seconds(15)
  private static let zoomStep = 1.2
  private static let zoomRange = 0.5...3.0

  private let request: WebAuthenticationRequest
  private let start: Origin
  private let authority: PrivateCA?
  private let window: Window
  private let securityRow: SecurityRow
  private let progressBar: ProgressBar
  private let stack: Stack
  private let statusPage: StatusPage
  private let reloadButton: Button
  private let toastOverlay: ToastOverlay

  private var page: SignInPage?
  private var focus: PageFocus?
  private var origin: Origin
  private var problem: SignInProblem?
  private var hasCrashed = false
  private var hasToldOfOtherWays = false
  private var watchdog: Task<Void, any Error>?
  private var scriptWatchdog: Task<Void, any Error>?
  private var toast: Toast?
  private var continuation: CheckedContinuation<Result<String, AuthenticationError>, Never>?

  /// Makes the window; it is not shown yet.
  init(
    request: WebAuthenticationRequest, start: Origin, authority: PrivateCA?, parent: Window?
  ) throws(GLibError) {
    self.request = request
    self.start = start
    self.authority = authority
    let builder = try Builder(interface: "sign-in-window")
    window = builder.object("window")
    securityRow = SecurityRow(builder)
    progressBar = builder.object("progress_bar")
    stack = builder.object("stack")
    statusPage = builder.object("status_page")
    reloadButton = builder.object("reload_button")
    toastOverlay = builder.object("toast_overlay")
    origin = start
    if let parent { window.belong(to: parent) }
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
      page = try SignInPage(request, authority: authority) { [weak self] in self?.handle($0) }
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
    finish(.failure(problem?.error ?? .signInCanceled))
  }

  /// Ends the sign-in; only the first call counts.
  private func finish(_ result: Result<String, AuthenticationError>) {
    continuation?.resume(returning: result)
    continuation = nil
  }

  private func addActions() {
    let actions = ActionGroup([
      Action("cancel") { [weak self] in self?.cancel() },
      Action("reload") { [weak self] in self?.reload() },
      Action("zoom", parameter: String.self) { [weak self] in self?.zoom($0) },
    ])
    window.insert(actions, as: "sign-in")
  }

  // MARK: The page

  private func handle(_ event: SignInPage.Event) {
    // Events after the end are ignored.
    guard continuation != nil else { return }
    switch event {
    case .started: watch()
    case .committed(let origin, let isSecure): showPage(of: origin, isSecure: isSecure)
    case .progress(let fraction):
      progressBar.isVisible = fraction != nil
      progressBar.fraction = fraction ?? 0
    case .completed(let url): finish(.success(url))
    case .refused:
      finish(
        .failure(
          AuthenticationError(
            .webAuthenticationFailed,
            Sentence(
              "The sign-in page redirected to an address that is not registered. It was stopped."),
            step: .authorization)))
    case .failed(let problem): show(problem)
    case .terminated(let problem):
      if hasCrashed {
        show(problem)
      } else {
        hasCrashed = true
        restart()
      }
    case .closed:
      finish(
        .failure(
          AuthenticationError(
            .userCanceled, Sentence("The sign-in page was closed by the site."),
            step: .authorization)))
    case .denied(let text): say(text)
    }
  }

  /// Shows a toast; reuses it, because a page can cause any number of them.
  private func say(_ text: String) {
    if let toast { return toast.setTitle(text) }
    let added = Toast(text)
    added.onDismiss { [weak self] in self?.toast = nil }
    toast = added
    toastOverlay.show(added)
  }

  /// Loads the first page, with the cookies.
  private func restart() {
    if case .unresponsive = problem { page?.view.terminateProcess() }
    problem = nil
    origin = start
    securityRow.showConnecting(to: start)
    stack.show(name: "loading")
    watch()
    page?.load(request.startURL)
  }

  private func reload() {
    if problem == nil { page?.view.reload() } else { restart() }
  }

  private func zoom(_ direction: String) {
    guard let view = page?.view else { return }
    let zoom =
      switch direction {
      case "in": view.zoom * Self.zoomStep
      case "out": view.zoom / Self.zoomStep
      default: 1.0
      }
    view.zoom = min(max(zoom, Self.zoomRange.lowerBound), Self.zoomRange.upperBound)
  }

  private func showPage(of origin: Origin?, isSecure: Bool) {
    // While a problem is shown, only the user can continue. But a page that was only slow has
    // arrived.
    if let problem, problem.mayPass { self.problem = nil }
    guard problem == nil, let origin else { return }
    watchdog?.cancel()
    self.origin = origin
    securityRow.showPage(of: origin, isSecure: isSecure, start: start)
    showPage()
    watchScripts()
  }

  private func showPage() {
    stack.show(name: "page")
    focus?.grab()
    if !hasToldOfOtherWays, !ScreenReader.canReadWebPages {
      hasToldOfOtherWays = true
      window.announce(Self.otherWays)
    }
  }

  /// What a screen reader says when it cannot read the page.
  private static var otherWays: String {
    tr("Screen readers can't read this page. Choose “Use Browser” to sign in with your browser.")
  }

  private func show(_ problem: SignInProblem) {
    self.problem = problem
    watchdog?.cancel()
    if !problem.mayPass {
      page?.view.stop()
      scriptWatchdog?.cancel()
    }
    switch problem {
    case .slow, .unresponsive: break
    case .tls, .forbidden("http"): securityRow.showInsecure(origin)
    default: securityRow.showNotConnected(origin)
    }
    statusPage.show(icon: problem.iconName, title: problem.title, description: problem.message)
    stack.show(name: "problem")
    reloadButton.grabFocus()
    window.announce("\(problem.title)\n\(problem.message)")
  }

  /// Shows a problem when the page's scripts do not end; WebKit does not report that.
  private func watchScripts() {
    scriptWatchdog?.cancel()
    scriptWatchdog = Task { [weak self] in
      while true {
        try await Task.sleep(for: Self.pulse)
        let limit = Task { [weak self] in
          try await Task.sleep(for: Self.scriptPatience)
          guard let self, problem == nil, continuation != nil else { return }
          show(.unresponsive(host: origin.description))
        }
        await self?.page?.answer()
        limit.cancel()
        guard let self, !Task.isCancelled else { return }
        if case .unresponsive = problem {
          problem = nil
          showPage()
        }
      }
    }
  }

  /// Shows a problem when nothing arrives for too long; WebKit would wait forever.
  private func watch() {
    watchdog?.cancel()
    guard problem == nil else { return }
    watchdog = Task { [weak self] in
      try await Task.sleep(for: Self.patience)
      guard let self, continuation != nil else { return }
      show(.slow(host: origin.description))
    }
  }
}
