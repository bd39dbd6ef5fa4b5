import AuthCore
import Connections
import Localization
import MicrosoftGraph
import Sentences

/// The model of the account page: the tutorial's three buttons, the account label and the log.
@MainActor
public final class AccountModel {
  /// The current state of the page.
  public private(set) var state = AccountState() {
    didSet { if state != oldValue { changes.notify(state) } }
  }
  /// The observers of the state.
  public let changes = Observers<AccountState>()
  /// The observers of what the page is asked to show.
  public let requests = Observers<AccountRequest>()
  /// The log.
  public let log: LogModel
  /// Signs accounts out.
  public let signOut: SignOutModel
  /// The window that the page belongs to.
  public let window: WindowModel

  private let status: WindowStatus
  private var workspace: Workspace { status.workspace }
  private var connection: Connection { workspace.connection }
  private var observers: [Observer] = []

  /// Creates the model of the account page of `window`.
  public init(_ window: WindowModel) {
    self.window = window
    status = window.status
    log = LogModel(status.activity, window.workspace.preferences)
    signOut = SignOutModel(window, requests)
    draw()
    observers = [
      status.changes.add { [weak self] in self?.draw() },
      status.accounts.changes.add { [weak self] in self?.draw() },
      window.storage.changes.add { [weak self] in self?.draw() },
      log.changes.add { [weak self] in self?.follow($0) },
    ]
  }

  /// Removes all observers, because the window is closed.
  public func close() {
    changes.removeAll()
    requests.removeAll()
    log.close()
    observers = []
  }

  // MARK: - Actions

  /// *Call Microsoft Graph API*: acquires a token, silently if possible, and calls the API.
  @discardableResult
  public func callGraph() -> Task<Void, Never>? {
    status.start(.callingGraph) {
      guard let result = await self.window.tokens.token() else { return }
      await self.callGraph(with: result)
    }
  }

  /// *Use Browser*, *Use a Code*, *Sign In Here*: changes the way of the sign-in in progress, or
  /// signs in by that way.
  @discardableResult
  public func signIn(by way: SignInWay) -> Task<Void, Never>? {
    window.tokens.use(way) ? nil : window.accounts.signIn(by: way)
  }

  /// The ways to sign in that the connection can be used with.
  public var ways: [SignInWay] { connection.signInWays }

  /// *Get device info*.
  @discardableResult
  public func getDeviceInformation() -> Task<Void, Never>? {
    status.start(.gettingDeviceInformation) {
      let report = await DeviceReport(
        self.workspace.application, self.workspace.graph, self.connection,
        account: self.status.accounts.selected)
      // Facts that are in the first line, or part of the system's name.
      let told = ["mode", "operatingSystemID", "operatingSystemVersion"]
      let lines = report.facts.filter { !told.contains($0.name) }.map { "\($0.label): \($0.text)" }
      let storage = await self.workspace.store?.choice.kind
      guard !Task.isCancelled else {
        return self.status.conclude(
          tr("Device info not returned. Error: {error}", ["error": tr("Canceled.")]))
      }
      self.status.log(
        tr("Received device info. Device is in the {mode} mode.", ["mode": report.mode.rawValue]),
        lines + (storage.map { [AccountStorage.text($0)] } ?? []))
    }
  }

  // MARK: - The call of the API

  /// Calls the API; repeats it once with a new token, when the API rejects this one or sends a
  /// claims challenge.
  private func callGraph(with result: AuthenticationResult) async {
    var result = result
    var mayRenew = true
    while true {
      status.logStep(tr("Performing request..."), .request, title: "GET \(connection.api)")
      do throws(GraphError) {
        let graph = workspace.graph.authorized(by: result.authorizationHeader)
        let response = try await graph.get(GraphPath(url: connection.api))
        await show(response, to: result)
        return status.accounts.fetchPicture(with: result)
      } catch {
        guard mayRenew, error.code == .unauthorized || error.claims != nil else {
          status.show(error, of: workspace.graph.service)
          return status.log(
            tr("Couldn't get graph result: {error}", ["error": error.sentence]),
            error.details.map { tr($0) }, .failure)
        }
        mayRenew = false
        let renewed = await window.tokens.silentToken(
          for: result.account, claims: error.claims, forceRefresh: true)
        guard let renewed else { return }
        result = renewed
      }
    }
  }

  private func show(_ response: GraphResponse, to result: AuthenticationResult) async {
    let heading = status.accounts.naming(heading(of: response))
    if response.body.count > FoldedText.shownAtFirst, !Task.isCancelled {
      // Nothing is asked of a service any more, so what the user does next need not wait.
      status.letOthersStart(during: .preparingResponse)
    }
    do throws(CancellationError) {
      let document = try await ResponseDocument.make(of: response.body, heading: heading)
      guard let document else { return status.conclude(tr("Couldn't deserialize result JSON")) }
      status.show(outcome: tr("The result from Graph is in the log."))
      status.activity.add(
        .response, LogMessage(document), account: result.account.username,
        title: tr(
          "Response with status {status}, {size}",
          ["status": response.status, "size": ByteSize.text(response.body.count)]))
    } catch {
      let reason = Sentence("The request was canceled.")
      status.conclude(tr("Couldn't get graph result: {error}", ["error": reason]))
    }
  }

  private func heading(of response: GraphResponse) -> [String] {
    guard connection.isExternalID else { return [tr("Result from Graph: {json}", ["json": ""])] }
    return [
      tr("Accessed API successfully using access token."),
      "    " + tr("HTTP response code: {status}", ["status": String(response.status)]),
      "    " + tr("HTTP response body: {json}", ["json": ""]),
    ]
  }

  // MARK: - Drawing

  private func follow(_ change: LogChange) {
    // Only the first line makes a difference.
    if case .added = change, state.hasLog { return }
    draw()
  }

  private func draw() {
    let (accounts, standing) = (status.accounts, window.storage.standing)
    let privacy = workspace.privacy
    let rows = accounts.rows.map { privacy.shown($0) }
    var next = AccountState(
      standing: standing, username: privacy.shown(ifAny: accounts.selected?.username.shownName),
      displayName: privacy.shown(ifAny: accounts.selected?.name?.shownName),
      subtitle: rows.first(where: \.isSelected)?.subtitle
        ?? (standing == .unavailable
          ? tr("Your accounts could not be read") : connection.signInHint),
      work: status.work, outcome: privacy.shown(ifAny: status.outcome),
      notices: status.notices.all.map { privacy.shown($0) },
      showsFullTokens: log.showsFullTokens)
    next.rows = rows
    next.hasLog = !log.isEmpty
    next.canAddAccounts = window.accounts.canAdd
    next.signIn = status.signInStep
    next.canShowFullTokens = log.canShowFullTokens
    state = next
  }
}
