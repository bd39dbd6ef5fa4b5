import AuthCore
import MicrosoftGraph

extension GraphClient {
  /// The client with a token of an account, which sends nothing during a pause that the API has asked
  /// the account for, also by another program.
  func authorized(
    by authorization: Secret<String>, of account: Account, in application: PublicClientApplication
  ) -> GraphClient {
    var client = authorized(by: authorization)
    client.pauses = GraphPauses(app: application, account: account)
    return client
  }
}
