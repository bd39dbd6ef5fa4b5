import AuthCore
import Connections
import Localization
import MicrosoftGraph
import Sentences

/// A call of the connection's API for the account page, with a token that was just acquired.
///
/// Other work can start during the call. It belongs to the account that it was made for, whichever
/// is selected meanwhile, and is canceled when that account is signed out.
@MainActor
final class GraphCall {
  private let window: WindowModel
  /// Makes another call, if its account is still selected; else it removes the notice.
  private let tryAgain: @MainActor () -> Void
  /// The account that it is for, and its name.
  private let id: AccountRow.ID?
  private let name: String?
  private var token: AuthenticationResult
  /// What the token is for: the connection can be edited meanwhile.
  private var connection: Connection
  private var graph: GraphClient
  /// Whether nothing is sent during a pause that the API has asked for.
  private let obeysPauses: Bool

  private var status: WindowStatus { window.status }
  private var account: Account { token.account }

  /// Prepares a call for the selected account, whose token it is, in the window's turn.
  ///
  /// - Parameters:
  ///   - obeysPauses: whether nothing is sent during a pause that the API has asked for.
  ///   - tryAgain: makes another call for the selected account.
  init(
    _ window: WindowModel, with token: AuthenticationResult, obeysPauses: Bool,
    tryAgain: @escaping @MainActor () -> Void
  ) {
    self.window = window
    self.token = token
    self.obeysPauses = obeysPauses
    let id = window.status.accounts.selectedID
    self.id = id
    self.tryAgain = { [weak status = window.status] in
      guard let status else { return }
      if status.accounts.selectedID == id { tryAgain() } else { status.dismissFailure() }
    }
    name = window.status.accounts.selectedRow?.logText
    (connection, graph) = (window.workspace.connection, window.workspace.graph)
  }

  /// Calls the API, and shows the outcome.
  ///
  /// - Parameter cancel: cancels the task that calls this, when the account is signed out.
  func send(cancel: @escaping @MainActor () -> Void) async {
    let observer = status.accounts.removals.add { [weak self] in
      if let self, !isSignedIn { cancel() }
    }
    defer { withExtendedLifetime(observer) {} }
    // The account may have been signed out since the token was acquired.
    if !isSignedIn { cancel() }
    do throws(GraphError) {
      guard let found = try await response() else { return }
      await show(found)
      if isSelected { status.accounts.fetchPicture(with: token, from: graph, at: connection) }
    } catch {
      let reason = await self.reason(of: error)
      let isInNotice =
        isSelected
        && (status.show(error, of: graph.service, tryAgain: tryAgain)
          || status.show(error, because: reason, tryAgain: tryAgain))
      let advice = error.failureKind.flatMap { Notice.advice(for: $0, at: connection) }
      conclude(
        tr("Couldn't get graph result: {error}", ["error": reason]),
        [advice].compactMap(\.self) + error.details.map { tr($0) }, .failure,
        isInNotice: isInNotice)
    }
  }

  // MARK: - The request

  /// Gets the response; repeats the request once with a new token, when the API rejects this one or
  /// sends a claims challenge.
  ///
  /// - Returns: the response; nil when there is no new token, and the user was told why.
  private func response() async throws(GraphError) -> GraphResponse? {
    do throws(GraphError) {
      return try await ask()
    } catch {
      guard error.code == .unauthorized || error.claims != nil else { throw error }
      // A turn would remove the notices of the account that is selected now.
      guard isSelected else { throw error }
      var isAsked = false
      let renewed = await status.inTurn(tryAgain: tryAgain) {
        // The window gets tokens for the selected account only.
        guard self.isSelected else { return nil }
        isAsked = true
        return await self.renew(error.claims)
      }
      guard renewed != nil else {
        if isAsked { return nil }
        throw error
      }
      return try await ask()
    }
  }

  private func ask() async throws(GraphError) -> GraphResponse {
    status.logStep(
      tr("Performing request..."), .request, title: "GET \(connection.api)", of: account)
    var client = graph.authorized(
      by: token.authorizationHeader, of: account, in: window.workspace.application)
    if !obeysPauses { client.pauses = nil }
    return try await client.get(GraphPath(url: connection.api))
  }

  private func renew(_ claims: ClaimsRequest?) async -> AuthenticationResult? {
    let renewed = await window.tokens.silentToken(
      for: account, claims: claims, forceRefresh: true)
    guard let renewed else { return nil }
    token = renewed
    (connection, graph) = (window.workspace.connection, window.workspace.graph)
    return renewed
  }

  // MARK: - The outcome

  /// Why the call failed; of a refusal, what the Explorer says.
  private func reason(of error: GraphError) async -> String {
    if error.code == .forbidden,
      let explanation = await window.explanation(of: .get, at: connection.api, for: id)
    {
      return join([PermissionExplanation.refusal] + explanation.sentences)
    }
    return tr(error.reason(at: connection.api))
  }

  private func show(_ response: GraphResponse) async {
    let heading = status.accounts.naming(heading(of: response), name)
    if response.body.count > FoldedText.shownAtFirst, !Task.isCancelled {
      status.letOthersStart(during: .preparingResponse)
    }
    do throws(CancellationError) {
      let document = try await ResponseDocument.make(of: response.body, heading: heading)
      guard isSignedIn else { throw CancellationError() }
      guard let document else { return concludeWithoutJSON(response) }
      show(outcome: tr("The result from Graph is in the log."))
      status.activity.add(
        .response, LogMessage(document), account: account.username,
        title: tr(
          "Response with status {status}, {size}",
          ["status": response.status, "size": ByteSize.text(response.body.count)]))
    } catch {
      let reason = Sentence("The request was canceled.")
      conclude(tr("Couldn't get graph result: {error}", ["error": reason]))
    }
  }

  private func concludeWithoutJSON(_ response: GraphResponse) {
    let text = tr("Couldn't deserialize result JSON")
    guard NetworkPage.isPage(response.contentType, response.body) else { return conclude(text) }
    let notice = Notice.networkPage(inPlaceOf: graph.service)
    if isSelected { status.put(failure: notice, tryAgain: tryAgain) }
    conclude(text, [notice.text], .failure, isInNotice: isSelected)
  }

  private func heading(of response: GraphResponse) -> [String] {
    guard connection.isExternalID else { return [tr("Result from Graph: {json}", ["json": ""])] }
    return [
      tr("Accessed API successfully using access token."),
      "    " + tr("HTTP response code: {status}", ["status": String(response.status)]),
      "    " + tr("HTTP response body: {json}", ["json": ""]),
    ]
  }

  /// Logs the outcome, and shows it in the status line, unless a notice says it already.
  private func conclude(
    _ text: String, _ details: [String] = [], _ kind: ActivityEvent.Kind = .information,
    isInNotice: Bool = false
  ) {
    let lines = [text] + details.map { "    \($0)" }
    status.activity.add(
      kind, LogMessage(lines: isOfOtherAccount ? status.accounts.naming(lines, name) : lines),
      account: isSignedIn ? account.username : nil)
    if !isInNotice { show(outcome: text) }
  }

  private func show(outcome: String) {
    let name = isOfOtherAccount ? name : nil
    status.show(
      outcome: name.map { tr("{name}: {text}", ["name": $0, "text": outcome]) } ?? outcome)
  }

  // MARK: - The account

  private var isSelected: Bool { status.accounts.selectedID == id }

  private var isSignedIn: Bool { status.accounts.has(AccountKey(account)) }

  /// Whether the call is for another account than the selected one, which is still signed in.
  private var isOfOtherAccount: Bool { !isSelected && isSignedIn }
}
