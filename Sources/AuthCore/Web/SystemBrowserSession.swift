import CurlHTTP
import Sentences

/// Shows sign-in pages in the browser that the person uses (RFC 8252).
///
/// The redirect URI says how the answer comes back:
///
/// - `http://localhost` or `http://127.0.0.1`: to a listener on this machine that is open for this one
///   sign-in. Registered without a port it takes a free one.
/// - a scheme of the app's own: the desktop starts the app with the URL, and the app calls ``resume(with:)``.
///
/// The browser is started with an address of this machine, which leads to the first page once: the list of
/// processes, which everyone can read, shows nothing of the request.
///
/// Whether the browser remembers the sign-in is the browser's business, whatever
/// ``WebAuthenticationRequest/prefersEphemeralSession`` asks for.
public actor SystemBrowserSession: WebAuthenticationSession {
  /// Opens a URL in a browser, and may return before that is closed again.
  public typealias Open = @Sendable (_ url: String) async throws(AuthenticationError) -> Void

  private let limit: Duration
  private let language: PageLanguage
  private let open: Open
  /// Listens for the next request.
  private var listener: LoopbackListener?
  /// What is waited for.
  private var pending: (request: WebAuthenticationRequest, outcome: FirstOutcome)?

  /// Creates a session.
  ///
  /// - Parameters:
  ///   - limit: how long the person may take.
  ///   - language: the language of the pages that come from this machine.
  ///   - open: opens the address that leads to the first page; ``SystemBrowser`` unless told otherwise.
  public init(
    limit: Duration = .seconds(15 * 60), language: PageLanguage = .english,
    open: @escaping Open = { try await SystemBrowser.open($0) }
  ) {
    self.limit = limit
    self.language = language
    self.open = open
  }

  /// Begins to listen where a loopback redirect leads, and puts the port in.
  public func redirectURI(
    for registered: RedirectURI
  ) async throws(AuthenticationError) -> RedirectURI {
    guard registered.isLoopback else { return registered }
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
    pending = (request, outcome)
    defer { pending = nil }
    let listener: LoopbackListener
    if let prepared = self.listener.take() {
      listener = prepared
    } else {
      listener = try LoopbackListener(for: request.redirectURI)
    }
    let site = try LoopbackSite(for: request, at: listener.authority, in: language)
    let serving = Task {
      if let redirect = await listener.serve(site) { outcome.finish(.success(redirect)) }
    }
    let opening = Task { [open] in
      do throws(AuthenticationError) {
        try await open(site.address)
      } catch {
        outcome.finish(.failure(error))
      }
    }
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

  /// Hands in a URL that the desktop started the app with.
  ///
  /// - Returns: whether it was what ``authenticate(_:)`` waits for. Any other URL is someone else's doing, and
  ///   changes nothing.
  @discardableResult
  public func resume(with url: String) -> Bool {
    guard let pending, !pending.request.redirectURI.isLoopback,
      pending.request.isAnswered(by: url)
    else { return false }
    return pending.outcome.finish(.success(url))
  }

  private static let tooLate = AuthenticationError(
    .webAuthenticationFailed,
    Sentence("The browser did not respond in time. Sign in again, and finish it there."),
    step: .authorization)
}

/// The first of the things that can end a wait; what comes later changes nothing.
private final class FirstOutcome: Sendable {
  typealias Outcome = Result<String, AuthenticationError>

  private let state = LockedValue<
    (outcome: Outcome?, waiter: CheckedContinuation<Outcome, Never>?)
  >(
    (nil, nil))

  /// Ends the wait, if nothing did before; says whether it did.
  @discardableResult
  func finish(_ outcome: Outcome) -> Bool {
    state.withLock { state in
      guard state.outcome == nil else { return false }
      state.outcome = outcome
      state.waiter.take()?.resume(returning: outcome)
      return true
    }
  }

  /// Waits for the end; may be asked once.
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
