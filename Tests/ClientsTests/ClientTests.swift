import AuthCore
import Clients
import Connections
import CurlHTTP
import FoundationEssentials
import HTTPTypes
import MicrosoftGraph
import TestSupport
import Testing

@Suite("The client of a connection")
struct ClientTests {
  func connection(_ members: String = "") throws -> Connection {
    let connections = try ConnectionFile.parse(
      """
      {"version": 1, "apps": [
        {"name": "N", "clientID": "\(TestApplication.clientID)"\(members)}]}
      """.utf8)
    return try #require(connections.first)
  }

  @Test("A client signs in with the connection's registration, and calls its API")
  func registration() throws {
    let connection = try connection(
      #", "api": "https://api.contoso.example/me", "scopes": ["api://x/read"]"#)
    let client = Client(connection)
    #expect(client.connection == connection)
    let configuration = client.application.configuration
    #expect(configuration.clientID == TestApplication.clientID)
    #expect(configuration.redirectURI.description == EntranceIdentity.redirectURI)
    #expect(try client.graph().host == "api.contoso.example")
    #expect(client.trust == .system)
  }

  @Test("Without an API, each request is refused before a token is asked for")
  func noAPI() async throws {
    let own = try connection(#", "authority": "https://localhost:1/common""#)
    let graph = try Client(own).graph()
    for path in ["/me", "https://graph.microsoft.com/v1.0/me"] {
      let error = await #expect(throws: GraphError.self) {
        try await graph.get(GraphPath(url: path))
      }
      #expect(error?.code == .noAPI)
    }
  }

  @Test("A connection's API can be the Graph of each cloud", arguments: GraphCloud.all)
  func graphHosts(cloud: GraphCloud) {
    #expect(Connection.graphHosts.contains(cloud.host))
  }

  @Test("A given redirect URI replaces the connection's, which is unchanged")
  func redirectURI() throws {
    for (members, uri) in [
      ("", "http://localhost"),
      (#", "redirectURI": "http://localhost:7777/in""#, "http://localhost:7777/in"),
      (
        #", "authority": "https://id.example", "authorityKind": "oidc","#
          + #" "knownAuthorities": ["https://id.example"], "api": "https://id.example/me""#,
        "http://localhost/"
      ),
    ] {
      let connection = try connection(members)
      let client = Client(connection, redirectURI: try connection.loopbackRedirectURI())
      #expect(client.application.configuration.redirectURI.description == uri)
      #expect(client.connection == connection)
    }
  }

  @Test("The demo's accounts are kept in memory, whatever the desktop provides")
  func demo() async throws {
    let demo = try #require(DemoConnection.parse(TestApplication.demoAnnouncement))
    let choice = await Client(demo).ownStore?.choice
    #expect(choice?.kind == .memory)
    #expect(choice?.passphrase == .notNeeded)
  }

  @Test("A cache of other programs is the store, and none is chosen")
  func cache() async throws {
    let directory = try TemporaryDirectory()
    let client = Client(try connection(#", "cache": {"path": "\#(directory.path)/cache.json"}"#))
    #expect(client.ownStore == nil)
    #expect(try await client.store.load().isEmpty)
    let owner = #""home_account_id": "o.t", "environment": "login.microsoftonline.com""#
    try directory.write(
      "cache.json",
      """
      {"Account": {"a": {\(owner), "realm": "t", "local_account_id": "o", "username": "adele",
        "authority_type": "MSSTS"}},
      "RefreshToken": {"r": {\(owner), "client_id": "\(TestApplication.clientID)", "secret": "RT",
        "credential_type": "RefreshToken"}}}
      """)
    #expect(try await client.store.load().count == 1)
  }

  @Test("An invalid CA file is reported immediately, and every request fails")
  func caFile() async throws {
    let directory = try TemporaryDirectory()
    try directory.write("ca.pem", "nothing\n")
    let connection = try connection(#", "caFile": "\#(directory.path)/ca.pem""#)
    let client = Client(connection)
    let problem = try #require(client.trust.problem)
    #expect("\(problem)".contains("\(directory.path)/ca.pem"))
    for transport in [client.transport, Client.transport(trust: client.trust)] {
      let error = await #expect(throws: HTTPError.self) {
        try await transport.execute(
          HTTPRequest(url: "https://localhost:1/"), body: Data(),
          limits: HTTPLimits(total: .seconds(5)))
      }
      #expect(error?.code == .invalidConfiguration)
    }
  }
}
