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

  private let limit: Duration
  private let language: PageLanguage
  private let onOtherResponse: @Sendable () -> Void
  private let open: Open
  /// The listener for the next request.
  private var listener: LoopbackListener?
  /// The request in progress.
  private var pending:
    (request: WebAuthenticationRequest, outcome: FirstOutcome, site: LoopbackSite)?
  /// A URL that came just before the request that it may answer.
  private var earlyURL: String?

  /// Creates a session.
  ///
  /// - Parameters:
  ///   - limit: the time limit for the user.
  ///   - language: the language of the session's own pages.
  ///   - open: opens the URL that redirects to the first page; by default ``SystemBrowser``.
  ///   - onOtherResponse: called at most once per request, when the browser brings the response to
  ///     another request to the listener. It is ignored and the wait continues, so tell the user.
  public init(
    limit: Duration = .seconds(15 * 60), language: PageLanguage = .english,
    open: @escaping Open = { try await SystemBrowser.open($0) },
    onOtherResponse: @escaping @Sendable () -> Void = {}
  ) {
    self.limit = limit
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
    let outcome = FirstOutcome()
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
    if let url = earlyURL.take() { resume(with: url) }
    let serving = Task {
      if let redirect = await listener.serve(site) { outcome.finish(.success(redirect)) }
    }
    let opening = Task { [open] in await Self.open(site, with: open, outcome) }
    let timer = Task { [limit] in
      try await Task.sleep(for: limit)
      outcome.finish(.failure(Self.tooLate))
    }
    let result = await withTaskCancellationHandler {
      await outcome.value
    } onCancel: {
      outcome.finish(
        .failure(
          AuthenticationError(
            .userCanceled, Sentence("The sign-in was canceled."), step: .authorization)))
    }
    timer.cancel()
    opening.cancel()
    listener.stop()
    await serving.value
    return try result.get()
  }

  /// Opens the first page in the browser again, because the user closed it.
  public func openAgain() async {
    guard let pending else { return }
    pending.site.renewAddress()
    await Self.open(pending.site, with: open, pending.outcome)
  }

  private static func open(
    _ site: LoopbackSite, with open: Open, _ outcome: FirstOutcome
  ) async {
    do throws(AuthenticationError) {
      try await open(site.address)
    } catch {
      outcome.finish(.failure(error))
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
      earlyURL = url
      return false
    }
    guard pending.request.isAnswered(by: url) else { return false }
    return pending.outcome.finish(.success(url))
  }

  private static let tooLate = AuthenticationError(
    .webAuthenticationFailed,
    Sentence("The browser did not respond in time. Sign in again, and finish it there."),
    step: .authorization)
}

/// The first event that ends a wait; later ones have no effect.
private final class FirstOutcome: Sendable {
  typealias Outcome = Result<String, AuthenticationError>

  private let state = LockedValue<
    (outcome: Outcome?, waiter: CheckedContinuation<Outcome, Never>?)
  >(
    (nil, nil))

  /// Ends the wait, if it has not ended before; returns whether it did.
  @discardableResult
  func finish(_ outcome: Outcome) -> Bool {
    state.withLock { state in
      guard state.outcome == nil else { return false }
      state.outcome = outcome
      state.waiter.take()?.resume(returning: outcome)
      return true
    }
  }

  /// Waits for the end; may be called once.
  var value: Outcome {
    get async {
      await withCheckedContinuation { continuation in
        let outcome = state.withLock { state in
          if state.outcome == nil { state.waiter = continuation }
          return state.outcome
        }
        if let outcome { continuation.resume(returning: outcome) }
      }
    }
  }
}
