import AuthCore
import CGtk
import Gtk

/// The window of one sign-in: where the page comes from, the page, and what went wrong.
@MainActor
final class SignInWindow {
  /// How long a page may take to begin to appear.
  private static let patience = Duration.seconds(30)
  private static let zoomStep = 1.2
  private static let zoomRange = 0.5...3.0

  private let request: WebAuthenticationRequest
  private let start: Origin
  private let privateCA: PrivateCA?
  private let window: Object
  private let securityRow: SecurityRow
  private let progressBar: Object
  private let stack: Object
  private let statusPage: Object
  private let reloadButton: Object
  private let toastOverlay: Object

  private var page: SignInPage?
  private var origin: Origin
  private var problem: SignInProblem?
  private var hasCrashed = false
  private var watchdog: Task<Void, any Error>?
  private var continuation: CheckedContinuation<Result<String, AuthenticationError>, Never>?

  /// Makes the window; it is not shown yet.
  init(
    request: WebAuthenticationRequest, start: Origin, privateCA: PrivateCA?, parent: Object?
  ) throws(GLibError) {
    self.request = request
    self.start = start
    self.privateCA = privateCA
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
    let result = await withCheckedContinuation { continuation in
      self.continuation = continuation
      let page = SignInPage(request, privateCA: privateCA) {
        [weak self] in self?.handle($0)
      }
      self.page = page
      gtk_stack_add_named(stack.opaque, page.view.widget, "page")
      gtk_window_present(window.ptr())
      restart()
    }
    watchdog?.cancel()
    page?.terminate()
    gtk_window_destroy(window.ptr())
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
    case .denied(let text): adw_toast_overlay_add_toast(toastOverlay.opaque, adw_toast_new(text))
    }
  }

  /// Begins at the first page, with the cookies there are.
  private func restart() {
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
    if case .slow = problem { problem = nil }
    guard problem == nil, let origin else { return }
    watchdog?.cancel()
    self.origin = origin
    securityRow.showPage(of: origin, isSecure: isSecure, start: start)
    gtk_stack_set_visible_child_name(stack.opaque, "page")
    if let view = page?.view.widget { gtk_widget_grab_focus(view) }
  }

  private func show(_ problem: SignInProblem) {
    self.problem = problem
    watchdog?.cancel()
    if case .slow = problem {} else { page?.stop() }
    switch problem {
    case .slow: break
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
