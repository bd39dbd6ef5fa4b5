import CurlHTTP
import Foundation
import HTTPTypes
import Testing

@Suite("TLS")
struct TLSTests {
  let server: MisbehavingServer

  init() throws { server = try MisbehavingServer.shared.get() }

  @Test("An unknown authority is not trusted")
  func unknownAuthority() async throws {
    let error = await server.client().failure(server.request("/", port: server.ports.stranger))
    #expect(error?.code == .tlsFailure)
    let file = URL(filePath: server.files.ca).lastPathComponent
    #expect(
      error?.message == "The certificate of localhost does not match the CA file “\(file)”.")
    // With the system's authorities, there is no file to correct.
    #expect(
      await CurlClient().failure(server.request("/"))?.message
        == "The certificate of localhost was not issued by a trusted authority.")
  }

  @Test("A CA file applies only to its own client")
  func systemTrust() async throws {
    _ = try await server.client().execute(server.request("/"))
    #expect(await CurlClient().failure(server.request("/"))?.code == .tlsFailure)
  }

  @Test("A certificate for another name is rejected")
  func wrongName() async throws {
    let error = await server.client().failure(server.request("/", port: server.ports.wrongName))
    #expect(error?.code == .tlsFailure)
    #expect(error?.message == "The certificate of localhost is for another name.")
  }

  @Test("An expired certificate is rejected")
  func expired() async throws {
    let error = await server.client().failure(server.request("/", port: server.ports.expired))
    #expect(error?.code == .tlsFailure)
    #expect(error?.message == "The certificate of localhost has expired.")
  }

  @Test("A server's own certificate in the CA file does not replace its authority")
  func fullChain() async throws {
    let client = CurlClient(.init(caFile: server.files.serverCertificate))
    #expect(await client.failure(server.request("/"))?.code == .tlsFailure)
  }

  @Test("TLS 1.1 is rejected, even if the system allows it")
  func oldProtocol() async throws {
    await #expect(processExitsWith: .success) { [server = server as MisbehavingServer] in
      let file = FileManager.default.temporaryDirectory.appending(path: "\(UUID()).cnf")
      defer { try? FileManager.default.removeItem(at: file) }
      try Data(
        """
        openssl_conf = settings
        [settings]
        ssl_conf = defaults
        [defaults]
        system_default = lax
        [lax]
        MinProtocol = TLSv1
        CipherString = DEFAULT@SECLEVEL=0
        """.utf8
      ).write(to: file)
      setenv("OPENSSL_CONF", file.path, 1)
      let error = await server.client().failure(server.request("/", port: server.ports.tls11))
      #expect(error?.code == .tlsFailure)
      let echo = try await server.client().echo(server.request("/"))
      #expect(echo.path == "/")
    }
  }

  @Test("A CA file that is missing, no certificate or a directory is reported")
  func badCAFile() async throws {
    for file in ["/nonexistent.pem", server.files.notACA, "/tmp", ""] {
      let client = CurlClient(.init(caFile: file))
      #expect(await client.failure(server.request("/"))?.code == .invalidConfiguration, "\(file)")
    }
  }
}
