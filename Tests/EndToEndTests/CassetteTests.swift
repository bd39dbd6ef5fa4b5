import AuthCore
import CurlHTTP
import FoundationEssentials
import HTTPTypes
import IdentityEmulator
import MicrosoftGraph
import TestSupport
import Testing

@Suite("Recordings of sessions, over TLS")
struct CassetteTests {
  /// Sends requests, and keeps what is secret or personal in them and in the responses.
  private final class Wire: HTTPTransport {
    let transport: CurlClient
    let privateValues = LockedValue<Set<String>>([])
    /// How many requests the recording had, each time that another one was sent.
    let lengths = LockedValue<[Int?]>([])
    private let file: String

    init(_ transport: CurlClient, recordingTo file: String) {
      self.transport = transport
      self.file = file
    }

    /// The number of requests in the file; nil when it is not valid.
    private var length: Int? {
      guard let data = FileManager.default.contents(atPath: file) else { return 0 }
      return (try? JSON(parsing: data))?["log"]?["entries"]?.array?.count
    }

    func execute(
      _ request: HTTPRequest, body: Data, limits: HTTPLimits
    ) async throws(HTTPError) -> HTTPReply {
      lengths.withLock { $0.append(length) }
      let reply = try await transport.execute(request, body: body, limits: limits)
      var found: Set<String> = []
      if let token = request.headerFields[.authorization] {
        found.insert(String(token.dropFirst(7)))
      }
      let form = FormEncoding.parse(String(decoding: body, as: UTF8.self)) ?? []
      for parameter in form
      where ["code", "refresh_token", "code_verifier", "client_id"].contains(parameter.name) {
        found.insert(parameter.value)
      }
      if let json = try? JSON(parsing: reply.body) { Self.collect(json, "", &found) }
      privateValues.withLock { $0.formUnion(found) }
      return reply
    }

    private static let names: Set<String> = [
      "access_token", "refresh_token", "id_token", "client_info", "displayName", "givenName",
      "surname", "mail", "userPrincipalName", "id", "jobTitle", "mobilePhone", "officeLocation",
      "request-id", "client-request-id",
    ]

    private static func collect(_ json: JSON, _ name: String, _ found: inout Set<String>) {
      for member in json.object ?? [] { collect(member.value, member.name, &found) }
      for item in json.array ?? [] { collect(item, name, &found) }
      guard let text = json.string, names.contains(name) else { return }
      found.insert(text)
      // What is in an ID token is private, too.
      guard name == "id_token",
        let data = text.split(separator: ".").dropFirst().first.flatMap({ Base64URL.decode($0) }),
        let claims = try? JSON(parsing: data)
      else { return }
      for claim in ["name", "preferred_username", "oid", "tid", "sub", "nonce"] {
        if let value = claims[claim]?.string { found.insert(value) }
      }
    }
  }

  /// What a session has found out.
  private struct SessionResult: Equatable {
    var members: [String] = []
    var users = 0
    var pages = 0
    var refusal: String?
    var status: Int?
  }

  /// Signs in, renews, reads pages of Graph, and is refused.
  private func runSession(
    _ cassette: Cassette, _ browser: any WebAuthenticationSession, _ authority: Authority,
    host: String
  ) async throws -> (SessionResult, Account, JSON) {
    let app = PublicClientApplication(
      configuration: try PublicClientApplicationConfiguration(
        clientID: ClientRegistration.demo.clientID,
        redirectURI: RedirectURI(TestApplication.redirectURI), authority: authority,
        knownAuthorities: [authority]),
      runtime: Runtime(transport: cassette))
    let scopes = ["User.Read", "User.Read.All"]
    let account = try await app.acquireToken(
      .init(scopes: scopes, session: cassette.pages(of: browser))
    ).account
    var silent = SilentTokenParameters(scopes: scopes, account: account)
    silent.forceRefresh = true
    let renewed = try await app.acquireTokenSilent(silent)
    #expect(renewed.account.id == account.id)
    let graph = GraphClient(
      app: app, account: account, scopes: scopes, cloud: GraphCloud(host: host),
      runtime: Runtime(transport: cassette))
    let me = try await graph.get("/me").json()
    var result = SessionResult(members: (me.object ?? []).map(\.name))
    for try await page in graph.pages(GraphRequest(.get, "/users", .top(1))) {
      result.pages += 1
      result.users += page.items.count
    }
    let error = await #expect(throws: GraphError.self) { try await graph.get("/me/messages") }
    result.refusal = error?.serverCode
    result.status = error?.status
    return (result, account, me)
  }

  @Test("A recording has no secret in any form, and replays the session without a network")
  func session() async throws {
    let path = FileManager.default.temporaryDirectory.path + "/\(UUID().uuidString).har"
    defer { try? FileManager.default.removeItem(atPath: path) }
    var recorded: SessionResult?
    var authority: Authority?
    var host = ""
    var expected: Set<String> = []
    // A page for each user.
    var configuration = EmulatorConfiguration()
    configuration.colleagueCount = 3
    try await World.with(configuration) { world in
      let wire = Wire(CurlClient(.init(caFile: world.running.caFile)), recordingTo: path)
      let cassette = try Cassette(recordingTo: path, over: wire)
      host = String(world.running.baseURL.dropFirst("https://".count))
      authority = try Service.entra.authority(world.running)
      recorded = try await self.runSession(
        cassette, world.browser("adele@contoso.example"), #require(authority), host: host
      ).0
      try cassette.save()
      expected = wire.privateValues.withLock(\.self)
      // Whenever it ends, there is a valid file.
      let lengths = wire.lengths.withLock(\.self)
      #expect(lengths.first == 0 && lengths.allSatisfy { $0 != nil })
      #expect(lengths.contains { ($0 ?? 0) > 0 })
    }
    let story = try #require(recorded)
    #expect(story.pages > 2 && story.users == story.pages && story.status == 403)
    // Tokens, codes, names and IDs were there.
    #expect(expected.count > 20 && expected.contains("Adele Vance"))

    let attributes = try FileManager.default.attributesOfItem(atPath: path)
    #expect(attributes[.posixPermissions] as? Int == 0o600)
    let file = try String(contentsOfFile: path, encoding: .utf8)
    for value in expected where value.count >= 4 {
      for form in TextForms.all(of: value) where form.count >= 4 {
        #expect(!file.contains(form), "\(value) as \(form)")
      }
    }
    let log = try JSON(parsing: file.utf8)["log"]
    #expect(log?["version"]?.string == "1.2")

    let replay = try Cassette(replaying: path)
    let (again, account, me) = try await self.runSession(
      replay, NoPages(), #require(authority), host: host)
    #expect(again == story)
    // The same stand-in wherever it occurs.
    #expect(account.username.hasSuffix("@stand-in.example"))
    #expect(me["userPrincipalName"]?.string == account.username)
    #expect(me["displayName"]?.string == account.name)
    // What was not recorded is not answered.
    let request = HTTPRequest(url: "https://\(host)/v1.0/me/events")
    await #expect(throws: HTTPError.self) { try await replay.execute(request) }
  }

  /// Shows no pages.
  private struct NoPages: WebAuthenticationSession {
    func authenticate(
      _ request: WebAuthenticationRequest
    ) async throws(AuthenticationError) -> String {
      throw AuthenticationError(.webAuthenticationFailed, "There are no pages.")
    }
  }

  @Test("A file that exists is not overwritten, and another file is not replayed")
  func files() throws {
    let path = FileManager.default.temporaryDirectory.path + "/\(UUID().uuidString)"
    defer { try? FileManager.default.removeItem(atPath: path) }
    try Data("{}".utf8).write(to: URL(filePath: path))
    for make in [
      { try Cassette(recordingTo: path, over: CurlClient()) }, { try Cassette(replaying: path) },
      { try Cassette(replaying: path + ".none") },
    ] {
      let error = #expect(throws: GraphError.self) { _ = try make() }
      #expect(error?.code == .fileFailure)
    }
  }
}
