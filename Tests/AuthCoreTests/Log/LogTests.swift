import AuthCore
import FoundationEssentials
import Logging
import TestSupport
import Testing

@Suite("The log")
struct LogTests {
  let authority = ScriptedAuthority()
  let log = LogRecorder()
  let clock = ManualClock()

  func app(
    _ masking: LogMaskingLevel = .maskAllPII, level: Logger.Level = .trace,
    store: any TokenCacheStore = MemoryTokenCacheStore(), kind: Authority.Kind = .entra,
    transport: ScriptedAuthority? = nil
  ) throws -> PublicClientApplication {
    let url =
      kind == .oidc ? "https://id.contoso.example" : "https://login.microsoftonline.com/common"
    return PublicClientApplication(
      configuration: try TestApplication.configuration(
        authority: url, known: kind == .oidc ? [url] : [], kind: kind),
      store: store,
      runtime: Runtime(
        now: { [clock] in clock.now }, sleep: { _ in }, transport: transport ?? authority,
        logger: log.logger(level), logMaskingLevel: masking))
  }

  func interactive(_ authority: ScriptedAuthority? = nil) -> InteractiveTokenParameters {
    InteractiveTokenParameters(scopes: ["User.Read"], session: (authority ?? self.authority).pages)
  }

  func person(_ username: String) -> Person {
    var person = Person.adele
    person.username = username
    return person
  }

  /// The log line of a failed call; other requests of it may end later.
  var ending: String? { log.lines.last { $0.text.hasPrefix("The request") }?.text }

  // MARK: - Masking

  @Test("Of an address, the domain and a hash of the name are shown")
  func address() async throws {
    authority.willSignIn(person("upn@test.com"))
    _ = try await app().acquireToken(interactive())
    #expect(log.text.contains("auth.placeholder-8c09101e__test.com"))
    #expect(!log.text.contains("upn@"))
  }

  @Test("Of an ID, a hash is shown")
  func identifier() async throws {
    let provider = ScriptedAuthority(host: "id.contoso.example", kind: .oidc)
    provider.edit(.claims) { $0["sub"] = .string("some password") }
    _ = try await app(kind: .oidc, transport: provider).acquireToken(interactive(provider))
    #expect(log.text.contains("account e62e1269"))
    #expect(!log.text.contains("some password"))
  }

  @Test("A name that is no address is hidden completely")
  func name() async throws {
    authority.willSignIn(person("Adele Vance"))
    _ = try await app().acquireToken(interactive())
    #expect(log.text.contains("Tokens for Masked(not-null), account"))
    #expect(!log.text.contains("Adele"))
  }

  @Test(
    "The masking level is configurable, except for secrets",
    arguments: [
      (LogMaskingLevel.maskAllPII, false, false), (.maskEUIIOnly, true, false),
      (.maskSecretsOnly, true, true),
    ])
  func levels(masking: LogMaskingLevel, showsIDs: Bool, showsPeople: Bool) async throws {
    _ = try await app(masking).acquireToken(interactive())
    #expect(log.text.contains(Person.adele.identifier) == showsIDs)
    #expect(log.text.contains(Person.contoso) == showsIDs)
    #expect(log.text.contains(Person.adele.username) == showsPeople)
    #expect(log.text.contains("access token Masked(not-null)"))
    #expect(!log.text.contains("canary"))
  }

  @Test("Text from outside cannot start a new line or move the cursor")
  func injection() async throws {
    authority.willSignIn(person("a\n2026-11-21 ERROR b\u{1B}[31m\u{202E}\u{2028}@contoso.example"))
    _ = try await app(.maskSecretsOnly).acquireToken(interactive())
    let line = try #require(log.lines.last { $0.text.contains("Tokens for") }?.text)
    #expect(line.contains("a\\u{a}2026-11-21 ERROR b\\u{1b}[31m\\u{202e}\\u{2028}@contoso.example"))
    let isPlain = line.unicodeScalars.allSatisfy {
      ![.control, .format, .lineSeparator].contains($0.properties.generalCategory)
    }
    #expect(isPlain)
  }

  @Test("Of an error, only the codes are logged, not the server's message")
  func errors() async throws {
    authority.next(
      .token, status: 400,
      """
      {"error": "invalid_grant", "suberror": "bad_token", "error_codes": [50173],
       "error_description": "AADSTS50173: adele@contoso.example has left."}
      """)
    await #expect(throws: AuthenticationError.self) {
      try await app(.maskSecretsOnly).acquireToken(interactive())
    }
    #expect(
      ending == "The request ended: interactionRequired, in step token,"
        + " invalid_grant, bad_token, AADSTS50173, HTTP 400")
    #expect(!log.text.contains("has left"))
  }

  @Test("An invalid error code is not logged")
  func madeUpCode() async throws {
    authority.next(.token, status: 400, "{\"error\": \"Adele was here\"}")
    await #expect(throws: AuthenticationError.self) {
      try await app(.maskSecretsOnly).acquireToken(interactive())
    }
    #expect(ending == "The request failed: serverError, in step token, HTTP 400")
  }

  // MARK: - Contents

  @Test("Each line of a call has its correlation ID")
  func correlationID() async throws {
    var parameters = interactive()
    parameters.correlationID = "11112222-bbbb-3333-cccc-4444dddd5555"
    let app = try app()
    let account = try await app.acquireToken(parameters).account
    #expect(log.lines.count >= 8)
    #expect(Set(log.lines.map(\.correlationID)) == [parameters.correlationID])
    var silent = SilentTokenParameters(scopes: ["User.Read"], account: account)
    silent.correlationID = "one\ntwo"
    _ = try await app.acquireTokenSilent(silent)
    #expect(log.lines.last?.correlationID == "one\\u{a}two")
  }

  @Test("A cached token, a renewal, a retry and a pause have different log lines")
  func silent() async throws {
    let app = try app()
    let account = try await app.acquireToken(interactive()).account
    let parameters = SilentTokenParameters(scopes: ["User.Read"], account: account)
    func lines(_ work: () async throws -> Void) async -> [String] {
      let before = log.lines.count
      try? await work()
      return log.lines[before...].map { "\($0.level): \($0.text)" }
    }
    let hit = await lines { _ = try await app.acquireTokenSilent(parameters) }
    #expect(hit.count == 1)
    #expect(hit.first?.hasPrefix("debug: Silent request: the cache has a token") == true)

    clock.advance(by: 3600)
    authority.next(.token, status: 503, "")
    let renewal = await lines { _ = try await app.acquireTokenSilent(parameters) }
    #expect(renewal.first?.hasPrefix("info: Silent request: renewing") == true)
    #expect(renewal.contains("info: HTTP 503 from login.microsoftonline.com"))
    #expect(renewal.contains { $0.hasPrefix("warning: Retrying the request in") })
    #expect(renewal.contains("info: HTTP 200 from login.microsoftonline.com"))
    #expect(renewal.last?.hasPrefix("info: Tokens for") == true)

    clock.advance(by: 3600)
    authority.next(.token, status: 429, "")
    _ = await lines { _ = try await app.acquireTokenSilent(parameters) }
    let pause = await lines { _ = try await app.acquireTokenSilent(parameters) }
    #expect(pause.contains { $0.hasPrefix("error:") && $0.hasSuffix("HTTP 429, not sent") })
    #expect(!pause.contains { $0.contains("POST") })
  }

  @Test("Each part of a sign-out is logged")
  func signOut() async throws {
    let store = ScriptedStore()
    let app = try app(store: store)
    let account = try await app.acquireToken(interactive()).account
    store.fail(.delete)
    _ = try await app.signOut(
      account, parameters: SignOutParameters(session: authority.closedPages))
    let lines = log.lines.filter { $0.text.hasPrefix("Sign-out") }
    #expect(
      lines.map(\.text) == [
        "Sign-out, removal: storageUnavailable, in step storage",
        "Sign-out, browser session: userCanceled, in step signOut",
      ])
    #expect(lines.map(\.level) == [.error, .error])
  }

  @Test("Accounts that cannot be stored are logged")
  func lost() async throws {
    let store = ScriptedStore()
    store.fail(.save)
    _ = try await app(store: store).acquireToken(interactive())
    #expect(log.lines.contains { $0.level == .error && $0.text.contains("lost when the app ends") })
  }

  @Test(
    "The logger's level determines what is logged",
    arguments: [Logger.Level.debug, .info, .warning, .error, .critical])
  func threshold(level: Logger.Level) async throws {
    let app = try app(level: level)
    let account = try await app.acquireToken(interactive()).account
    var parameters = SilentTokenParameters(scopes: ["User.Read"], account: account)
    _ = try await app.acquireTokenSilent(parameters)
    parameters.forceRefresh = true
    authority.next(.token, times: 2, status: 503, "")
    _ = try? await app.acquireTokenSilent(parameters)
    let told: [Logger.Level] = [.debug, .info, .warning, .error].filter { $0 >= level }
    #expect(Set(log.lines.map(\.level)) == Set(told))
  }
}
