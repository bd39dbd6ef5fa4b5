import AuthCore
import Connections
import Localization

/// One sign-in: by the first way, and by each other way that the user changes to.
@MainActor
final class SignIn {
  typealias Outcome = Result<AuthenticationResult, AuthenticationError>

  /// The way in use.
  private(set) var way: SignInWay
  private let parameters: SignInParameters
  private let application: PublicClientApplication
  private let connection: Connection
  private let desktop: any SignInDesktop
  private let show: (SignInStep) -> Void
  private var step = SignInStep.service
  private var attempt: Task<Outcome, Never>?
  /// The way that the user has changed to, until the current one has ended.
  private var next: SignInWay?
  private var browser: SystemBrowserSession?

  /// Prepares a sign-in.
  ///
  /// - Parameter show: shows each step.
  init(
    _ parameters: SignInParameters, by way: SignInWay, with application: PublicClientApplication,
    at connection: Connection, on desktop: any SignInDesktop,
    show: @escaping (SignInStep) -> Void
  ) {
    self.way = way
    self.parameters = parameters
    self.application = application
    self.connection = connection
    self.desktop = desktop
    self.show = show
  }

  /// Signs in; canceling the task cancels any way.
  func run() async throws(AuthenticationError) -> AuthenticationResult {
    while true {
      let attempt = Task { await tryWay() }
      self.attempt = attempt
      let outcome = await withTaskCancellationHandler {
        await attempt.value
      } onCancel: {
        attempt.cancel()
      }
      // If the sign-in succeeded meanwhile, the other way is not needed.
      guard case .failure = outcome, !Task.isCancelled, let next = next.take() else {
        return try outcome.get()
      }
      way = next
    }
  }

  /// Changes to another way, or begins the same one again.
  func use(_ way: SignInWay) {
    next = way
    attempt?.cancel()
  }

  /// Opens the first page in the browser again.
  func openBrowserAgain() {
    Task { [browser] in await browser?.openAgain() }
  }

  /// Ends the wait for the browser with `url`.
  ///
  /// - Returns: whether `url` is the response that this sign-in waits for.
  func resume(with url: String) -> Bool {
    guard case .browser(let request, _) = step, request.isAnswered(by: url) else { return false }
    Task { [browser] in await browser?.resume(with: url) }
    return true
  }

  // MARK: - The ways

  private func tryWay() async -> Outcome {
    do throws(AuthenticationError) {
      switch way {
      case .embedded: return .success(try await useWindow())
      case .browser: return .success(try await useBrowser())
      case .code: return .success(try await useCode())
      }
    } catch {
      return .failure(error)
    }
  }

  private func useWindow() async throws(AuthenticationError) -> AuthenticationResult {
    let session = desktop.embeddedSession { [weak self] in self?.use($0) }
    return try await usePages(
      WatchedWebSession(session: session) { [weak self] _ in self?.enter(.embedded) })
  }

  private func useBrowser() async throws(AuthenticationError) -> AuthenticationResult {
    let session = desktop.browserSession()
    browser = session
    defer { browser = nil }
    let registered = connection.application.redirectURI
    let usesRegistered = registered.isLoopback || desktop.opens(registered)
    let redirectURI = usesRegistered ? registered : try connection.loopbackRedirectURI()
    // The demo's service knows every redirect URI that is used here.
    let hint: String? =
      connection.isDemo
      ? tr(
        "Your browser will warn about the demo’s certificate, which is made for this run only; you can"
          + " continue there nevertheless.") : connection.hint(about: redirectURI).map { tr($0) }
    return try await usePages(
      WatchedWebSession(session: session, redirectURI: redirectURI) { [weak self] request in
        self?.enter(.browser(request, hint: hint))
      })
  }

  private func usePages(
    _ session: WatchedWebSession
  ) async throws(AuthenticationError) -> AuthenticationResult {
    enter(.service)
    let noticing = Task { await noticeBroker() }
    defer { noticing.cancel() }
    var parameters = parameters.interactive(session)
    guard connection.application.isBrokerRedirectURIRegistered else {
      return try await application.acquireToken(parameters)
    }
    parameters.parentWindow = await desktop.exportWindow()
    defer { desktop.withdrawWindow() }
    return try await application.acquireToken(parameters)
  }

  /// Tells that the computer's identity broker is asked first, where there is one.
  private func noticeBroker() async {
    guard connection.application.isBrokerRedirectURIRegistered,
      let version = try? await application.brokerVersion(), !version.isEmpty,
      step == .service, !Task.isCancelled
    else { return }
    enter(.broker)
  }

  private func useCode() async throws(AuthenticationError) -> AuthenticationResult {
    enter(.code(nil))
    var parameters = parameters.deviceCode { [weak self] in await self?.enter(.code($0)) }
    parameters.reportOutage = { [weak self] in await self?.noteOutage($0 != nil) }
    do throws(AuthenticationError) {
      return try await application.acquireToken(parameters)
    } catch {
      if error.isDeclined {
        enter(.declinedCode)
      } else if error.code == .deviceCodeExpired {
        enter(.expiredCode)
      } else {
        throw error
      }
      // Until the user gets a new code, or cancels.
      do {
        try await Task.sleep(for: Self.timeout)
      } catch is CancellationError {
        // The service may have declined by a rule of its own: the log gets its words.
        guard error.isDeclined else {
          throw AuthenticationError(.userCanceled, "The sign-in was canceled.")
        }
      } catch {}
      throw error
    }
  }

  /// Tells whether the service can be reached that knows whether the code was entered.
  private func noteOutage(_ isOutage: Bool) {
    switch step {
    case .code(let code?), .unreachable(let code):
      enter(isOutage ? .unreachable(code) : .code(code))
    default: break
    }
  }

  /// How long it is shown that a code is of no use any more.
  private static let timeout = Duration.seconds(24 * 60 * 60)

  private func enter(_ step: SignInStep) {
    guard !Task.isCancelled else { return }
    self.step = step
    show(step)
  }
}
