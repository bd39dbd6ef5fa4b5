public import AuthCore
import Connections
import Localization

/// A sign-out of which a part failed, and can be tried again.
struct UnfinishedSignOut {
  var account: Account
  var choice: SignOutChoice
  var result: SignOutResult
}

extension AccountModel {
  /// What to ask before *Sign Out*; nil when nobody is signed in.
  public func makeSignOutQuestion() async -> SignOutQuestion? {
    guard let account, let username = state.username else { return nil }
    let isSharedDevice = connection.application.isSharedDevice
    return SignOutQuestion(
      username, hasPage: await hasSessionToEnd(),
      isShared: isSharedDevice ? false : await application.isUsedByOtherApps(account),
      isSharedDevice: isSharedDevice, last: preferences.signOutChoice)
  }

  /// *Sign Out*: removes the account and its tokens from this app, and does what `choice` adds; on
  /// a shared device, removes all accounts.
  ///
  /// Each part is tried, even if another fails. A notice tells what failed. A call of the API is
  /// canceled.
  @discardableResult
  public func signOut(_ choice: SignOutChoice = .thisApp) -> Task<Void, Never>? {
    guard let account else { return nil }
    cancelCall()
    return start(.signingOut) {
      self.preferences.signOutChoice = choice
      await self.signOut(account, choice, repeating: nil)
    }
  }

  /// Cancels a call of the API, so that other work can start once it has ended.
  private func cancelCall() {
    guard state.activity == .callingGraph else { return }
    work.letOthersStart()
    work.cancel()
  }

  /// What to ask before *Sign Out All Accounts*; nil when nobody is signed in.
  ///
  /// - Parameter others: the applications of other connections.
  public func makeSignOutAllQuestion(
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
    return SignOutQuestion(
      nil, hasPage: account == nil ? false : await hasSessionToEnd(),
      isShared: !isSharedDevice && isShared, isSharedDevice: isSharedDevice,
      last: preferences.signOutChoice)
  }

  /// *Sign Out All Accounts*: removes all accounts of this connection and of `others`, and does
  /// what `choice` adds; only the sign-in page of this connection is signed out.
  @discardableResult
  public func signOutAll(
    _ choice: SignOutChoice, _ others: [PublicClientApplication]
  ) -> Task<Void, Never>? {
    cancelCall()
    return start(.signingOut) {
      self.preferences.signOutChoice = choice
      let selected = self.account
      // The only one with the sign-in page, and with a notice about what failed.
      if let selected { await self.signOut(selected, choice, repeating: nil) }
      var failures: [AuthenticationError] = []
      for application in [self.application] + others {
        failures += await self.signOutAll(of: application, wiping: choice == .everywhere)
      }
      self.accounts.forgetBrokerAccounts()
      await self.updateAccount()
      failures.forEach(self.logSigningOut)
      if selected == nil, failures.isEmpty { self.reportSignOut() }
    }
  }

  /// Signs all accounts of an application out.
  ///
  /// - Returns: the errors, of what remains.
  private func signOutAll(
    of application: PublicClientApplication, wiping: Bool
  ) async -> [AuthenticationError] {
    var parameters = SignOutParameters()
    parameters.wipeAccount = wiping
    var failures: [AuthenticationError] = []
    for account in await application.accounts() where !Task.isCancelled {
      do throws(AuthenticationError) {
        failures += try await application.signOut(account, parameters: parameters).failures
      } catch {
        failures.append(error)
      }
    }
    return failures
  }

  private func reportSignOut() {
    conclude(tr("Sign out completed successfully"))
    toasts.tell(tr("Sign out completed successfully"))
  }

  private func logSigningOut(_ error: AuthenticationError) {
    log(tr("Couldn't sign out account with error: {error}", ["error": error.sentence]), error)
  }

  /// *Try Again*: repeats the parts of the last sign-out that failed.
  @discardableResult
  public func signOutAgain() -> Task<Void, Never>? {
    guard let unfinished = unfinishedSignOut else { return nil }
    return start(.signingOut) {
      await self.signOut(unfinished.account, unfinished.choice, repeating: unfinished.result)
    }
  }

  /// *Dismiss*: accepts that a part of the last sign-out failed.
  public func dismissSignOut() {
    unfinishedSignOut = nil
    state.notices.removeAll { $0.id == AccountState.Notice.signOutID }
  }

  private func signOut(
    _ account: Account, _ choice: SignOutChoice, repeating earlier: SignOutResult?
  ) async {
    dismissSignOut()
    logStep(tr("Signing out..."))
    var parameters = SignOutParameters()
    let endsSession = choice != .thisApp || connection.application.isSharedDevice
    if endsSession, await hasSessionToEnd() { parameters.session = signOutSession() }
    parameters.wipeAccount = choice == .everywhere
    parameters.earlier = earlier
    do throws(AuthenticationError) {
      let result = try await application.signOut(account, parameters: parameters)
      await updateAccount(removing: account)
      guard result.failures.isEmpty else {
        for failure in result.failures { logSigningOut(failure) }
        unfinishedSignOut = UnfinishedSignOut(account: account, choice: choice, result: result)
        return state.notices.append(.signedOutInPart(result))
      }
      reportSignOut()
    } catch {
      await updateAccount()
      logSigningOut(error)
    }
  }

  /// Shows the sign-out page where the user signs in.
  private func signOutSession() -> any WebAuthenticationSession {
    usesBrowser ? desktop.browserSession() : desktop.embeddedSession { _ in }
  }

  /// Whether the user signs in with the browser, which always keeps a session.
  private var usesBrowser: Bool { !ways.contains(.embedded) || desktop.preferredWay == .browser }

  /// Whether the sign-in service has a sign-out page, and may have a session to end.
  private func hasSessionToEnd() async -> Bool {
    guard connection.application.isSharedDevice || preferences.keepsWebSession || usesBrowser
    else { return false }
    // Microsoft's services always have one.
    if connection.application.authority.kind.isMicrosofts { return true }
    return await application.hasSignOutPage()
  }
}

extension AccountState.Notice {
  static let signOutID = "sign-out"

  /// A part of a sign-out failed.
  static func signedOutInPart(_ result: SignOutResult) -> Self {
    let rest = [
      result.removal.error.map { _ in
        tr(
          "The account could not be removed from where it is kept. It is removed as soon as that is"
            + " available again.")
      },
      result.wipe.error.map { _ in tr("Other apps may still have the account.") },
      result.broker.error.map { _ in tr("The identity broker may still list the account.") },
      result.browserSession.error.map { _ in tr("The sign-in page may still remember you.") },
    ]
    let parts = [tr("Signed out here.")] + rest.compactMap(\.self)
    return Self(
      id: signOutID, style: .warning, text: join(parts),
      buttons: [
        Button(label: tr("Try _Again"), action: .signOutAgain),
        Button(label: tr("_Dismiss"), action: .dismissSignOut),
      ])
  }
}
