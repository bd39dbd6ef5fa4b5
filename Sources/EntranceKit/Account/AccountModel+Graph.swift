import AuthCore
import Connections
import Localization
import MicrosoftGraph
import Sentences

// The call of the connection's API.
extension AccountModel {
  /// Calls the API; repeats it once with a new token, when the API rejects this one or sends a
  /// claims challenge.
  func callGraph(with result: AuthenticationResult) async {
    var result = result
    var mayRenew = true
    while true {
      logStep(tr("Performing request..."), .request, title: "GET \(connection.api)")
      do throws(GraphError) {
        let authorization = result.authorizationHeader
        await show(try await graph.get(connection.api, authorization: authorization), to: result)
        return accounts.fetchPicture(with: result)
      } catch {
        guard mayRenew, error.code == .unauthorized || error.claims != nil else {
          show(error)
          return log(
            tr("Couldn't get graph result: {error}", ["error": error.sentence]),
            error.details.map { tr($0) }, .failure)
        }
        mayRenew = false
        let renewed = await acquireTokenSilently(
          for: result.account, claims: error.claims, forceRefresh: true)
        guard let renewed else { return }
        result = renewed
      }
    }
  }

  private func show(_ response: GraphResponse, to result: AuthenticationResult) async {
    let heading = naming(result, heading(of: response))
    if response.body.count > FoldedText.shownAtFirst, !Task.isCancelled {
      // Nothing is asked of a service any more, so what the user does next need not wait.
      work.letOthersStart()
      state.activity = .preparingResponse
    }
    do throws(CancellationError) {
      let document = try await ResponseDocument.make(of: response.body, heading: heading)
      guard let document else { return conclude(tr("Couldn't deserialize result JSON")) }
      tell(tr("The result from Graph is in the log."))
      activity.add(
        .response, LogMessage(document), account: result.account.username,
        title: tr(
          "Response with status {status}, {size}",
          ["status": response.status, "size": ByteSize.text(response.body.count)]))
    } catch {
      let reason = Sentence("The request was canceled.")
      conclude(tr("Couldn't get graph result: {error}", ["error": reason]))
    }
  }

  private func heading(of response: GraphResponse) -> [String] {
    guard isExternalID else { return [tr("Result from Graph: {json}", ["json": ""])] }
    return [
      tr("Accessed API successfully using access token."),
      "    " + tr("HTTP response code: {status}", ["status": String(response.status)]),
      "    " + tr("HTTP response body: {json}", ["json": ""]),
    ]
  }
}
