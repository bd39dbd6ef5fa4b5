import AuthCore
import FoundationEssentials
import TestSupport
import Testing

@Suite("Caches of the other MSALs")
struct PeerCacheTests {
  let authority = ScriptedAuthority()
  let clock = ManualClock()
  let directory: TemporaryDirectory

  init() throws {
    directory = try TemporaryDirectory()
  }

  func application(_ peer: Peer) throws -> PublicClientApplication {
    try directory.write("cache.json", peer.text)
    return try TestApplication.make(
      authority, clock: clock, store: FileTokenCacheStore(path: directory.path + "/cache.json"),
      authority: "https://login.microsoftonline.com/\(Person.contoso)")
  }

  func token(
    _ app: PublicClientApplication, scope: String = "uSER.rEAD"
  ) async throws -> AuthenticationResult {
    let account = try #require(await app.currentAccount().current)
    return try await app.acquireTokenSilent(.init(scopes: [scope], account: account))
  }

  func written() throws -> (text: String, json: JSON) {
    let data = try directory.read("cache.json")
    return (String(decoding: data, as: UTF8.self), try JSON(parsing: data))
  }

  @Test("The account is found, and its token with scopes in any case", arguments: Peer.allCases)
  func read(peer: Peer) async throws {
    let app = try application(peer)
    #expect(await app.accounts().map(\.username) == [Person.adele.username])
    #expect(await app.accounts().map(\.id) == [Person.adele.identifier])
    let result = try await token(app)
    #expect(result.accessToken.exposed == "AT")
    #expect(result.tenantID == Person.contoso)
    #expect(authority.calls.isEmpty)
  }

  @Test(
    "A renewal sends the app's own refresh token, and preserves all other entries",
    arguments: Peer.allCases)
  func renew(peer: Peer) async throws {
    let app = try application(peer)
    clock.advance(by: 3600)
    #expect(try await token(app).source == .server)
    #expect(authority.lastForm["refresh_token"] == "RT")
    let (text, json) = try written()
    for part in peer.strange {
      #expect(text.contains(part.replacing("TENANT", with: Person.contoso)))
    }
    let secrets = ["AccessToken", "RefreshToken", "IdToken"].flatMap {
      json[$0]?.object?.compactMap { $0.value["secret"]?.string } ?? []
    }
    #expect(!secrets.contains("AT") && !secrets.contains("RT"))
    #expect(json["Account"]?.object?.count == 1)
    for kept in ["AT of another", "AT bound", "AT extended", "AT of claims", "AT of a service"]
    where peer.text.contains(kept) {
      #expect(secrets.contains(kept))
    }
  }

  @Test("The written cache is valid for all other readers", arguments: Peer.allCases)
  func traps(peer: Peer) async throws {
    let app = try application(peer)
    clock.advance(by: 3600)
    _ = try await token(app)
    let json = try written().json
    let access = try #require(
      json["AccessToken"]?.object?.first { $0.value["secret"]?.string == "access-canary-1" })
    // MSAL Python looks up exactly this key.
    let parts = [
      Person.adele.identifier, access.value["environment"]?.string ?? "", "accesstoken",
      TestApplication.clientID, Person.contoso, access.value["target"]?.string ?? "",
    ]
    #expect(access.name == parts.joined(separator: "-").lowercased())
    let targets = access.value["target"]?.string?.split(separator: " ") ?? []
    #expect(!targets.isEmpty && targets == targets.sorted())
    // MSAL.NET accepts only text for a time, and MSAL Go only digits.
    for name in ["cached_at", "expires_on", "extended_expires_on"] {
      #expect(access.value[name]?.string.flatMap { Int($0) } != nil)
    }
    let refresh = try #require(
      json["RefreshToken"]?.object?.first { $0.value["secret"]?.string == "refresh-canary-1" })
    let family = peer.text.contains(#""family_id":"1""#) || peer == .python
    #expect(refresh.value["family_id"]?.string == (family ? "1" : nil))
    #expect(
      refresh.name
        == "\(Person.adele.identifier)-\(refresh.value["environment"]?.string ?? "")-refreshtoken-"
        + "\(family ? "1" : TestApplication.clientID)--")
    for entry in [access.value, refresh.value] {
      for member in entry.object ?? [] {
        #expect(member.value != .null && member.value != .string(""))
      }
    }
    // The metadata of the app's family is never overwritten with less.
    let apps = json["AppMetadata"]?.object ?? []
    #expect(apps.contains { $0.value["family_id"]?.string == "1" } == family)
  }

  @Test("MSAL.NET's placeholder for an unknown user name is read as none")
  func noUsername() async throws {
    let text = Peer.dotNET.text.replacing(
      #""username":"\#(Person.adele.username)""#,
      with: #""username":"Missing from the token response""#)
    let app = try application(.dotNET)
    try directory.write("cache.json", text)
    #expect(await app.accounts().map(\.username) == [""])
  }

  @Test("Signing out removes the app's tokens, and keeps the others'", arguments: Peer.allCases)
  func remove(peer: Peer) async throws {
    let app = try application(peer)
    try await app.remove(try #require(await app.currentAccount().current))
    let (text, json) = try written()
    #expect(text.contains("AT of another"))
    #expect(!text.contains(#""AT""#) && !text.contains(#""RT""#))
    #expect(json["Account"]?.object?.count == 1)
    #expect(await app.accounts().isEmpty)
  }
}
