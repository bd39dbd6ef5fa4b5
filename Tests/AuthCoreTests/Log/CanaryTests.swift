import AuthCore
import CurlHTTP
import FoundationEssentials
import Glibc
import HTTPTypes
import TestSupport
import Testing

/// Runs all flows, with success and errors, with secrets and names that are recognized wherever
/// they appear.
@Suite("Secrets are never revealed by accident", .serialized)
struct CanaryTests {
  @Test(
    "No secret is in the log, in errors, or in printed values",
    arguments: [LogMaskingLevel.maskAllPII, .maskEUIIOnly, .maskSecretsOnly])
  func secrets(masking: LogMaskingLevel) async throws {
    let run = try CanaryRun(masking)
    try await run.all()
    let secrets = run.secrets
    for kind in ["code-canary", "access-canary", "refresh-canary", "device-canary"] {
      #expect(secrets.contains { $0.hasPrefix(kind) }, "the run had no secret of kind \(kind)")
    }
    #expect(secrets.count > 60)
    let (log, printed) = (run.log.text, run.printed)
    #expect(run.errors.count >= 40)
    #expect(log.count > 10_000 && printed.count > 100_000)
    for secret in secrets {
      #expect(!holds(log, secret))
      #expect(!holds(printed, secret))
    }
  }

  /// Whether `text` contains `part`; the standard library takes seconds for texts of this length.
  private func holds(_ text: String, _ part: String) -> Bool {
    text.withCString { text in part.withCString { strstr(text, $0) != nil } }
  }

  @Test("Users and organizations are in the log only if that is enabled")
  func persons() async throws {
    for (masking, ids, names) in [
      (LogMaskingLevel.maskAllPII, false, false), (.maskEUIIOnly, true, false),
      (.maskSecretsOnly, true, true),
    ] {
      let run = try CanaryRun(masking)
      try await run.all()
      let log = run.log.text
      #expect(log.contains(CanaryRun.person.username) == names)
      for name in ["adele.canary", "ben.canary"] { #expect(log.contains(name) == names) }
      #expect(!log.contains("Canary Vance"), "no line contains a name")
      #expect(log.contains(CanaryRun.person.objectID) == ids)
      #expect(log.contains(CanaryRun.person.tenant) == ids)
      #expect(log.contains("auth.placeholder-") != names)
    }
  }

  @Test("Telemetry contains no personal data")
  func telemetry() async throws {
    let run = try CanaryRun(.maskAllPII)
    try await run.all()
    let fields = run.authority.calls.flatMap { call in
      call.request.headerFields.filter { $0.name.rawName.hasPrefix("x-client") }.map(\.value)
    }
    #expect(fields.count > 200)
    let text = fields.joined(separator: "\n")
    for canary in run.secrets + ["canary", CanaryRun.person.objectID, CanaryRun.person.tenant] {
      #expect(!text.contains(canary))
    }
  }
}

/// A run of all flows.
final class CanaryRun: Sendable {
  static let person = Person(
    username: "adele.canary@contoso.example", name: "Canary Vance",
    objectID: "c0ffee00-80ba-4c40-97bc-f7a23c703084", tenant: "c0ffee11-e38d-4d1a-b510-d1b09a74a8ca"
  )
  static let other = Person(
    username: "ben.canary@contoso.example", name: "Canary Walters",
    objectID: "c0ffee22-80ba-4c40-97bc-f7a23c703084", tenant: person.tenant)

  let authority = ScriptedAuthority()
  let log = LogRecorder()
  let store = ScriptedStore()
  let clock = ManualClock()
  private let masking: LogMaskingLevel
  private let state = LockedValue(
    (printed: "", errors: [AuthenticationError](), clientInfo: [String]()))

  init(_ masking: LogMaskingLevel) throws {
    self.masking = masking
    authority.willSignIn(Self.person)
    authority.edit(.tokens) { [state] response in
      guard let info = response["client_info"]?.string else { return }
      state.withLock { $0.clientInfo.append(info) }
    }
  }

  var printed: String { state.withLock { $0.printed } }
  var errors: [AuthenticationError] { state.withLock { $0.errors } }
  var secrets: [String] {
    Set(authority.secrets + state.withLock { $0.clientInfo }).filter { $0.count >= 8 }.sorted()
  }

  private func app(store: (any TokenCacheStore)? = nil) throws -> PublicClientApplication {
    let provider = ScriptedProvider()
    provider.fail()
    var configuration = try TestApplication.configuration()
    configuration.sendsTelemetry = true
    return PublicClientApplication(
      configuration: configuration, store: store ?? self.store,
      externalAccountProviders: [provider],
      runtime: Runtime(
        now: { [clock] in clock.now }, sleep: { _ in }, transport: authority,
        logger: log.logger(), logMaskingLevel: masking))
  }

  /// Prints `value` in all possible ways.
  private func show(_ value: some Any) {
    var text = ""
    dump(value, to: &text)
    text += "\(value)\n\(String(reflecting: value))\n"
    text += "\(Mirror(reflecting: value).children.map { "\($0)" })\n"
    if let error = value as? AuthenticationError {
      text += error.details.map { "\($0)" }.joined(separator: "\n")
    }
    state.withLock { $0.printed += text }
  }

  /// Runs `work`, and prints the result.
  private func attempt<Value>(_ work: () async throws -> Value) async {
    do {
      show(try await work())
    } catch let error as AuthenticationError {
      state.withLock { $0.errors.append(error) }
      show(error)
    } catch {
      Issue.record("\(type(of: error))")
    }
  }

  private func interactive(_ pages: ScriptedPages? = nil) -> InteractiveTokenParameters {
    var parameters = InteractiveTokenParameters(
      scopes: ["User.Read"], session: pages ?? authority.pages)
    parameters.loginHint = Self.person.username
    return parameters
  }

  private func silent(_ account: Account, _ scope: String = "User.Read") -> SilentTokenParameters {
    var parameters = SilentTokenParameters(scopes: [scope], account: account)
    parameters.forceRefresh = true
    return parameters
  }

  private func deviceCode() -> DeviceCodeTokenParameters {
    DeviceCodeTokenParameters(scopes: ["User.Read"]) { [self] in show($0) }
  }

  func all() async throws {
    try await flowsThatGoWell()
    try await redirectsThatDoNotFit()
    try await answersThatDoNotFit()
    try await troubleOnTheWay()
    try await signingOut()
    authority.pagesShown.forEach(show)
    store.records.forEach(show)
  }

  private func flowsThatGoWell() async throws {
    let app = try app()
    let account = try await app.acquireToken(interactive()).account
    show(account)
    await attempt { try await app.acquireToken(interactive()) }
    await attempt {
      try await app.acquireTokenSilent(.init(scopes: ["user.read"], account: account))
    }
    await attempt { try await app.acquireTokenSilent(silent(account)) }
    await attempt { try await app.acquireToken(deviceCode()) }
    await attempt { await app.currentAccount() }
    show(app.configuration)
    show(await app.deviceInformation())
    show(silent(account))
    show(app)
  }

  private func redirectsThatDoNotFit() async throws {
    let app = try app()
    let answers: [@Sendable ([String: String]) -> String] = [
      { _ in "code=code-canary&state=other" },
      { _ in "code=code-canary" },
      { "state=\($0["state"] ?? "")" },
      { "code=code-canary&code=code-canary&state=\($0["state"] ?? "")" },
      { "code=code-canary%ZZ&state=\($0["state"] ?? "")" },
      { "code=code-canary&iss=https%3A%2F%2Fcontoso.example&state=\($0["state"] ?? "")" },
      { "code=\(String(repeating: "code-canary", count: 1000))&state=\($0["state"] ?? "")" },
      {
        "error=access_denied&error_description=AADSTS65004%3A+adele.canary%40contoso.example+no"
          + "&state=\($0["state"] ?? "")&code=code-canary"
      },
      { "error=server_error&state=x&code=code-canary&nonce=\($0["nonce"] ?? "")" },
    ]
    for answer in answers {
      await attempt { try await app.acquireToken(interactive(authority.pages(answer: answer))) }
    }
    let places: [String] = ["msauth.com.example.other://auth", "https://contoso.example/"]
    for place in places {
      let pages = authority.pages(redirect: { parameters, _ in
        "\(place)?code=code-canary&state=\(parameters["state"] ?? "")"
      })
      await attempt { try await app.acquireToken(interactive(pages)) }
    }
    await attempt { try await app.acquireToken(interactive(authority.closedPages)) }
  }

  /// Invalid responses of the token endpoint to a code, a device code and a refresh token.
  private func answersThatDoNotFit() async throws {
    let refusals: [(Int, String)] = [
      (400, "{\"error\": \"invalid_grant\", \"suberror\": \"bad_token\"}"),
      (
        400,
        "{\"error\": \"invalid_request\","
          + " \"error_description\": \"AADSTS50034: adele.canary@contoso.example is unknown.\"}"
      ),
      (400, "<html>adele.canary@contoso.example code-canary refresh-canary-1</html>"),
      (200, "{\"access_token\": \"access-canary-cut\", \"refresh_token\""),
      (200, "{\"access_token\": \"access-canary-x\", \"token_type\": \"mac\"}"),
      (200, "{\"access_token\": \"access-canary-x\", \"token_type\": \"Bearer\"}"),
      (302, "code-canary"), (429, ""), (503, "refresh-canary-1"),
    ]
    let forms: [@Sendable (inout [String: JSON]) -> Void] = [
      { $0["expires_in"] = .string("code-canary") },
      { $0["id_token"] = .string("access-canary-1") },
      { $0["client_info"] = .string("access-canary-1") },
      { $0["scope"] = .string("Other.Scope") },
    ]
    let claims: [@Sendable (inout [String: JSON]) -> Void] = [
      { $0["nonce"] = .string("other") }, { $0["aud"] = .string("other") },
      { $0["iss"] = .string("https://contoso.example") }, { $0["tid"] = .string("other") },
    ]
    for (index, refusal) in refusals.enumerated() {
      try await attemptAll("\(index)") {
        self.authority.next(.token, times: 2, status: refusal.0, refusal.1)
      }
    }
    for (index, change) in forms.enumerated() {
      try await attemptAll("form\(index)") { [authority] in
        authority.next(.token) { call in
          let body = (try? JSON(parsing: authority.usualReply(to: call).body))?.object ?? []
          var members = Dictionary(body.map { ($0.name, $0.value) }) { $1 }
          change(&members)
          let changed = JSON.object(members.map { .init($0.key, $0.value) })
          return HTTPReply(response: .init(status: .ok), body: Data(changed.compactText.utf8))
        }
      }
    }
    for change in claims {
      authority.edit(.claims, change)
      let app = try app(store: MemoryTokenCacheStore())
      await attempt { try await app.acquireToken(interactive()) }
    }
    authority.edit(.claims, nil)
  }

  /// Sends a refresh token, a code and a device code to an authority that responds as `script`
  /// defines.
  private func attemptAll(_ scope: String, _ script: () -> Void) async throws {
    authority.answerAsUsual(.token)
    let app = try app(store: MemoryTokenCacheStore())
    let account = try await app.acquireToken(interactive()).account
    script()
    await attempt { try await app.acquireTokenSilent(silent(account, "Scope.\(scope)")) }
    await attempt { try await app.acquireTokenSilent(silent(account, "Scope.\(scope)")) }
    script()
    await attempt { try await app.acquireToken(interactive()) }
    script()
    await attempt { try await app.acquireToken(deviceCode()) }
    authority.answerAsUsual(.token)
  }

  private func troubleOnTheWay() async throws {
    let codes: [HTTPError.Code] = [.cannotFindHost, .connectionLost, .tlsFailure, .timedOut]
    for code in codes {
      try await attemptAll("lost") {
        authority.next(.token, times: 2) { call throws(HTTPError) in
          throw HTTPError(code, host: "host", message: "No answer.")
        }
      }
    }
    for endpoint in [ScriptedAuthority.Endpoint.configuration, .keys, .deviceCode] {
      let app = try app(store: MemoryTokenCacheStore())
      authority.next(endpoint, times: 2, status: 500, "")
      await attempt { try await app.acquireToken(deviceCode()) }
      authority.answerAsUsual(endpoint)
      authority.next(endpoint, times: 2, status: 200, "<html>code-canary</html>")
      await attempt { try await app.acquireToken(interactive()) }
      authority.answerAsUsual(endpoint)
    }
    for operation in ScriptedStore.Operation.allCases {
      store.fail(operation)
      let app = try app()
      await attempt { try await app.acquireToken(interactive()) }
      show(await app.storageFailure as Any)
      let account = try await app.acquireToken(interactive()).account
      await attempt { try await app.acquireTokenSilent(silent(account)) }
      await attempt { try await app.remove(account) }
      store.fail()
    }
  }

  private func signingOut() async throws {
    let app = try app()
    let endings = [
      authority.pages { "state=\($0["state"] ?? "")" }, authority.pages { _ in "state=x" },
      authority.closedPages,
    ]
    for (index, ending) in endings.enumerated() {
      authority.edit(.claims) { $0["login_hint"] = index == 0 ? .string("hint-of-A") : nil }
      authority.willSignIn(index == 1 ? Self.other : Self.person)
      let account = try await app.acquireToken(interactive()).account
      var parameters = SignOutParameters(session: ending)
      parameters.wipeAccount = index == 0
      parameters.wipeCacheForAllAccounts = index == 2
      show(parameters)
      await attempt { try await app.signOut(account, parameters: parameters) }
    }
    authority.willSignIn(Self.person)
    authority.edit(.claims, nil)
    await attempt { try await app.acquireToken(interactive()) }
  }
}
