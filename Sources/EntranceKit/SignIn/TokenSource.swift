import AuthCore
import Connections
import Localization
import Sentences

/// Gets tokens for the pages of a window: silently if possible, else by a sign-in.
///
/// It logs what it does, and says why it failed.
@MainActor
public final class TokenSource {
  private let status: WindowStatus
  private let storage: AccountStorage
  private let clock: ClockCheck
  private let desktop: any SignInDesktop
  /// The sign-in in progress.
  private var signIn: SignIn?
  /// Why the last request brought no token; nil when it did, or a notice says it.
  private(set) var problem: String?
  /// The scopes of each account's last token.
  private var scopes: [AccountRow.ID: [String]] = [:]

  private var accounts: AccountList { status.accounts }
  private var workspace: Workspace { status.workspace }
  private var connection: Connection { workspace.connection }

  init(
    _ status: WindowStatus, _ storage: AccountStorage, _ clock: ClockCheck,
    _ desktop: any SignInDesktop
  ) {
    self.status = status
    self.storage = storage
    self.clock = clock
    self.desktop = desktop
  }

  /// Acquires a token for the selected account; for the one that signs in, if there is none.
  ///
  /// - Parameters:
  ///   - way: the way to sign in if necessary; nil for the preferred one.
  ///   - permissions: more permissions than the connection asks for.
  /// - Returns: the token; nil when there is none, and the user was told why.
  func token(
    signingInBy way: SignInWay? = nil, permissions: [String] = []
  ) async -> AuthenticationResult? {
    problem = nil
    await storage.read()
    guard let account = accounts.selected else { return await signIn(nil, by: way) }
    return await silentToken(for: account, by: way, permissions: permissions)
  }

  /// The scopes of the last token of an account and tenant, or of the stored ones before the first
  /// token; nil when none is known.
  func grantedScopes(of id: AccountRow.ID?) -> [String]? {
    guard let id else { return nil }
    if let known = scopes[id] { return known }
    guard let account = accounts.account(id.account),
      let kept = workspace.application.keptTokens(of: account, inTenant: id.tenantID),
      !kept.accessTokens.isEmpty
    else { return nil }
    return Set(kept.accessTokens.flatMap(\.scopes)).sorted()
  }

  /// Acquires a token from the cache or the server, or by a sign-in if necessary.
  ///
  /// - Parameters:
  ///   - claims: what an API asked for.
  ///   - forceRefresh: whether to ignore the cached token.
  ///   - way: the way to sign in if necessary; nil for the preferred one.
  ///   - permissions: more permissions than the connection asks for.
  func silentToken(
    for account: Account, claims: ClaimsRequest? = nil, forceRefresh: Bool = false,
    by way: SignInWay? = nil, permissions: [String] = []
  ) async -> AuthenticationResult? {
    problem = nil
    var parameters = SilentTokenParameters(
      scopes: connection.scopes + permissions, account: account)
    parameters.claims = claims
    parameters.authority = accounts.tenantAuthority
    parameters.forceRefresh = forceRefresh
    status.logStep(tr("Acquiring token silently..."))
    do throws(AuthenticationError) {
      let result = try await workspace.application.acquireTokenSilent(parameters)
      guard accounts.isSelected(result) else {
        refuse(result) {
          await $0.signIn(
            account, claims: claims, by: way, permissions: permissions, inPrivateSession: true)
        }
        return nil
      }
      accounts.noteSignIn(isNeeded: false)
      // Microsoft's tutorial says "Refreshed" also of a token that was stored.
      log(
        result,
        result.source == .cache
          ? tr("Access token is {token}", ["token": ""])
          : tr("Refreshed Access token is {token}", ["token": ""]))
      clock.check(result)
      await storage.check()
      return result
    } catch {
      await storage.check(after: error)
      if error.code != .interactionRequired {
        problem = status.logMissingToken(
          tr("Could not acquire token silently: {error}", ["error": error.sentence]), error)
      }
      if error.code == .interactionRequired { accounts.noteSignIn(isNeeded: true) }
      guard error.code.nextStep == .signIn else {
        await storage.check()
        return nil
      }
      return await signIn(
        account, claims: error.claims ?? claims, by: way, permissions: permissions)
    }
  }

  /// Acquires a token for an account that need not be the selected one, never by a sign-in.
  ///
  /// - Returns: the token; nil when it is not that of the account and tenant.
  func token(
    of id: AccountRow.ID, claims: ClaimsRequest?, forceRefresh: Bool, permissions: [String]
  ) async throws(AuthenticationError) -> AuthenticationResult? {
    guard let account = accounts.account(id.account) else { return nil }
    var parameters = SilentTokenParameters(
      scopes: connection.scopes + permissions, account: account)
    (parameters.claims, parameters.forceRefresh) = (claims, forceRefresh)
    parameters.authority = accounts.authority(of: account, in: id.tenantID)
    let result = try await workspace.application.acquireTokenSilent(parameters)
    await storage.check()
    let isInTenant = id.tenantID == nil || id.tenantID == result.tenantID
    guard result.account == account, isInTenant else { return nil }
    scopes[id] = result.scopes.sorted()
    return result
  }

  /// Acquires a token with the user.
  ///
  /// - Parameters:
  ///   - account: the selected account; nil to select the account that signs in.
  ///   - organization: a tenant to select for the account; nil for the selected one.
  ///   - way: the way to sign in; nil for the preferred one.
  ///   - permissions: more permissions than the connection asks for.
  ///   - inPrivateSession: whether the sign-in window begins without the session that it has kept.
  func signIn(
    _ account: Account?, claims: ClaimsRequest? = nil, organization: Authority? = nil,
    by way: SignInWay? = nil, permissions: [String] = [], inPrivateSession: Bool = false
  ) async -> AuthenticationResult? {
    problem = nil
    guard !Repetition.isByItself else {
      let error = AuthenticationError(
        .interactionRequired,
        Sentence("The request was not repeated, because you have to sign in first."))
      problem = status.logMissingToken(
        tr("Could not acquire token: {error}", ["error": error.sentence]), error)
      return nil
    }
    if await storage.warnsBeforeSignIn() { return nil }
    var parameters = SignInParameters(scopes: connection.scopes + permissions)
    parameters.account = account
    parameters.prompt = account == nil ? .selectAccount : .promptIfNecessary
    parameters.claims = claims
    parameters.authority = organization ?? (account == nil ? nil : accounts.tenantAuthority)
    parameters.prefersEphemeralSession = inPrivateSession || !usesKeptSession(account)
    status.logStep(tr("Acquiring token interactively..."))
    let work = status.show(.signingIn)
    let (before, refusal) = (accounts.selectedID, status.notices[Notice.failureID])
    let signIn = SignIn(
      parameters, by: chosen(way), with: workspace.application, at: connection, on: desktop
    ) { [status] in status.show($0) }
    self.signIn = signIn
    defer {
      self.signIn = nil
      status.show(nil as SignInStep?)
      status.show(work)
    }
    do throws(AuthenticationError) {
      let result = try await signIn.run()
      let isAccepted = accept(result, for: account, selectsTenant: organization != nil)
      if !isAccepted {
        refuse(result) {
          await $0.signIn(
            account, claims: claims, organization: organization, by: way, permissions: permissions,
            inPrivateSession: true)
        }
      }
      // It told why the token was not renewed; what has failed meanwhile stays. But *Try Again* must
      // not repeat the work of another account for this one.
      let isSettled = accounts.selectedID != before || status.notices[Notice.failureID] == refusal
      if isAccepted, isSettled { status.dismissFailure() }
      await storage.read(.change)
      guard isAccepted else { return nil }
      log(result, tr("Access token is {token}", ["token": ""]))
      status.show(
        outcome: tr("Signed in as {username}.", ["username": result.account.username.shownName]))
      clock.check(result)
      reportEnd(of: signIn, .done)
      return result
    } catch {
      await storage.check(after: error)
      if error.isOwnCancellation {
        problem = status.logCanceledSignIn(error)
      } else {
        problem = status.logMissingToken(
          tr("Could not acquire token: {error}", ["error": error.sentence]), error,
          signIn: tr("Choose “Call Microsoft Graph API” to sign in again."), by: signIn.way)
      }
      if error.code != .userCanceled { reportEnd(of: signIn, .failed) }
      await storage.read()
      return nil
    }
  }

  /// Whether the sign-in window begins with the session that it has kept.
  ///
  /// Microsoft's services let another account be chosen there. With an OpenID Connect provider, the
  /// person of that session would be signed in again, or find a choice that never ends.
  private func usesKeptSession(_ account: Account?) -> Bool {
    let isAnother = account == nil && accounts.selected != nil
    let isSafe = !isAnother || connection.application.authority.kind != .oidc
    return workspace.preferences.keepsWebSession && isSafe
  }

  /// Tells that a sign-in has ended that takes place outside of this program's windows.
  private func reportEnd(of signIn: SignIn, _ outcome: EndedWork.Outcome) {
    if signIn.way != .embedded { status.endedWork.notify(EndedWork(.signIn, outcome)) }
  }

  private func chosen(_ way: SignInWay?) -> SignInWay {
    let way = way ?? desktop.preferredWay
    return connection.signInWays.contains(way) ? way : .browser
  }

  // MARK: - The sign-in in progress

  /// Changes the way of the sign-in in progress.
  ///
  /// - Returns: whether there is one.
  func use(_ way: SignInWay) -> Bool {
    signIn?.use(way)
    return signIn != nil
  }

  /// *Open Again*: opens the sign-in page in the browser again.
  public func openBrowserAgain() { signIn?.openBrowserAgain() }

  /// Ends the wait for the browser with a redirect that the desktop or the user passes in.
  ///
  /// - Returns: whether it is the response that the sign-in in progress waits for; otherwise it has
  ///   no effect.
  public func resumeSignIn(with url: String) -> Bool { signIn?.resume(with: url) ?? false }

  // MARK: - Whose token it is

  /// Selects the account of a sign-in, if it is the expected one.
  ///
  /// - Parameters:
  ///   - account: the expected account; nil for any.
  ///   - selectsTenant: whether the tenant of the result is selected too.
  /// - Returns: whether the result may be used.
  private func accept(
    _ result: AuthenticationResult, for account: Account?, selectsTenant: Bool
  ) -> Bool {
    if account == nil || selectsTenant && result.account == account {
      accounts.select(signedIn: result)
    } else if !accounts.isSelected(result) {
      return false
    }
    accounts.noteSignIn(isNeeded: false)
    return true
  }

  /// Tells that a token is not used, because it belongs to another account or tenant than the
  /// selected one.
  ///
  /// - Parameter signInAgain: signs in without the kept session, which may be the other account's.
  private func refuse(
    _ result: AuthenticationResult,
    signInAgain: @escaping @MainActor (TokenSource) async -> AuthenticationResult?
  ) {
    let row = AccountRow(
      result.account, result.account.tenantProfiles.first { $0.tenantID == result.tenantID },
      tenantID: nil, at: connection)
    let reason = tr(
      "The token was not used: it belongs to {other}, not to {selected}.",
      [
        "other": row.logText,
        "selected": accounts.selectedRow?.logText ?? tr("the selected account"),
      ])
    status.log(
      reason, [tr("To use that account, choose “Switch Account or App”.")], isInNotice: true)
    status.put(failure: .otherAccount(reason)) { [weak self] in
      guard let self else { return }
      _ = status.start(.signingIn) { _ = await signInAgain(self) }
    }
  }

  /// Logs `line`, and the token after it.
  private func log(_ result: AuthenticationResult, _ line: String) {
    if let id = accounts.selectedID { self.scopes[id] = result.scopes.sorted() }
    let scopes = result.scopes.sorted().joined(separator: " ")
    status.activity.add(
      .token, LogMessage(accounts.naming([line]), token: result.accessToken),
      account: result.account.username, title: tr("Access token for {scopes}", ["scopes": scopes]))
  }
}

extension AccountList {
  /// Lines about an account; its name is added above them when there are several accounts.
  ///
  /// - Parameter name: the account's name; nil for the selected account.
  func naming(_ lines: [String], _ name: String? = nil) -> [String] {
    guard rows.count > 1, let name = name ?? selectedRow?.logText else { return lines }
    return [tr("Account: {account}", ["account": name])] + lines
  }
}
