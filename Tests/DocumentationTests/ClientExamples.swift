#if DESKTOP
  import AuthCore
  import Clients
  import Connections
  import MicrosoftGraph
  import Testing

  @Suite("The example of 'Client'")
  struct ClientExamples {
    /// Compiled only: it would use the connections and accounts of whoever runs the tests.
    func callGraph() async throws {
      let connections = try ConnectionFiles.standard.load()
      guard let connection = connections.first else { return }
      let client = Client(connection)
      guard let account = await client.application.currentAccount().current else { return }
      let result = try await client.application.acquireTokenSilent(
        SilentTokenParameters(scopes: connection.scopes, account: account))
      let graph = try client.graph().authorized(by: result.authorizationHeader)
      let answer = try await graph.get(GraphPath(connection.api))

      print(answer.status)
    }
  }
#endif
