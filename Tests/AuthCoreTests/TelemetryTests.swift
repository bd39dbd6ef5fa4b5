import AuthCore
import FoundationEssentials
import HTTPTypes
import TestSupport
import Testing

@Suite("Telemetry header fields")
struct TelemetryTests {
  let authority = ScriptedAuthority()
  let clock = ManualClock()

  func app(isOn: Bool = true) throws -> PublicClientApplication {
    var configuration = try TestApplication.configuration()
    configuration.sendsTelemetry = isOn
    return PublicClientApplication(
      configuration: configuration,
      runtime: Runtime(now: { [clock] in clock.now }, sleep: { _ in }, transport: authority))
  }

  var interactive: InteractiveTokenParameters {
    InteractiveTokenParameters(scopes: ["User.Read"], session: authority.pages)
  }

  /// A field of the last request to the token endpoint.
  func last(_ name: String) throws -> String? {
    let call = try #require(authority.calls.last { $0.endpoint == .token })
    return call.request.headerFields[try #require(HTTPField.Name(name))]
  }

  let current = "x-client-current-telemetry"
  let before = "x-client-last-telemetry"

  @Test("There are none unless telemetry is enabled")
  func off() async throws {
    let app = try app(isOn: false)
    let account = try await app.acquireToken(interactive).account
    _ = try await app.silently(account, force: true)
    for call in authority.calls {
      #expect(!call.request.headerFields.contains { $0.name.canonicalName.hasPrefix("x-client") })
    }
  }

  @Test("All requests have the library and the system; token requests also have calls")
  func client() async throws {
    _ = try await app().acquireToken(interactive)
    #expect(Set(authority.calls.map(\.endpoint)) == [.configuration, .keys, .token])
    for call in authority.calls {
      func field(_ name: String) throws -> String? {
        call.request.headerFields[try #require(HTTPField.Name(name))]
      }
      #expect(try field("x-client-SKU") == "AuthCore")
      #expect(try field("x-client-Ver") == PublicClientApplication.sdkVersion)
      #expect(try field("x-client-OS") == "Linux")
      #expect(try field("x-client-CPU")?.isEmpty == false)
      #expect(try (field(current) != nil) == (call.endpoint == .token))
      #expect(try (field(before) != nil) == (call.endpoint == .token))
    }
    #expect(try last(current) == "4|167,0|")
    #expect(try last(before) == "4|0|||")
  }

  @Test("The library's version is the package's")
  func version() throws {
    let folder = #filePath.components(separatedBy: "/Tests/")[0]
    let build = try String(contentsOfFile: folder + "/meson.build", encoding: .utf8)
    #expect(build.contains("version: '\(PublicClientApplication.sdkVersion)'"))
  }

  /// MSAL's numbers: forced 1, not cached 2, expired 3, due for renewal 4.
  @Test("A silent request has its reason")
  func reasons() async throws {
    let app = try app()
    let account = try await app.acquireToken(interactive).account
    var parameters = SilentTokenParameters(scopes: ["User.Read"], account: account)
    parameters.forceRefresh = true
    _ = try await app.acquireTokenSilent(parameters)
    #expect(try last(current) == "4|34,1|")
    parameters.forceRefresh = false
    parameters.scopes = ["Mail.Read"]
    _ = try await app.acquireTokenSilent(parameters)
    #expect(try last(current) == "4|34,2|")
    clock.advance(by: 3600)
    _ = try await app.acquireTokenSilent(parameters)
    #expect(try last(current) == "4|34,3|")
    parameters.forceRefresh = true
    parameters.claims = try ClaimsRequest(json: "{\"access_token\": {\"nbf\": null}}")
    _ = try await app.acquireTokenSilent(parameters)
    #expect(try last(current) == "4|34,1|")
  }

  @Test("A renewal in the background has its own reason")
  func proactive() async throws {
    authority.edit(.tokens) { $0["refresh_in"] = .number("1800") }
    let app = try app()
    let account = try await app.acquireToken(interactive).account
    clock.advance(by: 1900)
    let (renewals, isRenewing) = AsyncStream<Void>.makeStream()
    authority.next(.token) { [authority] call in
      isRenewing.yield()
      return authority.usualReply(to: call)
    }
    _ = try await app.acquireTokenSilent(.init(scopes: ["User.Read"], account: account))
    for await _ in renewals { break }
    #expect(try last(current) == "4|34,4|")
  }

  @Test("A device code request has its own number")
  func deviceCode() async throws {
    _ = try await app().acquireToken(DeviceCodeTokenParameters(scopes: ["User.Read"]) { _ in })
    #expect(try last(current) == "4|622,0|")
  }

  @Test("Events since the last response are reported once: cached tokens, and failed calls")
  func lastRequests() async throws {
    let app = try app()
    let account = try await app.acquireToken(interactive).account
    var parameters = SilentTokenParameters(scopes: ["User.Read"], account: account)
    for _ in 0..<3 { _ = try await app.acquireTokenSilent(parameters) }
    parameters.forceRefresh = true
    parameters.correlationID = "id-1"
    authority.next(.token, status: 400, "{\"error\": \"invalid_grant\"}")
    _ = try? await app.acquireTokenSilent(parameters)
    #expect(try last(before) == "4|3|||", "it is sent before its own result is known")
    parameters.scopes = ["Mail.Read"]
    parameters.correlationID = "id,2|"
    authority.next(.token, times: 2, status: 503, "")
    _ = try? await app.acquireTokenSilent(parameters)
    #expect(try last(before) == "4|3|34,id-1|invalid_grant|")
    parameters.scopes = ["Calendars.Read"]
    _ = try await app.acquireTokenSilent(parameters)
    #expect(try last(before) == "4|3|34,id-1,34,id2|invalid_grant,serverUnavailable|")
    _ = try await app.acquireTokenSilent(parameters)
    #expect(try last(before) == "4|0|||")
  }

  @Test("Of many failures, the latest are reported, in at most 350 bytes")
  func longList() async throws {
    let app = try app()
    let account = try await app.acquireToken(interactive).account
    for number in 0..<20 {
      var parameters = SilentTokenParameters(scopes: ["Scope.\(number)"], account: account)
      parameters.correlationID = "00000000-0000-0000-0000-\(100_000_000_000 + number)"
      authority.next(.token, status: 400, "{\"error\": \"invalid_grant\"}")
      _ = try? await app.acquireTokenSilent(parameters)
    }
    _ = try await app.acquireToken(interactive)
    let told = try #require(try last(before))
    #expect((250...350).contains(told.utf8.count))
    #expect(told.contains("100000000019") && !told.contains("100000000000"))
  }
}
