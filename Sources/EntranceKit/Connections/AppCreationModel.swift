import AuthCore
import Connections
import Localization
import MicrosoftGraph

/// An account that an app can be created with.
public struct CreatingAccount: Sendable, Equatable {
  /// The account, and the app that it is signed in to.
  public var find: SearchResultID
  /// The first line.
  public var title: String
  /// The second line.
  public var details: String
}

/// *Create With an Account*: creates an app registration for the selected account of a window, and
/// adds it to the list of apps.
@MainActor
public final class AppCreationModel {
  private let window: WindowModel
  private let list: ConnectionList
  private let onAdd: @MainActor (String) -> Void

  private var status: WindowStatus { window.status }
  private var workspace: Workspace { window.workspace }

  /// Creates the model for a window.
  ///
  /// - Parameters:
  ///   - list: where the new app is written down.
  ///   - onAdd: is called with the name of the new app, after the work has ended.
  public init(
    _ window: WindowModel, list: ConnectionList, onAdd: @escaping @MainActor (String) -> Void
  ) {
    (self.window, self.list, self.onAdd) = (window, list, onAdd)
  }

  /// Creates the app with an account that was chosen elsewhere, which is selected for that.
  ///
  /// - Returns: the task; nil when other work prevents it, or the account has left meanwhile, which
  ///   is said.
  @discardableResult
  public func create(with id: AccountRow.ID) -> Task<Void, Never>? {
    guard status.accounts.rows.contains(where: { $0.id == id }) else {
      status.put(failure: .accountHasLeft, tryAgain: nil)
      return nil
    }
    return window.accounts.select(id) ? create() : nil
  }

  /// Asks for the permission that it takes, if it was not granted before, and creates the app.
  ///
  /// - Returns: the task; nil when other work prevents it, which is said.
  @discardableResult
  public func create() -> Task<Void, Never>? {
    let task = status.start(.creatingApp) { await self.perform() }
    if task == nil { status.showObstacle() }
    return task
  }

  /// Says in the window of a new app what came of it.
  public static func showAdded(_ name: String, in window: WindowModel) {
    window.status.conclude(
      tr(
        "The app “{name}” was created. Sign in to use it, as everyone in your organization can.",
        ["name": name]))
  }

  private func perform() async {
    guard let account = status.accounts.selected else {
      return status.conclude(tr("No account is signed in."))
    }
    let (connection, graph) = (workspace.connection, workspace.graph)
    if let obstacle = AppRegistrationRequest.obstacle(
      to: account, of: workspace.application, at: connection)
    {
      return status.put(failure: .appNotCreated(tr(obstacle)), tryAgain: nil)
    }
    // What cannot be written down is not created.
    guard !list.state.isLocked, list.state.problem == nil else {
      return status.put(
        failure: .appNotCreated(
          list.state.problem
            ?? tr("{path} cannot be changed.", ["path": list.path])), tryAgain: nil)
    }
    guard let token = await token(for: account) else { return }
    guard !Task.isCancelled, !status.isClosed else {
      return conclude(tr("Canceled."))
    }
    // The process stays until it is written down.
    let unfinished = UnfinishedWork()
    defer { withExtendedLifetime(unfinished) {} }
    status.logStep(
      tr("Performing request..."), .request, title: "POST /applications", of: account)
    switch await outcome(token, for: account, with: graph) {
    case .success(let clientID):
      add(AppRegistrationRequest.draft(clientID, of: account, like: connection, graph))
    case .failure(let failure): show(failure, of: graph.service)
    }
  }

  // MARK: - The request

  private var permissions: [String] { [AppRegistrationRequest.scope(at: workspace.connection)] }

  /// A token with the permission: without a page if it was granted before.
  ///
  /// - Returns: nil when there is none, which was said.
  private func token(for account: Account) async -> AuthenticationResult? {
    guard let id = status.accounts.selectedID else { return nil }
    do throws(AuthenticationError) {
      let known = try await window.tokens.token(
        of: id, claims: nil, forceRefresh: false, permissions: permissions)
      if known == nil { conclude(tr("There is no token for this account.")) }
      return known
    } catch {
      guard error.code.nextStep == .signIn, !status.isClosed else {
        await window.storage.check(after: error)
        _ = status.logMissingToken(
          tr("Could not acquire token silently: {error}", ["error": error.sentence]), error)
        return nil
      }
      let result = await window.tokens.signIn(
        account, claims: error.claims, permissions: permissions)
      if result == nil { offerHelp() }
      return result
    }
  }

  /// Adds another way to the notice of a permission that the account cannot grant.
  private func offerHelp() {
    guard var notice = status.notices[Notice.failureID] else { return }
    notice.buttons.append(.askForApp)
    status.put(notice)
  }

  /// Sends the request; once more with a new token, when Microsoft Graph refuses this one, which it
  /// does before it creates anything.
  private func outcome(
    _ token: AuthenticationResult, for account: Account, with graph: GraphClient
  ) async -> Result<String, AppRegistrationRequest.Failure> {
    let first = await send(token, with: graph)
    guard case .failure(let failure) = first,
      failure.error.code == .unauthorized || failure.error.claims != nil,
      !Task.isCancelled, !status.isClosed
    else { return first }
    let renewed = await window.tokens.silentToken(
      for: account, claims: failure.error.claims, forceRefresh: true,
      permissions: permissions)
    guard let renewed, !Task.isCancelled, !status.isClosed else { return first }
    return await send(renewed, with: graph)
  }

  private func send(
    _ token: AuthenticationResult, with graph: GraphClient
  ) async -> Result<String, AppRegistrationRequest.Failure> {
    let (toasts, application) = (status.toasts, workspace.application)
    return await withTaskCancellationHandler {
      do throws(AppRegistrationRequest.Failure) {
        return .success(
          try await AppRegistrationRequest.create(
            with: graph.authorized(
              by: token.authorizationHeader, of: token.account, in: application)))
      } catch {
        return .failure(error)
      }
    } onCancel: {
      Task { @MainActor in
        toasts.notify(tr("The request was already sent. Waiting for the response…"))
      }
    }
  }

  // MARK: - What came of it

  /// Writes the app down, as the form does.
  private func add(_ draft: ConnectionDraft) {
    let editor = list.makeEditor(draft)
    editor.save(editor.form)
    guard let name = editor.state.savedName else {
      let problem = editor.state.problem?.text ?? ""
      status.log(
        tr("The app with the client ID {id} was created.", ["id": draft.clientID]), [problem],
        .failure, isInNotice: true)
      return status.put(failure: .appNotAdded(draft.clientID, problem), tryAgain: nil)
    }
    status.conclude(tr("The app with the client ID {id} was created.", ["id": draft.clientID]))
    Task {
      await status.finishWork()
      onAdd(name)
    }
  }

  private func show(_ failure: AppRegistrationRequest.Failure, of service: String) {
    let (text, details) = (tr(failure.sentence), failure.error.details.map { tr($0) })
    if failure.mayExist {
      conclude(text, details, isInNotice: true)
      return status.put(failure: .appMayExist(text, details), tryAgain: nil)
    }
    if failure.isForbidden {
      conclude(text, details, isInNotice: true)
      return status.put(
        failure: .appNotCreated(text, details, buttons: [.askForApp]), tryAgain: nil)
    }
    let again: @MainActor () -> Void = { _ = self.create() }
    if let pause = ServicePause(after: failure.error, of: service) {
      conclude(text, details, isInNotice: true)
      return status.wait(pause, canSendNow: false, tryAgain: again)
    }
    conclude(
      text, details, isInNotice: status.show(failure.error, of: service, tryAgain: again))
  }

  private func conclude(_ reason: String, _ details: [String] = [], isInNotice: Bool = false) {
    status.log(
      tr("The app was not created: {error}", ["error": reason]), details, .failure,
      isInNotice: isInNotice)
  }
}

extension Notice.Button {
  /// Leads to the message that asks for an app.
  fileprivate static var askForApp: Self {
    Self(label: tr("Ask My Admi_nistrator…"), action: .askForApp)
  }
}

extension Notice {
  /// An app cannot be created with the account.
  fileprivate static func appNotCreated(
    _ reason: String, _ details: [String] = [], buttons: [Button] = []
  ) -> Self {
    Self(
      id: failureID, style: .warning, title: tr("The App Was Not Created"), text: reason,
      buttons: buttons, details: details, canBeDismissed: true)
  }

  /// The account that was chosen is not there any more.
  fileprivate static var accountHasLeft: Self {
    appNotCreated(
      tr(
        "The account that you chose is no longer signed in. Sign in with it again, or use another"
          + " account."),
      buttons: [Button(label: tr("_Use Another Account"), action: .useAnotherAccount)])
  }

  /// Nobody knows whether the app was created.
  fileprivate static func appMayExist(_ reason: String, _ details: [String]) -> Self {
    Self(
      id: failureID, style: .warning, title: tr("The App May Have Been Created"), text: reason,
      buttons: [Button(label: tr("Copy _Link"), action: .copy(EntranceIdentity.portal))],
      details: details, canBeDismissed: true)
  }

  /// The app was created, and could not be written down.
  fileprivate static func appNotAdded(_ clientID: String, _ reason: String) -> Self {
    Self(
      id: failureID, style: .warning, title: tr("The App Was Created but Not Added"),
      text: join([
        tr("The client ID is {id}. Copy it, and add the app later.", ["id": clientID]), reason,
      ]),
      buttons: [Button(label: tr("Copy Client _ID"), action: .copy(clientID))],
      canBeDismissed: true)
  }
}
