import AuthCore
import CGtk
import Gtk

/// The window of one sign-in: where the page comes from, the page, and what went wrong.
@MainActor
final class SignInWindow {
  /// How long a page may take to begin to appear.
  private static let patience = Duration.seconds(30)
  /// How often a page is asked whether it answers.
  private static let pulse = Duration.seconds(5)
  /// How long a page's scripts may keep it from answering.
  private static let scriptPatience = Duration.seconds(15)
  private static let zoomStep = 1.2
  private static let zoomRange = 0.5...3.0

  private let request: WebAuthenticationRequest
  private let start: Origin
  private let authority: PrivateCA?
  private let window: Object
  private let securityRow: SecurityRow
  private let progressBar: Object
  private let stack: Object
  private let statusPage: Object
  private let reloadButton: Object
  private let toastOverlay: Object

  private var page: SignInPage?
  private var focus: PageFocus?
  private var origin: Origin
  private var problem: SignInProblem?
  private var hasCrashed = false
  private var watchdog: Task<Void, any Error>?
  private var scriptWatchdog: Task<Void, any Error>?
  private var toast: Object?
  private var continuation: CheckedContinuation<Result<String, AuthenticationError>, Never>?

  /// Makes the window; it is not shown yet.
  init(
    request: WebAuthenticationRequest, start: Origin, authority: PrivateCA?, parent: Object?
  ) throws(GLibError) {
    self.request = request
    self.start = start
    self.authority = authority
    let builder = try Builder(resource: "/io/github/entrance/Entrance/ui/sign-in-window.ui")
    window = builder.object("window")
    securityRow = SecurityRow(builder)
    progressBar = builder.object("progress_bar")
    stack = builder.object("stack")
    statusPage = builder.object("status_page")
    reloadButton = builder.object("reload_button")
    toastOverlay = builder.object("toast_overlay")
    origin = start
    if let parent { window.belong(to: parent) }
    window.connectReturningBool("close-request") { [weak self] _ in
      self?.cancel()
      return true
    }
    addActions()
  }

  /// Shows the window until the sign-in ends in one way or another.
  func run() async -> Result<String, AuthenticationError> {
    defer { gtk_window_destroy(window.ptr()) }
    let page: SignInPage
    do throws(GLibError) {
      page = try SignInPage(request, authority: authority) { [weak self] in self?.handle($0) }
    } catch {
      return .failure(
        AuthenticationError(.webAuthenticationFailed, error.message, step: .authorization))
    }
    self.page = page
    gtk_stack_add_named(stack.opaque, page.view.widget, "page")
    let result = await withCheckedContinuation { continuation in
      self.continuation = continuation
      gtk_window_present(window.ptr())
      focus = PageFocus(window: window, view: page.view)
      restart()
    }
    watchdog?.cancel()
    scriptWatchdog?.cancel()
    page.terminate()
    return result
  }

  /// Ends the sign-in without an answer.
  func cancel() {
    finish(.failure(problem?.error ?? .signInCanceled))
  }

  /// Ends the sign-in; only the first call counts.
  private func finish(_ result: Result<String, AuthenticationError>) {
    continuation?.resume(returning: result)
    continuation = nil
  }

  private func addActions() {
    let group = Object(owning: g_simple_action_group_new())
    group.add([
      Action("cancel") { [weak self] in self?.cancel() },
      Action("reload") { [weak self] in self?.reload() },
      Action("zoom-in") { [weak self] in self?.zoom { $0 * Self.zoomStep } },
      Action("zoom-out") { [weak self] in self?.zoom { $0 / Self.zoomStep } },
      Action("zoom-normal") { [weak self] in self?.zoom { _ in 1 } },
    ])
    gtk_widget_insert_action_group(window.widget, "sign-in", group.opaque)
  }

  // MARK: The page

  private func handle(_ event: SignInPage.Event) {
    // What a page does after the end has no meaning any more.
    guard continuation != nil else { return }
    switch event {
    case .started: watch()
    case .committed(let origin, let isSecure): showPage(of: origin, isSecure: isSecure)
    case .progress(let fraction):
      gtk_widget_set_visible(progressBar.widget, fraction == nil ? 0 : 1)
      gtk_progress_bar_set_fraction(progressBar.opaque, fraction ?? 0)
    case .completed(let url): finish(.success(url))
    case .refused:
      finish(
        .failure(
          AuthenticationError(
            .webAuthenticationFailed,
            tr("The sign-in page answered to an address that is not registered. It was stopped."),
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
            .userCanceled, tr("The sign-in page was closed by the site."), step: .authorization)))
    case .denied(let text): say(text)
    }
  }

  /// Says something in passing; in one place, because a page can give cause without end.
  private func say(_ text: String) {
    if let shown = toast {
      adw_toast_set_title(shown.opaque, text)
      return
    }
    guard let created = adw_toast_new(text) else { return }
    let added = Object(borrowing: UnsafeMutableRawPointer(created))
    added.connect("dismissed") { [weak self] in self?.toast = nil }
    toast = added
    adw_toast_overlay_add_toast(toastOverlay.opaque, created)
  }

  /// Begins at the first page, with the cookies there are.
  private func restart() {
    if case .unresponsive = problem { page?.abandon() }
    problem = nil
    origin = start
    securityRow.showConnecting(to: start)
    gtk_stack_set_visible_child_name(stack.opaque, "loading")
    watch()
    page?.load(request.startURL)
  }

  private func reload() {
    if problem == nil { page?.reload() } else { restart() }
  }

  private func zoom(_ change: (Double) -> Double) {
    guard let page else { return }
    let range = Self.zoomRange
    page.zoom = min(max(change(page.zoom), range.lowerBound), range.upperBound)
  }

  private func showPage(of origin: Origin?, isSecure: Bool) {
    // Where a problem is shown, only the person leads on. But what was merely slow has come.
    if let problem, problem.mayPass { self.problem = nil }
    guard problem == nil, let origin else { return }
    watchdog?.cancel()
    self.origin = origin
    securityRow.showPage(of: origin, isSecure: isSecure, start: start)
    showPage()
    watchScripts()
  }

  private func showPage() {
    gtk_stack_set_visible_child_name(stack.opaque, "page")
    focus?.grab()
  }

  private func show(_ problem: SignInProblem) {
    self.problem = problem
    watchdog?.cancel()
    if !problem.mayPass {
      page?.stop()
      scriptWatchdog?.cancel()
    }
    switch problem {
    case .slow, .unresponsive: break
    case .tls, .forbidden("http"): securityRow.showInsecure(origin)
    default: securityRow.showNotConnected(origin)
    }
    adw_status_page_set_icon_name(statusPage.opaque, problem.iconName)
    adw_status_page_set_title(statusPage.opaque, problem.title)
    // The description is markup, and host names and reasons come from elsewhere.
    let message = g_markup_escape_text(problem.message, -1)
    adw_status_page_set_description(statusPage.opaque, message)
    g_free(message)
    gtk_stack_set_visible_child_name(stack.opaque, "problem")
    gtk_widget_grab_focus(reloadButton.widget)
  }

  /// Says so when the page's scripts do not come to an end; WebKit does not tell.
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

  /// Says so when nothing comes for too long; WebKit would wait for ever.
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
