import AuthCore
import Clients
import Connections
import CurlHTTP
import FoundationEssentials
import Glibc
import HTTPTypes
import TestSupport
import Testing

/// The environment belongs to the whole process, so each test has its own process.
@Suite("The environment and the desktop's settings")
struct EnvironmentTests {
  @Test("Connections and files are in the user's directories; a relative path is ignored")
  func directories() async {
    await #expect(processExitsWith: .success) {
      setenv("HOME", "/home/adele", 1)
      setenv("XDG_CONFIG_HOME", "/config", 1)
      setenv("XDG_STATE_HOME", "state", 1)
      #expect(EntranceIdentity.connectionsPath == "/config/entrance/apps.json")
      #expect(EntranceIdentity.stateDirectory == "/home/adele/.local/state/entrance")
    }
  }

  @Test("connections.json, the earlier name of apps.json, is used where only it exists")
  func earlierFile() async {
    await #expect(processExitsWith: .success) {
      let home = try TemporaryDirectory()
      setenv("XDG_CONFIG_HOME", home.path, 1)
      let directory = "\(home.path)/entrance"
      mkdir(directory, 0o700)
      #expect(EntranceIdentity.connectionsPath == "\(directory)/apps.json")
      for name in ["connections.json", "apps.json"] {
        try Data("{}".utf8).write(to: URL(filePath: "\(directory)/\(name)"))
        #expect(EntranceIdentity.connectionsPath == "\(directory)/\(name)")
      }
    }
  }

  @Test("The proxy of the desktop's settings is used, except for this computer")
  func proxy() async {
    await #expect(processExitsWith: .success) {
      let directory = try desktop(
        """
        [system/proxy]
        mode='manual'
        [system/proxy/https]
        host='proxy.contoso.example'
        port=3128
        """)
      #expect(
        await SystemProxy.lookUp("https://login.microsoftonline.com/")
          == "http://proxy.contoso.example:3128")
      #expect(await SystemProxy.lookUp("https://localhost:5555/") == "direct://")
      withExtendedLifetime(directory) {}
    }
  }

  @Test("Without a proxy in the settings, none is used")
  func noProxy() async {
    await #expect(processExitsWith: .success) {
      let directory = try desktop("")
      #expect(await SystemProxy.lookUp("https://login.microsoftonline.com/") == "direct://")
      withExtendedLifetime(directory) {}
    }
  }

  @Test(
    "A proxy in the environment takes precedence over the settings",
    arguments: ["https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"])
  func environment(name: String) async {
    await #expect(processExitsWith: .success) { [name = name as String] in
      let directory = try desktop("[system/proxy]\nmode='manual'\n")
      setenv(name, "http://other.contoso.example:3128", 1)
      #expect(await SystemProxy.lookUp("https://login.microsoftonline.com/") == nil)
      withExtendedLifetime(directory) {}
    }
  }

  @Test("The demo, which is on this computer, is reached without a proxy")
  func demo() async {
    await #expect(processExitsWith: .success) {
      setenv("https_proxy", "http://proxy.invalid:1", 1)
      unsetenv("no_proxy")
      let line = TestApplication.demoAnnouncement
        .replacing("/tmp/ca.pem", with: "/etc/ssl/certs/ca-certificates.crt")
      let demo = try #require(DemoConnection.parse(line))
      let clients = (demo: Client(demo).transport, other: Client.transport())
      #expect(await failure(of: clients.other) == .proxyFailure)
      #expect(await failure(of: clients.demo) == .cannotConnect)
    }
  }
}

/// The error of a request to a closed port.
private func failure(of transport: CurlClient) async -> HTTPError.Code? {
  do throws(HTTPError) {
    _ = try await transport.execute(
      HTTPRequest(url: "https://127.0.0.1:1/"), body: Data(),
      limits: HTTPLimits(total: .seconds(5)))
    return nil
  } catch {
    return error.code
  }
}

/// Gives this process a desktop with its own `settings`, and no proxy in its environment.
private func desktop(_ settings: String) throws -> TemporaryDirectory {
  let directory = try TemporaryDirectory()
  try FileManager.default.createDirectory(
    atPath: "\(directory.path)/glib-2.0/settings", withIntermediateDirectories: true)
  try directory.write("glib-2.0/settings/keyfile", settings)
  for name in ["https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"] { unsetenv(name) }
  setenv("XDG_CONFIG_HOME", directory.path, 1)
  setenv("GSETTINGS_BACKEND", "keyfile", 1)
  setenv("XDG_CURRENT_DESKTOP", "GNOME", 1)
  return directory
}
