import Testing

@testable import WebSignIn

/// The parser of the gate between WebKit and the network.
@MainActor @Suite struct ConnectionGateTests {
  @Test func aConnectionHasADestination() {
    let head = "CONNECT login.example:443 HTTP/1.1\r\nHost: login.example:443\r\n\r\n"
    #expect(ConnectionGate.destination(head)?.description == "login.example")
    #expect(
      ConnectionGate.destination("CONNECT [::1]:8443 HTTP/1.1\r\n\r\n")?.description == "[::1]:8443"
    )
  }

  @Test(arguments: [
    "", "\r\n\r\n", "CONNECT", "CONNECT  HTTP/1.1\r\n\r\n",
    "CONNECT login.example:99999 HTTP/1.1\r\n\r\n",
    "GET http://login.example/ HTTP/1.1\r\n\r\n", "CONNECT a b HTTP/1.1\r\n\r\n",
    "connect login.example:443 HTTP/1.1\r\n\r\n",
  ])
  func anythingElseHasNone(head: String) {
    #expect(ConnectionGate.destination(head) == nil)
  }
}
