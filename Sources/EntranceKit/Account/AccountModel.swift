public import AuthCore
public import Connections
public import FoundationEssentials
public import MicrosoftGraph
import Localization

/// What the account page shows and does: the tutorial's three buttons, the account label and the log.
///
/// State goes out through ``changes``, log lines through ``logChanges``. One thing happens at a time,
/// and can be cancelled.
@MainActor
public final class AccountModel {
  /// What the page shows now.
  public internal(set) var state: AccountState {
    didSet { if state != oldValue { changes.tell(state) } }
  }
  /// Those who are told of each new state.
  public let changes = Observers<AccountState>()
  /// Those who are told of each new line of the log, and when its lines look different from before.
  public let logChanges = Observers<LogChange>()

  let application: PublicClientApplication
  private let graph: GraphClient
  let connection: Connection
  let store: ChosenStore?
  private let makeSession: @MainActor () -> any WebAuthenticationSession
  private let now: () -> Date
  private var book = LogBook()
  let work = OneAtATime()
  private(set) var account: Account?
  private var hasLoadedAccount = false
  /// Why it is not known who is signed in; nil when it is.
  var readingFailure: AuthenticationError?
  private var hasToldOfUnsolicited = false

  /// Makes the model.
  ///
  /// - Parameters:
  ///   - application: signs people in.
  ///   - graph: calls the connection's API.
  ///   - connection: the app registration that is worked with.
  ///   - store: where the application keeps accounts, if that is found out in the run.
  ///   - makeSession: makes what shows the sign-in pages, when they are needed.
  ///   - now: the time for the log.
  public init(
    application: PublicClientApplication, graph: GraphClient, connection: Connection,
    store: ChosenStore? = nil,
    makeSession: @escaping @MainActor () -> any WebAuthenticationSession,
    now: @escaping () -> Date = { Date() }
  ) {
    self.application = application
    self.graph = graph
    self.connection = connection
    self.store = store
    self.makeSession = makeSession
    self.now = now
    state = AccountState()
    let notices: [AccountState.Notice?] = [
      connection.isDemo ? .demo : nil,
      connection.application.isSharedDevice ? .sharedDevice : nil,
    ]
    state = AccountState(subtitle: subtitle, notices: notices.compactMap(\.self))
  }

  // MARK: - What the page asks for

  /// Loads the current account: at the start, and whenever the window comes to the foreground.
  ///
  /// - Returns: the work, for whoever wants to wait for it; nil when something else is under way.
  @discardableResult
  public func activate() -> Task<Void, Never>? {
    start(nil) {
      let waiting = self.announceWaiting()
      await self.loadCurrentAccount()
      waiting.cancel()
    }
  }

  /// *Call Microsoft Graph API*: gets a token, silently if that can be, and calls the API with it.
  @discardableResult
  public func callGraph() -> Task<Void, Never>? {
    start(.callingGraph) {
      guard let result = await self.acquireToken() else { return }
      await self.callGraph(with: result)
    }
  }

  /// *Sign Out*: forgets the account and its tokens; on a shared device everyone's.
  @discardableResult
  public func signOut() -> Task<Void, Never>? {
    guard let account else { return nil }
    return start(.signingOut) {
      self.logStep(tr("Signing out..."))
      do throws(AuthenticationError) {
        let result = try await self.application.signOut(account)
        guard result.failures.isEmpty else {
          await self.updateAccount()
          for failure in result.failures {
            self.log(
              tr("Couldn't sign out account with error: {error}", ["error": failure.sentence]),
              failure)
          }
          return await self.updateStorageNotice()
        }
        self.account = nil
        self.showAccount()
        self.log(tr("Sign out completed successfully"))
      } catch {
        await self.updateAccount()
        self.log(
          tr("Couldn't sign out account with error: {error}", ["error": error.sentence]), error)
      }
      await self.updateStorageNotice()
    }
  }

  /// *Get device info*.
  @discardableResult
  public func getDeviceInformation() -> Task<Void, Never>? {
    start(.gettingDeviceInformation) {
      let report = await DeviceReport(self.application, self.graph, self.connection)
      // What is in the first line, or in the system's name.
      let told = ["mode", "operatingSystemID", "operatingSystemVersion"]
      let lines = report.facts.filter { !told.contains($0.name) }.map { "\($0.label): \($0.text)" }
      let storage = await self.store?.choice.kind
      guard !Task.isCancelled else {
        return self.log(
          tr("Device info not returned. Error: {error}", ["error": tr("It was canceled.")]))
      }
      self.log(
        tr("Received device info. Device is in the {mode} mode.", ["mode": report.mode.rawValue]),
        lines + (storage.map { [Self.text($0)] } ?? []))
    }
  }

  /// Stops what is under way.
  public func cancel() {
    work.cancel()
  }

  /// Stops what is under way, and tells nobody of anything any more: the window is gone.
  public func close() {
    changes.removeAll()
    logChanges.removeAll()
    cancel()
  }

  /// Shows tokens in the log in full, or shortened.
  public func setShowsFullTokens(_ shows: Bool) {
    guard shows != state.showsFullTokens else { return }
    state.showsFullTokens = shows
    logChanges.tell(.replaced(book.entries(showingTokens: shows)))
  }

  /// Empties the log.
  public func clearLog() {
    book.clear()
    logChanges.tell(.replaced([]))
  }

  /// Notes that another program opened a redirect URI, once: a web page can open one as often as it likes.
  ///
  /// The sign-in window takes its redirect from its own page, so one from outside never answers a
  /// request of ours.
  public func handleUnsolicited() {
    guard !hasToldOfUnsolicited else { return }
    hasToldOfUnsolicited = true
    log(tr("Ignored a sign-in response from outside this window"))
  }

  /// Writes a line that has no button, such as a warning at the start.
  public func log(_ text: String) {
    append(LogMessage(text))
  }

  // MARK: - Tokens and Graph

  private func acquireToken() async -> AuthenticationResult? {
    await updateAccount()
    guard let account else { return await acquireTokenInteractively(for: nil) }
    return await acquireTokenSilently(for: account)
  }

  /// Gets a token from the cache or the server, or with the person's help where they do not suffice.
  private func acquireTokenSilently(
    for account: Account, claims: ClaimsRequest? = nil, forceRefresh: Bool = false
  ) async -> AuthenticationResult? {
    var parameters = SilentTokenParameters(scopes: connection.scopes, account: account)
    parameters.claims = claims
    parameters.forceRefresh = forceRefresh
    logStep(tr("Acquiring token silently..."))
    do throws(AuthenticationError) {
      let result = try await application.acquireTokenSilent(parameters)
      append(
        LogMessage(
          tr("Refreshed Access token is {token}", ["token": ""]), token: result.accessToken)
      )
      warnOfClock(result)
      await updateStorageNotice()
      return result
    } catch {
      if error.code != .interactionRequired {
        log(tr("Could not acquire token silently: {error}", ["error": error.sentence]), error)
      }
      guard error.code.nextStep == .signIn else {
        await updateStorageNotice()
        return nil
      }
      return await acquireTokenInteractively(for: account, claims: error.claims ?? claims)
    }
  }

  private func acquireTokenInteractively(
    for account: Account?, claims: ClaimsRequest? = nil
  ) async -> AuthenticationResult? {
    var parameters = InteractiveTokenParameters(
      scopes: connection.scopes, session: makeSession())
    parameters.account = account
    parameters.prompt = account == nil ? .selectAccount : .promptIfNecessary
    parameters.claims = claims
    logStep(tr("Acquiring token interactively..."))
    state.activity = .signingIn
    defer { state.activity = .callingGraph }
    do throws(AuthenticationError) {
      let result = try await application.acquireToken(parameters)
      append(LogMessage(tr("Access token is {token}", ["token": ""]), token: result.accessToken))
      warnOfClock(result)
      await updateAccount()
      return result
    } catch {
      log(
        tr("Could not acquire token: {error}", ["error": error.sentence]), error,
        signIn: tr("Choose “Call Microsoft Graph API” to sign in again."))
      await updateAccount()
      return nil
    }
  }

  private func warnOfClock(_ result: AuthenticationResult) {
    guard result.isClockWrong else { return }
    log(
      tr(
        "This computer's clock differs from the sign-in service's clock. Check the date and time."))
  }

  /// Calls the API; once more with a new token, when it does not accept this one or asks for claims.
  private func callGraph(with result: AuthenticationResult) async {
    var result = result
    var mayRenew = true
    while true {
      logStep(tr("Performing request..."))
      do throws(GraphError) {
        let authorization = result.authorizationHeader
        return show(try await graph.get(connection.api, authorization: authorization))
      } catch {
        guard mayRenew, error.code == .unauthorized || error.claims != nil else {
          return log(
            tr("Couldn't get graph result: {error}", ["error": error.sentence]),
            error.details.map { tr($0) })
        }
        mayRenew = false
        let renewed = await acquireTokenSilently(
          for: result.account, claims: error.claims, forceRefresh: true)
        guard let renewed else { return }
        result = renewed
      }
    }
  }

  private func show(_ response: GraphResponse) {
    guard let json = try? response.json() else {
      return log(tr("Couldn't deserialize result JSON"))
    }
    guard isExternalID else {
      return append(LogMessage([tr("Result from Graph: {json}", ["json": ""])], json))
    }
    append(
      LogMessage(
        [
          tr("Accessed API successfully using access token."),
          "    " + tr("HTTP response code: {status}", ["status": String(response.status)]),
          "    " + tr("HTTP response body: {json}", ["json": ""]),
        ], json))
  }

  private var isExternalID: Bool { connection.application.authority.kind == .externalID }

  /// Writes a line that Microsoft's tutorial has for External ID alone.
  private func logStep(_ text: String) {
    if isExternalID { log(text) }
  }

  // MARK: - Account

  func loadCurrentAccount() async {
    let (before, failureBefore) = (account, readingFailure)
    let previous = await updateAccount()
    let isFirst = !hasLoadedAccount
    hasLoadedAccount = true
    guard isFirst || account != before || readingFailure != failureBefore else { return }
    if let readingFailure {
      return log(
        tr(
          "Couldn't query current account with error: {error}", ["error": readingFailure.sentence]),
        readingFailure.details.map { tr($0) })
    }
    if let previous {
      log(
        tr(
          "The account with username {username} has been signed out.",
          ["username": previous.username]))
    }
    if let account {
      log(
        tr(
          "Found a signed in account {username}. Updating data for that account...",
          ["username": account.username]))
    } else {
      log(tr("Account signed out. Updating UX"))
    }
  }

  /// Asks who is signed in, and shows it with what there is to say of the store.
  ///
  /// - Returns: who was signed in before, when that was someone else.
  @discardableResult
  private func updateAccount() async -> Account? {
    let found = await application.currentAccount()
    account = found.current
    await updateStorageNotice()
    return found.previous
  }

  /// Shows who is signed in, as far as it is known.
  func showAccount() {
    // Tokens of nobody who is signed in have no place in the log.
    if account == nil, readingFailure == nil, book.forgetTokens(), state.showsFullTokens {
      logChanges.tell(.replaced(book.entries(showingTokens: true)))
    }
    var next = state
    next.standing = readingFailure == nil ? .known : .unavailable
    next.username = account?.username.plain
    next.displayName = account?.name?.plain
    next.subtitle = subtitle
    state = next
  }

  private var subtitle: String {
    guard account != nil || readingFailure == nil else {
      return tr("Your accounts could not be read")
    }
    return AccountState.subtitle(
      of: account, account.flatMap(application.tenantProfile), at: connection
    ).plain
  }

  /// Begins a piece of work, unless another keeps it from starting; loading the account, which has no
  /// activity, is what nobody asked for.
  func start(
    _ activity: AccountState.Activity?, _ body: @escaping @MainActor () async -> Void
  ) -> Task<Void, Never>? {
    let task = work.start(isAskedFor: activity != nil, body) { self.state.activity = nil }
    if task != nil { state.activity = activity }
    return task
  }

  // MARK: - Log

  private func log(_ text: String, _ error: AuthenticationError, signIn: String? = nil) {
    log(text, [error.advice(signIn: signIn)].compactMap(\.self) + error.details.map { tr($0) })
  }

  private func log(_ text: String, _ details: [String]) {
    append(LogMessage(lines: [text] + details.map { "    \($0)" }))
  }

  private func append(_ message: LogMessage) {
    let date = now()
    book.append(message, at: date)
    let text = message.text(showingTokens: state.showsFullTokens)
    logChanges.tell(.added(LogEntry(date: date, text: text)))
  }
}
