import AuthCore
import Gtk
import Localization
import Sentences

// Handles the events of the pages.
extension SignInWindow {
  /// The time limit for a page to start to appear.
  private static let timeout = Duration.seconds(30)
  /// The interval for checking whether a page responds.
  private static let pulse = Duration.seconds(5)
  /// How long a page's scripts may block it.
  private static let scriptTimeout = Duration.seconds(15)

  func handle(_ event: SignInPage.Event, of page: SignInPage) {
    // Events after the end are ignored.
    guard !isOver else { return }
    let isVisible = page === visiblePage
    switch event {
    case .started: if isVisible { watch() }
    // Also a load without a page, such as a file that is not downloaded: the page before remains.
    case .finished: if isVisible, page.site != nil { watchdog?.cancel() }
    case .committed(let site): arrive(at: site, on: page)
    case .progress(let fraction):
      guard isVisible else { return }
      progressBar.isVisible = fraction != nil
      progressBar.fraction = fraction ?? 0
    case .historyChanged: if isVisible { updateBack() }
    case .opened(let popUp):
      stack.add(popUp.view, name: "pop-up", title: tr("Sign-in pop-up"))
      focus?.follow(popUp.view)
      showPage()
      popUp.view.grabFocus()
    case .link(let url): open(link: url)
    case .completed(let url): finish(.success(url))
    case .refused:
      finish(
        .failure(
          AuthenticationError(
            .webAuthenticationFailed,
            Sentence(
              "The sign-in page was stopped because it redirected to an address that is not"
                + " registered."),
            step: .authorization)))
    case .failed(let problem): show(problem)
    case .terminated(let problem): end(with: problem, of: page)
    case .closed where page.isPopUp: closePopUp()
    case .closed:
      finish(
        .failure(
          AuthenticationError(
            .userCanceled, Sentence("The sign-in page was closed by the site."),
            step: .authorization)))
    case .denied(let text): say(text)
    }
  }

  /// A page appears.
  private func arrive(at site: PageSite?, on page: SignInPage) {
    guard let site else { return }
    let isVisible = page === visiblePage
    // While a problem is shown, only the user can continue. But a page that was only slow has
    // arrived.
    if isVisible, let problem, problem.mayPass { self.problem = nil }
    guard problem == nil else { return }
    page.notice = notice(about: site, on: page)
    page.site = site
    guard isVisible else { return }
    watchdog?.cancel()
    securityRow.close()
    showPage()
    watchScripts()
  }

  /// Both pages are in the same process, so each reports its end.
  private func end(with problem: SignInProblem, of page: SignInPage) {
    guard !page.isPopUp else { return }
    if hasCrashed { return show(problem) }
    hasCrashed = true
    restart()
  }

  /// Returns from a page to the one that opened it.
  func closePopUp() {
    guard let page, let popUp = page.popUp else { return }
    if popUp.view.parent != nil { stack.remove(popUp.view) }
    page.closePopUp()
    guard !isOver else { return }
    problem = nil
    progressBar.isVisible = false
    watchdog?.cancel()
    focus?.follow(page.view)
    showPage()
    watchScripts()
    page.view.grabFocus()
  }

  /// Shows a problem when the page's scripts do not end; WebKit does not report that.
  private func watchScripts() {
    scriptWatchdog?.cancel()
    scriptWatchdog = Task { [weak self] in
      while true {
        try await Task.sleep(for: Self.pulse)
        let limit = Task { [weak self] in
          try await Task.sleep(for: Self.scriptTimeout)
          guard let self, problem == nil, !isOver else { return }
          show(.unresponsive(host: origin.description))
        }
        await self?.visiblePage?.answer()
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
  func watch() {
    watchdog?.cancel()
    guard problem == nil else { return }
    watchdog = Task { [weak self] in
      try await Task.sleep(for: Self.timeout)
      guard let self, !isOver else { return }
      show(.slow(host: origin.description))
    }
  }
}
