import AuthCore
import Foundation
import IdentityBroker
import TestSupport
import Testing

private let graph = ["https://graph.microsoft.com/User.Read"]
private let laptop = "11d2c2a4-7a0f-4d2a-9a51-3d1f0e7b6c55"

/// An unsigned JWT with `claims`.
private func jwt(_ claims: String) -> String {
  [#"{"alg":"RS256"}"#, claims, "signature"].map { Base64URL.encode($0.utf8) }
    .joined(separator: ".")
}

@Suite("Device facts from a broker")
struct BrokerDeviceTests {
  let bus: TestBus
  let authority = ScriptedAuthority()
  let app: PublicClientApplication

  init() async throws {
    bus = try TestBus()
    app = try Self.app(bus, authority)
  }

  static func app(
    _ bus: TestBus, _ authority: ScriptedAuthority, isShared: Bool = false,
    isRegistered: Bool = true, url: String = "https://login.microsoftonline.com/common"
  ) throws -> PublicClientApplication {
    var configuration = try TestApplication.configuration(authority: url)
    configuration.isBrokerRedirectURIRegistered = isRegistered
    configuration.isSharedDevice = isShared
    return PublicClientApplication(
      configuration: configuration, broker: LinuxIdentityBroker(address: bus.address),
      runtime: Runtime(transport: authority))
  }

  func signIn(_ app: PublicClientApplication) async throws -> AuthenticationResult {
    try await app.acquireToken(
      InteractiveTokenParameters(scopes: graph, session: authority.pages))
  }

  @Test("Presence and version, also for an app without accounts")
  func version() async throws {
    #expect(await app.deviceInformation().broker == .absent)
    let standIn = try await StandIn(.native, on: bus)
    let other = try Self.app(
      bus, authority, isRegistered: false, url: "https://login.contoso.example/tenant")
    #expect(await app.deviceInformation().broker == .present(version: "3.0.1"))
    #expect(await other.deviceInformation().broker == .present(version: "3.0.1"))
    try await standIn.setReplies(of: .getLinuxBrokerVersion, to: .text("{"))
    guard case .failed(let error) = await app.deviceInformation().broker else {
      Issue.record("The broker returned a version")
      return
    }
    #expect(error.code == .invalidResponse)
    standIn.end()
    #expect(await app.deviceInformation().broker == .absent)
  }

  @Test(
    "The device ID is the `deviceid` of the broker's token, if it is valid",
    arguments: [
      (jwt(#"{"deviceid":"\#(laptop.uppercased())"}"#), laptop),
      (jwt(#"{"deviceid":"my laptop"}"#), nil), (jwt(#"{"deviceid":7}"#), nil),
      (jwt(#"{"oid":"\#(laptop)"}"#), nil), (jwt("{"), nil), ("opaque", nil),
      ("a.b.c", nil), ("..", nil),
    ] as [(String, String?)])
  func deviceID(_ accessToken: String, _ id: String?) async throws {
    let standIn = try await StandIn(.native, on: bus)
    let info = Base64URL.encode(#"{"uid":"\#(objectID)","utid":"\#(tenant)"}"#.utf8)
    try await standIn.setReplies(
      of: .acquireTokenInteractively,
      to: .text(
        #"{"brokerTokenResponse":{"accessToken":"\#(accessToken)","clientInfo":"\#(info)","expiresOn":1900003600000}}"#
      ))
    #expect(await app.deviceInformation().deviceID == nil)
    #expect(try await signIn(app).account.isFromBroker)
    #expect(await app.deviceInformation().deviceID == id)
    standIn.end()
  }

  @Test("A token that is not from a broker is not inspected")
  func otherTokens() async throws {
    authority.edit(.tokens) {
      $0["access_token"] = .string(jwt(#"{"deviceid":"\#(laptop)"}"#))
    }
    #expect(try await signIn(app).source == .server)
    #expect(await app.deviceInformation().deviceID == nil)
  }

  @Test(
    "On a shared device, signing out removes all accounts from the broker",
    arguments: StandIn.Dialect.allCases)
  func shared(_ dialect: StandIn.Dialect) async throws {
    let standIn = try await StandIn(dialect, on: bus)
    let shared = try Self.app(bus, authority, isShared: true)
    // She signed in with the app's own pages, and the broker also has her account.
    var parameters = InteractiveTokenParameters(scopes: graph, session: authority.pages)
    parameters.prompt = .create
    let account = try await shared.acquireToken(parameters).account
    #expect(!account.isFromBroker)
    let result = try await shared.signOut(account)
    #expect(result.removal == .done && result.wipe == .done)
    #expect(try await standIn.calledMethods().last == "removeAccount")
    #expect(result.broker == .done)
    standIn.end()
  }
}
