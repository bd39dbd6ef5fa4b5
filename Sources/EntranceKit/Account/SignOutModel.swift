public import AuthCore
import Connections
import Localization

/// A sign-out that failed in part; the failed parts can be repeated.
struct UnfinishedSignOut {
  var account: Account
  var choice: SignOutChoice
  var result: SignOutResult
}

/// Signs the accounts of a window out, and shows which parts failed.
@MainActor
public final class SignOutModel {
  private let window: WindowModel
  private let requests: Observers<AccountRequest>
  /// The last sign-out, if a part of it failed.
  private var unfinished: UnfinishedSignOut?
  private var observer: Observer?

  private var status: WindowStatus { window.status }
  private var workspace: Workspace { window.workspace }
  private var connection: Connection { workspace.connection }
  private var application: PublicClientApplication { workspace.application }
  private var preferences: Preferences { workspace.preferences }
  private var account: Account? { status.accounts.selected }

  /// Creates the model of the sign-outs of `window`.
  ///
  /// - Parameter requests: gets what the page has to show.
  init(_ window: WindowModel, _ requests: Observers<AccountRequest>) {
    self.window = window
    self.requests = requests
    observer = window.storage.changes.add { [weak self] in self?.followAccounts() }
  }

  /// The account has signed in again.
  private func followAccounts() {
    if account != nil, account == unfinished?.account { dismiss() }
  }

  /// Asks whether to sign an account out, and follows the answer.
  ///
  /// - Parameter id: the account; nil for the selected one.
  public func ask(_ id: AccountRow.ID? = nil) {
    Task {
      guard let id = id ?? status.accounts.selectedID, let question = await makeQuestion(id)
      else { return }
      requests.notify(.signOut(question) { self.signOut($0, id) })
    }
  }

  /// Asks whether to sign all accounts out, also those of `others`, and follows the answer.
  public func askForAll(_ others: [PublicClientApplication]) {
    Task {
      guard let question = await makeQuestionForAll(others) else {
        return status.toasts.notify(tr("No account is signed in."))
      }
      requests.notify(.signOut(question) { self.signOutAll($0, others) })
    }
  }

  /// The question before *Sign Out*; nil when the account is not signed in.
  ///
  /// - Parameter id: the account; nil for the selected one.
  public func makeQuestion(_ id: AccountRow.ID? = nil) async -> SignOutQuestion? {
    guard let account = account(id) else { return nil }
    let isSharedDevice = connection.application.isSharedDevice
    let hasPage = await hasSessionToEnd()
    return SignOutQuestion(
      workspace.privacy.shown(status.accounts.text(of: account)), of: shownName(connection),
      and: appsSharing(account), hasPage: hasPage, remark: remark(hasPage: hasPage),
      isShared: isSharedDevice ? false : await application.isUsedByOtherApps(account),
      isSharedDevice: isSharedDevice, last: preferences.signOutChoice)
  }

  private func account(_ id: AccountRow.ID?) -> Account? {
    guard let id else { return account }
    return status.accounts.account(id.account)
  }

  /// The names of the other apps that an account is signed out of, too: those with the same client ID.
  private func appsSharing(_ account: Account) -> [String] {
    window.desktop.connections
      .filter { $0.name != connection.name && connection.shares(account, with: $0) }
      .map { shownName($0) }
  }

  /// The name of an app for use within a sentence.
  private func shownName(_ connection: Connection) -> String {
    tr("“{name}”", ["name": workspace.privacy.shown(connection.name.plain)])
  }

  /// *Sign Out*: removes the account and its tokens from this app, and does what `choice` adds; on
  /// a shared device, removes all accounts.
  ///
  /// Each part is tried, even if another fails. A notice tells what failed. Work that only reads,
  /// such as a call of the API, is canceled. If the window is closed meanwhile, all but the sign-out
  /// page is done.
  /// - Parameter id: the account; nil for the selected one.
  @discardableResult
  public func signOut(
    _ choice: SignOutChoice = .thisApp, _ id: AccountRow.ID? = nil
  ) -> Task<Void, Never>? {
    guard let account = account(id) else { return nil }
    return status.startConfirmed(.signingOut) {
      self.preferences.signOutChoice = choice
      await self.signOutAndReport(account, choice, repeating: nil)
    }
  }

  /// The question before *Sign Out All Accounts*; nil when nobody is signed in.
  ///
  /// - Parameter others: the applications of other connections.
  public func makeQuestionForAll(
    _ others: [PublicClientApplication]
  ) async -> SignOutQuestion? {
    let isSharedDevice = connection.application.isSharedDevice
    var (isEmpty, isShared) = (true, false)
    for application in [application] + others {
      for account in await application.accounts() {
        isEmpty = false
        if !isShared { isShared = await application.isUsedByOtherApps(account) }
      }
    }
    guard !isEmpty else { return nil }
    let hasPage = account == nil ? false : await hasSessionToEnd()
    return SignOutQuestion(
      nil, of: others.isEmpty ? shownName(connection) : "Entrance",
      hasPage: hasPage, remark: account == nil ? nil : remark(hasPage: hasPage),
      isShared: !isSharedDevice && isShared, isSharedDevice: isSharedDevice,
      last: preferences.signOutChoice)
  }

  /// *Sign Out All Accounts*: removes all accounts of this connection and of `others`, and does
  /// what `choice` adds; only the sign-in page of this connection is signed out.
  @discardableResult
  public func signOutAll(
    _ choice: SignOutChoice, _ others: [PublicClientApplication]
  ) -> Task<Void, Never>? {
    status.startConfirmed(.signingOut) {
      self.preferences.signOutChoice = choice
      self.dismiss()
      let selected = self.account
      // The only one with the sign-in page, and with a notice about what failed.
      var isComplete = true
      if let selected { isComplete = await self.signOut(selected, choice, repeating: nil) }
      var failures: [AuthenticationError] = []
      for application in [self.application] + others {
        let (gone, errors) = await self.signOutAll(
          of: application, wiping: choice == .everywhere)
        if application === self.application { await self.status.accounts.forget(gone) }
        failures += errors
      }
      self.status.accounts.forgetBrokerAccounts()
      await self.window.storage.read(.change)
      // The notice about the selected account has a button to repeat what failed.
      let isInNotice = self.unfinished == nil
      for failure in failures { self.logSigningOut(failure, isInNotice: isInNotice) }
      guard failures.isEmpty else {
        if isInNotice { self.status.put(.remainingAccounts(failures)) }
        return
      }
      if isComplete { self.reportCompletion() }
    }
  }

  /// Signs all accounts of an application out.
  ///
  /// - Returns: the accounts that are signed out, and the errors of those that remain.
  private func signOutAll(
    of application: PublicClientApplication, wiping: Bool
  ) async -> (gone: [Account], failures: [AuthenticationError]) {
    var parameters = SignOutParameters()
    parameters.wipeAccount = wiping
    var (gone, failures): ([Account], [AuthenticationError]) = ([], [])
    for account in await application.accounts() where !Task.isCancelled {
      do throws(AuthenticationError) {
        failures += try await application.signOut(account, parameters: parameters).failures
        gone.append(account)
      } catch {
        failures.append(error)
      }
    }
    return (gone, failures)
  }

  /// Logs `text`, and shows `toast`; the status line would repeat it.
  private func report(_ text: String, toast: String) {
    status.log(text, [], isInNotice: true)
    status.toasts.notify(toast)
  }

  /// Reports that nobody is signed in any more; the log has the words of Microsoft's tutorial, which
  /// are too long for a toast.
  private func reportCompletion() {
    report(tr("Sign out completed successfully"), toast: tr("Signed out"))
  }

  /// Reports that `account` is signed out; if others remain, which one left, and which is used now.
  private func report(_ account: String, wasSelected: Bool) {
    guard let next = status.accounts.selectedRow else { return reportCompletion() }
    var texts = [tr("Signed out {account}.", ["account": account])]
    if wasSelected { texts.append(tr("Switched to {account}.", ["account": next.wholeTitle])) }
    report(join(texts), toast: join(texts))
  }

  private func logSigningOut(_ error: AuthenticationError, isInNotice: Bool = false) {
    status.log(
      tr("Couldn't sign out account with error: {error}", ["error": error.sentence]), error,
      isInNotice: isInNotice)
  }

  /// *Try Again*: repeats the parts of the last sign-out that failed.
  @discardableResult
  public func tryAgain() -> Task<Void, Never>? {
    guard let unfinished else { return nil }
    return status.startConfirmed(.signingOut) {
      await self.signOutAndReport(
        unfinished.account, unfinished.choice, repeating: unfinished.result)
    }
  }

  /// *Dismiss*: accepts that a part of the last sign-out failed.
  public func dismiss() {
    unfinished = nil
    status.remove(Notice.signOutID)
  }

  private func signOutAndReport(
    _ account: Account, _ choice: SignOutChoice, repeating earlier: SignOutResult?
  ) async {
    let (text, wasSelected) = (status.accounts.text(of: account), account == self.account)
    guard await signOut(account, choice, repeating: earlier) else { return }
    report(text, wasSelected: wasSelected)
  }

  /// Signs an account out.
  ///
  /// - Returns: whether each part was done; otherwise a notice or the log says which was not.
  private func signOut(
    _ account: Account, _ choice: SignOutChoice, repeating earlier: SignOutResult?
  ) async -> Bool {
    dismiss()
    status.logStep(tr("Signing out..."))
    var parameters = SignOutParameters()
    let endsSession = choice != .thisApp || connection.application.isSharedDevice
    if endsSession, await hasSessionToEnd(), !status.isClosed {
      parameters.session = SignOutPage(signOutSession(), of: status)
    }
    parameters.wipeAccount = choice == .everywhere
    parameters.earlier = earlier
    // On a shared device, all accounts go.
    let others = connection.application.isSharedDevice ? status.accounts.all : []
    do throws(AuthenticationError) {
      let result = try await application.signOut(account, parameters: parameters)
      await status.accounts.forget([account] + others)
      await window.storage.read(.change)
      guard result.failures.isEmpty else {
        for failure in result.failures { logSigningOut(failure, isInNotice: true) }
        unfinished = UnfinishedSignOut(account: account, choice: choice, result: result)
        status.put(.signedOutInPart(result, of: shownName(connection)))
        return false
      }
      return true
    } catch {
      await window.storage.read(.change)
      logSigningOut(error)
      return false
    }
  }

  /// Shows the sign-out page where the user signs in.
  private func signOutSession() -> any WebAuthenticationSession {
    usesBrowser ? window.desktop.browserSession() : window.desktop.embeddedSession(switchTo: nil)
  }

  /// Whether the user signs in with the browser, which always keeps a session.
  private var usesBrowser: Bool {
    !connection.signInWays.contains(.embedded) || window.desktop.preferredWay == .browser
  }

  /// What the question says of a session that stays, because the service has no page to end it; nil
  /// for nothing.
  private func remark(hasPage: Bool) -> String? {
    guard !hasPage else { return nil }
    if usesBrowser {
      return tr("This sign-in service has no sign-out page: the browser stays signed in.")
    }
    return preferences.keepsWebSession
      ? tr(
        "This sign-in service has no sign-out page: its session stays until you choose “Delete Now”"
          + " in the preferences.") : nil
  }

  /// Whether the sign-in service has a sign-out page, and may have a session to end.
  private func hasSessionToEnd() async -> Bool {
    guard connection.application.isSharedDevice || preferences.keepsWebSession || usesBrowser
    else { return false }
    // Microsoft's services always have one.
    if connection.application.authority.kind.isMicrosofts { return true }
    return await application.hasSignOutPage()
  }
}

extension Notice {
  static let signOutID = "sign-out"

  /// The notice that a part of a sign-out failed.
  static func signedOutInPart(_ result: SignOutResult, of app: String) -> Self {
    let rest = [
      result.removal.error.map { _ in
        tr(
          "The account could not be removed from storage. Entrance removes it when storage is"
            + " available again.")
      },
      result.wipe.error.map { _ in tr("Other apps may still have the account.") },
      result.broker.error.map { _ in tr("The identity broker may still list the account.") },
      result.browserSession.error.map { _ in tr("The sign-in page may still remember you.") },
    ]
    let first = tr(
      "You are signed out of {app}, but not everything was removed.", ["app": app])
    let parts = [first] + rest.compactMap(\.self)
    return Self(
      id: signOutID, style: .warning, text: join(parts),
      buttons: [
        Button(label: tr("Try _Again"), action: .signOutAgain),
        Button(label: tr("Di_smiss"), action: .dismissSignOut),
      ], details: reasons(result.failures))
  }

  /// The notice that accounts are still signed in after *Sign Out All Accounts*.
  static func remainingAccounts(_ failures: [AuthenticationError]) -> Self {
    Self(
      id: signOutID, style: .warning, text: tr("Some accounts could not be signed out."),
      details: reasons(failures), canBeDismissed: true)
  }
}
