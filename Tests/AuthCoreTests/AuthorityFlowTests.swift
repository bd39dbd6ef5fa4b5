import AuthCore
import CurlHTTP
import FoundationEssentials
import TestSupport
import Testing

/// A service of one kind, with the configuration of an app for it.
struct Service: Sendable, CustomTestStringConvertible {
  var url: String
  var kind: Authority.Kind
  /// Whether it must be listed as a known authority.
  var isOwn = false

  var testDescription: String { "\(kind): \(url)" }

  static let all: [Service] = [
    Service(url: "https://login.microsoftonline.com/common", kind: .entra),
    Service(url: "https://login.microsoftonline.us/\(Person.contoso)", kind: .entra),
    Service(url: "https://contoso.ciamlogin.com", kind: .externalID),
    Service(url: "https://login.contoso.example/contoso.example", kind: .externalID, isOwn: true),
    Service(url: "https://contoso.b2clogin.com/contoso.onmicrosoft.com/B2C_1_in", kind: .b2c),
    Service(
      url: "https://contoso.b2clogin.com/tfp/contoso.onmicrosoft.com/B2C_1_in", kind: .b2c),
    Service(url: "https://login.contoso.example/\(Person.contoso)/in", kind: .b2c, isOwn: true),
    adfs, oidc,
    Service(url: "https://auth.contoso.example/", kind: .oidc, isOwn: true),
  ]
  static let adfs = Service(url: "https://fs.contoso.example/adfs", kind: .adfs, isOwn: true)
  static let oidc = Service(
    url: "https://id.contoso.example/Realms/One", kind: .oidc, isOwn: true)

  func authority() throws -> ScriptedAuthority {
    ScriptedAuthority(
      host: try Authority(url, kind: kind).environment, kind: kind,
      issuer: url.hasSuffix("/") ? url : nil)
  }

  func app(
    _ network: ScriptedAuthority, clock: ManualClock = ManualClock(),
    store: any TokenCacheStore = MemoryTokenCacheStore(), isKnown: Bool? = nil
  ) throws -> PublicClientApplication {
    try TestApplication.make(
      network, clock: clock, store: store, authority: url,
      known: isKnown ?? isOwn ? [url] : [], kind: kind)
  }
}

@Suite("Sign-in at each kind of authority")
struct AuthorityFlowTests {
  static func interactive(_ network: ScriptedAuthority) -> InteractiveTokenParameters {
    InteractiveTokenParameters(scopes: ["User.Read"], session: network.pages)
  }

  @Test("Sign-in, cached token, renewal and sign-out", arguments: Service.all)
  func wholeStory(service: Service) async throws {
    let network = try service.authority()
    let clock = ManualClock()
    let store = MemoryTokenCacheStore()
    let app = try service.app(network, clock: clock, store: store)
    let signedIn = try await app.acquireToken(Self.interactive(network))
    #expect(network.count(.instance) == 0, "there is no instance discovery")
    #expect(network.count(.configuration) == 1)

    // A new run of the app, with empty memory.
    let later = try service.app(network, clock: clock, store: store)
    let account = try #require(await later.currentAccount().current)
    #expect(account == signedIn.account)
    #expect(account.id == signedIn.account.id)
    let calls = network.calls.count
    let cached = try await later.acquireTokenSilent(.init(scopes: ["user.read"], account: account))
    #expect(cached.source == .cache)
    #expect(cached.accessToken == signedIn.accessToken)
    #expect(cached.tenantID == signedIn.tenantID)
    #expect(network.calls.count == calls, "a cached token needs no request")

    clock.advance(by: 3500)
    let renewed = try await later.acquireTokenSilent(.init(scopes: ["User.Read"], account: account))
    #expect(renewed.source == .server)
    #expect(renewed.account == account)
    #expect(network.lastForm["grant_type"] == "refresh_token")
    #expect(network.lastForm["refresh_token"] == "refresh-canary-1")
    #expect(await later.accounts().count == 1)
    let again = try await later.acquireTokenSilent(.init(scopes: ["User.Read"], account: account))
    #expect(again.accessToken == renewed.accessToken)

    let goodbye = network.pages { "state=\($0["state"] ?? "")" }
    let gone = try await later.signOut(account, parameters: SignOutParameters(session: goodbye))
    #expect(gone.failures.isEmpty)
    #expect(await later.accounts().isEmpty)
    #expect(store.load().isEmpty)
    #expect(network.pagesShown.count == 2)
  }

  @Test("client_info is requested from services that support it", arguments: Service.all)
  func clientInfo(service: Service) async throws {
    let network = try service.authority()
    let app = try service.app(network)
    let account = try await app.acquireToken(Self.interactive(network)).account
    var parameters = Self.interactive(network)
    parameters.account = account
    _ = try await app.acquireToken(parameters)
    let isMicrosofts = service.kind != .adfs && service.kind != .oidc
    for name in ["client_info", "login_req", "domain_req"] {
      #expect((network.authorization[name] != nil) == isMicrosofts)
    }
    #expect((network.lastForm["client_info"] != nil) == isMicrosofts)
    // AD FS does not list the scope; the others list it, or always have it.
    let scopes = network.authorization["scope"]?.split(separator: " ") ?? []
    #expect(scopes.contains("offline_access") == (service.kind != .adfs))
    #expect(scopes.contains("openid"))
    #expect(network.lastForm["scope"] == network.authorization["scope"])
  }

  /// OpenID Connect Discovery 1.0, section 3: a service may leave supported scopes out of its list.
  @Test(
    "A provider that does not list offline_access is asked for it only if the caller names it",
    arguments: ["offline_access", "Offline_Access", nil])
  func unlistedOfflineAccess(named: String?) async throws {
    let network = try Service.oidc.authority()
    network.edit(.configuration) { $0["scopes_supported"] = .array([.string("openid")]) }
    let app = try Service.oidc.app(network)
    let scopes = ["User.Read"] + [named].compactMap(\.self)
    let asked =
      named == nil ? "User.Read openid profile" : "User.Read offline_access openid profile"
    let result = try await app.acquireToken(.init(scopes: scopes, session: network.pages))
    #expect(network.authorization["scope"] == asked)
    #expect(network.lastForm["scope"] == asked)
    var silent = SilentTokenParameters(scopes: scopes, account: result.account)
    #expect(try await app.acquireTokenSilent(silent).source == .cache)
    silent.forceRefresh = true
    #expect(try await app.acquireTokenSilent(silent).source == .server)
    #expect(network.lastForm["scope"] == asked)
  }

  @Test("A token that was requested without offline_access is used with it, too")
  func offlineAccessOfCachedToken() async throws {
    let network = try Service.oidc.authority()
    network.edit(.configuration) { $0["scopes_supported"] = .array([.string("openid")]) }
    let app = try Service.oidc.app(network)
    let result = try await app.acquireToken(.init(scopes: ["email"], session: network.pages))
    let silent = SilentTokenParameters(
      scopes: ["email", "offline_access"], account: result.account)
    #expect(try await app.acquireTokenSilent(silent).source == .cache)
  }

  @Test(
    "Where there is no configuration, the kind of the service is mentioned if it may be another",
    arguments: [
      Service(url: "https://id.contoso.example/realms", kind: .entra, isOwn: true), .oidc, .adfs,
      Service(url: "https://login.microsoftonline.com/contoso.example", kind: .entra),
    ])
  func noConfiguration(service: Service) async throws {
    let network = try service.authority()
    network.next(.configuration, status: 404, "{}")
    let error = await #expect(throws: AuthenticationError.self) {
      try await service.app(network).checkRegistration()
    }
    #expect(error?.code == .invalidResponse && error?.httpStatus == 404)
    let mayBeOther = service.kind == .entra && service.isOwn
    #expect(error?.message.contains("a service of another kind") == mayBeOther)
  }

  @Test("A caller’s scopes of OpenID Connect are not sent to a service that does not have them")
  func scopesOfCaller() async throws {
    let network = try Service.adfs.authority()
    let app = try Service.adfs.app(network)
    let scopes = ["User.Read", "Offline_Access", "openid"]
    let result = try await app.acquireToken(.init(scopes: scopes, session: network.pages))
    #expect(network.authorization["scope"] == "User.Read openid profile")
    #expect(network.lastForm["scope"] == "User.Read openid profile")
    #expect(Set(result.scopes) == ["User.Read", "openid", "profile"])
    var silent = SilentTokenParameters(scopes: scopes, account: result.account)
    #expect(try await app.acquireTokenSilent(silent).source == .cache)
    silent.forceRefresh = true
    let renewed = try await app.acquireTokenSilent(silent)
    #expect(renewed.source == .server)
    #expect(network.lastForm["scope"] == "User.Read openid profile")
    #expect(Set(renewed.scopes) == ["User.Read", "openid", "profile"])
  }

  @Test("An account is identified by client_info, or else by its subject")
  func identifiers() async throws {
    for service in Service.all {
      let network = try service.authority()
      let result = try await service.app(network).acquireToken(Self.interactive(network))
      let adele = Person.adele
      let expected: (id: String, tenant: String) =
        switch service.kind.known {
        case .entra, .externalID: (adele.identifier, Person.contoso)
        case .b2c:
          (
            "\(adele.objectID)-\(service.url.contains("B2C_1") ? "b2c_1_in" : "in")"
              + ".\(Person.contoso)", Person.contoso
          )
        case .adfs: ("subject-\(adele.localObjectID)", "adfs")
        case .oidc: ("subject-\(adele.localObjectID)", "")
        }
      #expect(result.account.id == expected.id, "fact 33 for B2C")
      #expect(result.tenantID == expected.tenant)
    }
  }

  @Test("AD FS's user name is the UPN; without a user name, the subject is used")
  func usernames() async throws {
    for service in [Service.adfs, .oidc] {
      let network = try service.authority()
      let app = try service.app(network)
      let account = try await app.acquireToken(Self.interactive(network)).account
      #expect(account.username == Person.adele.username)
      network.edit(.claims) {
        $0["upn"] = nil
        $0["preferred_username"] = nil
      }
      let unnamed = try await app.acquireToken(Self.interactive(network)).account
      #expect(unnamed.username == unnamed.id)
    }
  }

  @Test("A token of one B2C policy is not used for another")
  func otherPolicy() async throws {
    let service = Service.all[4]
    let network = try service.authority()
    let app = try service.app(network)
    let account = try await app.acquireToken(Self.interactive(network)).account
    var silent = SilentTokenParameters(scopes: ["User.Read"], account: account)
    silent.authority = try Authority(service.url.replacing("B2C_1_in", with: "B2C_1_edit"))
    let calls = network.calls.count
    let error = await #expect(throws: AuthenticationError.self) {
      try await app.acquireTokenSilent(silent)
    }
    #expect(error?.code == .interactionRequired)
    #expect(network.calls.count == calls, "the refresh token is not sent there")
  }

  @Test("Two issuers on one host are separate: their subjects are different accounts")
  func issuersOnOneHost() async throws {
    let network = try Service.oidc.authority()
    let store = MemoryTokenCacheStore()
    let one = try Service.oidc.app(network, store: store)
    let account = try await one.acquireToken(Self.interactive(network)).account
    #expect(account.environment == "id.contoso.example/Realms/One")
    var other = Service.oidc
    other.url = "https://id.contoso.example/Realms/Two"
    let two = try other.app(network, store: store)
    _ = try await two.acquireToken(Self.interactive(network))
    let accounts = await two.accounts()
    #expect(Set(accounts.map(\.id)) == [account.id])
    #expect(accounts.count == 2)
    let calls = network.calls.count
    for forceRefresh in [false, true] {
      var silent = SilentTokenParameters(scopes: ["User.Read"], account: account)
      silent.forceRefresh = forceRefresh
      let error = await #expect(throws: AuthenticationError.self) {
        try await two.acquireTokenSilent(silent)
      }
      #expect(error?.code == .interactionRequired)
    }
    #expect(network.calls.count == calls, "no token of one is sent to the other")
    #expect(Set(accounts).count == 2)
  }

  @Test("A subject with dots is still a subject when read from the store")
  func dottedSubject() async throws {
    let network = try Service.oidc.authority()
    network.edit(.claims) { $0["sub"] = .string("google|10.24.8") }
    let store = MemoryTokenCacheStore()
    let app = try Service.oidc.app(network, store: store)
    let account = try await app.acquireToken(Self.interactive(network)).account
    let later = try Service.oidc.app(network, store: store)
    #expect(await later.account(identifier: "google|10.24.8") == account)
  }

  @Test(
    "Sign-out requests identify the account by the ID token, or not at all", arguments: Service.all)
  func signOut(service: Service) async throws {
    let network = try service.authority()
    let app = try service.app(network)
    let result = try await app.acquireToken(Self.interactive(network))
    let goodbye = network.pages { "state=\($0["state"] ?? "")" }
    let gone = try await app.signOut(
      result.account, parameters: SignOutParameters(session: goodbye))
    #expect(gone.browserSession == .done)
    // Entra accepts the login_hint claim; B2C and the others need the token.
    let takesHint = service.kind == .entra || service.kind == .externalID
    #expect(network.authorization["logout_hint"] == (takesHint ? "hint-of-A" : nil))
    #expect(network.authorization["id_token_hint"] == (takesHint ? nil : result.idToken?.exposed))
    #expect(network.authorization["client_id"] == (takesHint ? nil : TestApplication.clientID))
  }

  @Test("A request's authority must be of the app's kind")
  func otherKind() async throws {
    let network = ScriptedAuthority()
    let app = try TestApplication.make(network)
    let account = try await app.acquireToken(Self.interactive(network)).account
    let calls = network.calls.count
    var parameters = Self.interactive(network)
    parameters.authority = try Authority("https://contoso.ciamlogin.com")
    var error = await #expect(throws: AuthenticationError.self) {
      try await app.acquireToken(parameters)
    }
    #expect(error?.code == .invalidParameter)
    #expect(error?.message.contains("Unsupported authority type") == true)
    var silent = SilentTokenParameters(scopes: ["User.Read"], account: account)
    silent.authority = parameters.authority
    error = await #expect(throws: AuthenticationError.self) {
      try await app.acquireTokenSilent(silent)
    }
    #expect(error?.code == .invalidParameter)
    #expect(network.calls.count == calls)
  }

  @Test(
    "A device code request's authority must be of the app's kind", arguments: [Service.adfs, .oidc])
  func deviceCode(service: Service) async throws {
    let network = try service.authority()
    let host = network.host
    network.edit(.configuration) {
      $0["device_authorization_endpoint"] = .string("https://\(host)/oauth2/v2.0/devicecode")
    }
    network.edit(.deviceCode) { $0["verification_uri"] = .string("https://\(host)/device") }
    let app = try service.app(network)
    let result = try await app.acquireToken(
      DeviceCodeTokenParameters(scopes: ["User.Read", "offline_access"]) { _ in })
    #expect(result.account.id == "subject-\(Person.adele.localObjectID)")
    #expect(network.lastForm["client_info"] == nil)
    let asked = network.calls.first { $0.endpoint == .deviceCode }?.form["scope"] ?? ""
    #expect(asked.contains("offline_access") == (service.kind == .oidc))

    var parameters = DeviceCodeTokenParameters(scopes: ["User.Read"]) { _ in }
    parameters.authority = .common
    let error = await #expect(throws: AuthenticationError.self) {
      try await app.acquireToken(parameters)
    }
    #expect(error?.code == .invalidParameter)
  }
}
