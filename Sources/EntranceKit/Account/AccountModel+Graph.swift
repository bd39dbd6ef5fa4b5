import AuthCore
import Connections
import Localization
import MicrosoftGraph

// The call of the connection's API.
extension AccountModel {
  /// Calls the API; repeats it once with a new token, when the API rejects this one or sends a
  /// claims challenge.
  func callGraph(with result: AuthenticationResult) async {
    var result = result
    var mayRenew = true
    while true {
      logStep(tr("Performing request..."))
      do throws(GraphError) {
        let authorization = result.authorizationHeader
        show(try await graph.get(connection.api, authorization: authorization), to: result)
        return fetchPicture(with: result)
      } catch {
        guard mayRenew, error.code == .unauthorized || error.claims != nil else {
          show(error)
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

  private func show(_ response: GraphResponse, to result: AuthenticationResult) {
    guard let json = try? response.json() else {
      return conclude(tr("Couldn't deserialize result JSON"))
    }
    tell(tr("The result from Graph is in the log."))
    guard isExternalID else {
      let line = tr("Result from Graph: {json}", ["json": ""])
      return append(LogMessage(naming(result, [line]), json))
    }
    let lines = [
      tr("Accessed API successfully using access token."),
      "    " + tr("HTTP response code: {status}", ["status": String(response.status)]),
      "    " + tr("HTTP response body: {json}", ["json": ""]),
    ]
    append(LogMessage(naming(result, lines), json))
  }
}
