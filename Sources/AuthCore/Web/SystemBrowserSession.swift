import CurlHTTP
import Sentences

/// Shows sign-in pages in the user's browser (RFC 8252).
///
/// The redirect URI determines how the response arrives:
///
/// - `http://localhost` or `http://127.0.0.1`: at a listener on this computer that is open for
///   this sign-in only. If the URI is registered without a port, the listener uses a free one.
/// - a custom scheme: the desktop starts the app with the URL, and the app calls
///   ``resume(with:)``.
///
/// The browser is started with a URL on this computer that redirects to the first page once, so
/// that the process list, which all users can read, reveals nothing of the request.
///
/// The browser decides whether it keeps the session, regardless of
/// ``WebAuthenticationRequest/prefersEphemeralSession``.
public actor SystemBrowserSession: WebAuthenticationSession {
  /// Opens a URL in a browser; may return before the browser closes.
  public typealias Open = @Sendable (_ url: String) async throws(AuthenticationError) -> Void

  let limit: Duration
  private let language: PageLanguage
  private let onOtherResponse: @Sendable () -> Void
  private let open: Open
  /// The listener for the next request.
  private var listener: LoopbackListener?
  /// The request in progress.
  private var pending:
    (request: WebAuthenticationRequest, outcome: Promise<Outcome>, site: LoopbackSite)?
  /// What opens the pages of the request, until that ends.
  private var openings: [Task<Void, Never>] = []
  /// A URL that came just before the request that it may answer.
  private(set) var earlyURL: String?
  /// Forgets ``earlyURL``, which has a code.
  private var forgetting: Task<Void, Never>?

  private typealias Outcome = Result<String, AuthenticationError>

  /// Creates a session.
  ///
  /// - Parameters:
  ///   - limit: the time limit for the user, 15 minutes at most: a later response is refused.
  ///   - language: the language of the session's own pages.
  ///   - open: opens the URL that redirects to the first page; by default ``SystemBrowser``.
  ///   - onOtherResponse: called at most once per request, when the browser brings the response to
  ///     another request to the listener. It is ignored and the wait continues, so tell the user.
  public init(
    limit: Duration = .seconds(15 * 60), language: PageLanguage = .english,
    open: @escaping Open = { try await SystemBrowser.open($0) },
    onOtherResponse: @escaping @Sendable () -> Void = {}
  ) {
    self.limit = min(limit, .seconds(InteractiveFlow.timeForPages))
    self.language = language
    self.onOtherResponse = onOtherResponse
    self.open = open
  }

  /// Starts the listener of a loopback redirect, and adds its port.
  public func redirectURI(
    for registered: RedirectURI
  ) async throws(AuthenticationError) -> RedirectURI {
    guard registered.isLoopback else { return registered }
    // That of a sign-in that ended before its pages were shown may have the same port.
    self.listener = nil
    let listener = try LoopbackListener(for: registered)
    self.listener = listener
    return registered.loopbackPort == nil ? registered.withLoopbackPort(listener.port) : registered
  }

  /// Opens the first page in the browser, and waits for the redirect.
  public func authenticate(
    _ request: WebAuthenticationRequest
  ) async throws(AuthenticationError) -> String {
    guard pending == nil else {
      throw AuthenticationError(
        .interactiveSessionAlreadyRunning,
        Sentence("Another sign-in is in progress in the browser. Finish or cancel it first."),
        step: .authorization)
    }
    let outcome = Promise<Outcome>()
    let listener: LoopbackListener
    if let prepared = self.listener.take() {
      listener = prepared
    } else {
      listener = try LoopbackListener(for: request.redirectURI)
    }
    let site = try LoopbackSite(
      for: request, at: listener.authority, in: language, onOtherResponse: onOtherResponse)
    pending = (request, outcome, site)
    defer { pending = nil }
    if let url = takeEarlyURL() { resume(with: url) }
    let serving = Task {
      if let redirect = await listener.serve(site) { outcome.fulfill(.success(redirect)) }
    }
    openings = [Task { [open] in await Self.open(site, with: open, outcome) }]
    let timer = Task { [limit] in
      try await Task.sleep(for: limit)
      outcome.fulfill(.failure(Self.tooLate))
    }
    let result = await withTaskCancellationHandler {
      await outcome.value()
    } onCancel: {
      outcome.fulfill(
        .failure(
          AuthenticationError(
            .userCanceled, Sentence("The sign-in was canceled."), step: .authorization)))
    }
    timer.cancel()
    for opening in openings { opening.cancel() }
    openings = []
    listener.stop()
    await serving.value
    return try result.get()
  }

  /// Opens the first page in the browser again, because the user closed it.
  public func openAgain() async {
    guard let pending else { return }
    pending.site.renewAddress()
    let opening = Task { [open, site = pending.site, outcome = pending.outcome] in
      await Self.open(site, with: open, outcome)
    }
    openings.append(opening)
    await opening.value
  }

  private static func open(
    _ site: LoopbackSite, with open: Open, _ outcome: Promise<Outcome>
  ) async {
    do throws(AuthenticationError) {
      try await open(site.address)
    } catch {
      outcome.fulfill(.failure(error))
    }
  }

  /// Passes in a URL that the desktop started the app with, or that the user copied from the
  /// browser.
  ///
  /// - Returns: whether it is the response that ``authenticate(_:)`` waits for. Any other URL may
  ///   be forged, and has no effect. One that comes before a request is compared with the next one.
  @discardableResult
  public func resume(with url: String) -> Bool {
    guard let pending else {
      keepEarly(url)
      return false
    }
    guard pending.request.isAnswered(by: url) else { return false }
    return pending.outcome.fulfill(.success(url))
  }

  /// Keeps a URL for the next request, unless it can answer none, and not longer than a response
  /// would be accepted.
  private func keepEarly(_ url: String) {
    guard WebAuthenticationRequest.state(of: url) != nil else { return }
    _ = takeEarlyURL()
    earlyURL = url
    forgetting = Task { [weak self, limit] in
      do {
        try await Task.sleep(for: limit)
        _ = await self?.takeEarlyURL()
      } catch {}
    }
  }

  private func takeEarlyURL() -> String? {
    forgetting?.cancel()
    forgetting = nil
    return earlyURL.take()
  }

  private static let tooLate = AuthenticationError(
    .webAuthenticationTimedOut,
    Sentence("The page in the browser was not finished in time. Start again."),
    step: .authorization)
}
