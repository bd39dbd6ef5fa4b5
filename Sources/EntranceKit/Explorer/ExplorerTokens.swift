import AuthCore
import CurlHTTP
import FoundationEssentials
import HTTPTypes
import Localization
import MicrosoftGraph

/// Gets the tokens of the Explorer's requests from the window's ``TokenSource``, each in the
/// window's turn.
@MainActor
final class ExplorerTokens {
  /// There is no token, which the window has said.
  private struct NoToken: LocalizedError {
    let errorDescription: String?
  }

  private let window: WindowModel
  private var status: WindowStatus { window.status }
  private var show: (ExplorerState.Work) -> Void = { _ in }
  /// Repeats the work that needs tokens; nil while there is none.
  private var tryAgain: (@MainActor () -> Void)?
  private var sentAt: ContinuousClock.Instant?
  /// The account that was selected when the work started, for which it gets tokens.
  private(set) var sender: AccountRow.ID?
  /// The account that the request is sent for; nil for the ``sender``.
  private var other: AccountRow?
  /// The token of the requests since the beginning, such as those for the pages of a list.
  private var token: AuthenticationResult?
  /// Whether a notice above the pages says why there was no token.
  private(set) var isRefusalInNotice = false
  /// The permissions that accounts have granted on this page, besides those of the app.
  private var permissions: [AccountKey: [String]] = [:]

  init(_ window: WindowModel) {
    self.window = window
  }

  /// Starts work that needs tokens.
  ///
  /// - Parameter tryAgain: repeats the work, when there was no token and the user says so; once another account
  ///   is selected, only removes the notice.
  func start(tryAgain: @escaping @MainActor () -> Void) {
    let sender = status.accounts.selectedID
    self.sender = sender
    self.tryAgain = { [weak self] in
      guard let self else { return }
      if status.accounts.selectedID == sender { tryAgain() } else { status.dismissFailure() }
    }
  }

  /// The work has ended, and what it knew is not kept.
  func end() { tryAgain = nil }

  /// Begins a request.
  ///
  /// - Parameters:
  ///   - other: the account that it is sent for; nil for the ``sender``.
  ///   - show: shows what is done.
  func begin(for other: AccountRow? = nil, _ show: @escaping (ExplorerState.Work) -> Void) {
    self.show = show
    self.other = other
    (sentAt, token, isRefusalInNotice) = (nil, nil, false)
  }

  /// How long it has been since the request was sent; nil when it was not.
  var timeSinceSending: Duration? { sentAt.map { .now - $0 } }

  private func acquire(
    _ claims: ClaimsRequest?, _ forceRefresh: Bool
  ) async throws -> Secret<String> {
    if claims == nil, !forceRefresh, let usableToken { return usableToken.authorizationHeader }
    show(.gettingToken)
    var problem: String?
    let result = await status.inTurn(tryAgain: tryAgain, isOfExplorer: true) {
      if let other = self.other {
        do throws(AuthenticationError) {
          return try await self.window.tokens.token(
            of: other.id, claims: claims, forceRefresh: forceRefresh,
            permissions: self.permissions[other.id.account] ?? [])
        } catch {
          problem = Self.text(error, other)
          return nil
        }
      }
      guard self.isSenderSelected else { return nil }
      // Before another request has the turn.
      defer { problem = self.takeProblem() }
      let more = self.granted
      guard let account = self.status.accounts.selected, claims != nil || forceRefresh else {
        return await self.window.tokens.token(permissions: more)
      }
      return await self.window.tokens.silentToken(
        for: account, claims: claims, forceRefresh: forceRefresh, permissions: more)
    }
    try Task.checkCancellation()
    // The accounts may have been read again, and the sender is gone.
    if other == nil, !isSenderSelected {
      throw NoToken(
        errorDescription: tr(
          "The account was switched before there was a token. Send the request again."))
    }
    guard let result else {
      isRefusalInNotice = other == nil && problem == nil
      throw NoToken(errorDescription: problem ?? tr("There is no token for this account."))
    }
    show(.sending)
    (sentAt, token) = (.now, result)
    return result.authorizationHeader
  }

  /// The token, if it can be used for another request: nobody has signed out, and it does not expire
  /// soon.
  private var usableToken: AuthenticationResult? {
    guard let token, token.expiresOn > window.workspace.now() + 300 else { return nil }
    let isThere =
      other.map { status.accounts.account($0.id.account) != nil }
      ?? status.accounts.isSelected(token)
    return isThere ? token : nil
  }

  /// The account that the request is sent for; nil when it has left.
  var account: Account? { (other?.id ?? sender).flatMap { status.accounts.account($0.account) } }

  /// Whether the account that the request is sent for has left.
  var isAccountGone: Bool {
    guard let id = other?.id ?? sender else { return false }
    return !status.accounts.has(id.account)
  }

  /// Why the window's last request brought no token; nil when a notice says it.
  ///
  /// The Explorer says it in place of the status line, which is on another page.
  private func takeProblem() -> String? {
    let problem = window.tokens.problem
    if problem != nil { status.removeOutcome() }
    return problem
  }

  /// Whether nobody has switched to another account since the work started.
  private var isSenderSelected: Bool { status.accounts.selectedID == sender }

  private static func text(_ refusal: AuthenticationError, _ account: AccountRow) -> String {
    guard refusal.code.nextStep == .signIn else { return tr(refusal.sentence) }
    return tr(
      "{account} has to sign in first: switch to this account, and send a request.",
      ["account": account.logText])
  }

  private var granted: [String] {
    status.accounts.selected.flatMap { permissions[AccountKey($0)] } ?? []
  }

  /// Asks the user for more permissions.
  ///
  /// - Parameter say: says why they were not granted, unless a notice does.
  /// - Returns: whether they were granted.
  func request(
    _ names: [String], show: @escaping (ExplorerState.Work) -> Void, say: (String) -> Void
  ) async -> Bool {
    show(.gettingToken)
    guard let account = status.accounts.selected else { return false }
    let cloud = GraphCloud(of: account)
    let all = granted + names.map(cloud.scope).filter { !granted.contains($0) }
    var problem: String?
    let result = await status.inTurn(tryAgain: tryAgain, isOfExplorer: true) {
      defer { problem = self.takeProblem() }
      return await self.window.tokens.signIn(account, permissions: all)
    }
    guard !Task.isCancelled else { return false }
    if let problem { say(problem) }
    guard result != nil else { return false }
    permissions[AccountKey(account)] = all
    return true
  }
}

extension ExplorerTokens: GraphTokenSource {
  nonisolated func authorization(
    for request: HTTPRequest, claims: ClaimsRequest?, forceRefresh: Bool
  ) async throws -> Secret<String> {
    try await acquire(claims, forceRefresh)
  }
}
