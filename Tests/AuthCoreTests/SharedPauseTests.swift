import CurlHTTP
import FoundationEssentials
import HTTPTypes
import TestSupport
import Testing

@testable import AuthCore

/// Two apps simulate two processes.
@Suite("Pauses that several processes keep")
struct SharedPauseTests {
  let authority = ScriptedAuthority()
  let clock = ManualClock()
  let directory: TemporaryDirectory
  let store: FileTokenCacheStore
  let path: String

  init() throws {
    directory = try TemporaryDirectory()
    store = FileTokenCacheStore(path: directory.path + "/cache.json")
    path = try #require(SharedPauses(of: store)?.path)
  }

  func newRun() throws -> PublicClientApplication {
    try TestApplication.make(
      authority, clock: clock, store: FileTokenCacheStore(path: directory.path + "/cache.json"))
  }

  func signIn() async throws -> Account {
    try await newRun().acquireToken(.init(scopes: ["User.Read"], session: authority.pages)).account
  }

  func renew(
    _ account: Account, in app: PublicClientApplication? = nil, scopes: [String] = ["User.Read"]
  ) async throws -> AuthenticationResult {
    var parameters = SilentTokenParameters(scopes: scopes, account: account)
    parameters.forceRefresh = true
    return try await (app ?? newRun()).acquireTokenSilent(parameters)
  }

  /// The error of a renewal in a new process.
  func refusal(_ account: Account) async throws -> AuthenticationError {
    try #require(
      await #expect(throws: AuthenticationError.self) { try await renew(account) })
  }

  /// Signs in, and lets a process be told to wait.
  func paused(_ status: Int = 429, for retryAfter: String? = "90") async throws -> Account {
    let account = try await signIn()
    authority.next(.token, times: retryAfter == nil ? 2 : 1) { _ in
      var reply = HTTPReply.make(status, "")
      reply.response.headerFields[.retryAfter] = retryAfter
      return reply
    }
    #expect(try await !refusal(account).isThrottled)
    return account
  }

  func forget() { try? FileManager.default.removeItem(atPath: path) }

  @Test(
    "A pause that a service requests of one process applies to others, too", arguments: [429, 503])
  func shared(status: Int) async throws {
    defer { forget() }
    let account = try await paused(status)
    let sent = authority.count(.token)
    clock.advance(by: 30)
    let error = try await refusal(account)
    #expect(error.isThrottled && error.code == .serverUnavailable && error.httpStatus == status)
    #expect(error.retryAfter == .seconds(60))
    let reason =
      status == 429 ? "received too many requests (HTTP 429)" : "is not available at the moment"
    #expect(error.message.contains(reason), "the words of the process that was told")
    #expect(authority.count(.token) == sent)
    clock.advance(by: 60)
    #expect(try await renew(account).source == .server)
  }

  @Test("An outage without a time to wait is each process's own")
  func outage() async throws {
    defer { forget() }
    let account = try await paused(503, for: nil)
    #expect(try await renew(account).source == .server)
    #expect(!FileManager.default.fileExists(atPath: path))
  }

  @Test("A cached token is returned during the pause of another process")
  func cached() async throws {
    defer { forget() }
    let account = try await paused()
    let result = try await newRun().acquireTokenSilent(
      .init(scopes: ["User.Read"], account: account))
    #expect(result.source == .cache)
  }

  @Test("A sign-in ends it, even if the service returns the same refresh token")
  func signedIn() async throws {
    defer { forget() }
    authority.edit(.tokens) { $0["refresh_token"] = .string("same") }
    let account = try await paused()
    _ = try await signIn()
    #expect(try await renew(account).source == .server)
    #expect(!FileManager.default.fileExists(atPath: path))
  }

  @Test("A sign-in ends it in the process that was told to wait, too")
  func signedInInTheSameProcess() async throws {
    authority.edit(.tokens) { $0["refresh_token"] = .string("same") }
    let app = try TestApplication.make(authority, clock: clock)
    let parameters = InteractiveTokenParameters(scopes: ["User.Read"], session: authority.pages)
    let account = try await app.acquireToken(parameters).account
    authority.next(.token, status: 429, "")
    await #expect(throws: AuthenticationError.self) { try await renew(account, in: app) }
    await #expect(throws: AuthenticationError.self) { try await renew(account, in: app) }
    _ = try await app.acquireToken(parameters)
    #expect(try await renew(account, in: app).source == .server)
  }

  @Test("Other scopes and other accounts are not paused")
  func others() async throws {
    defer { forget() }
    let account = try await paused()
    authority.willSignIn(.ben)
    let ben = try await signIn()
    #expect(try await renew(ben).source == .server)
    authority.willSignIn(.adele)
    #expect(try await refusal(account).isThrottled, "another account's sign-in does not end it")
    #expect(try await renew(account, scopes: ["Mail.Read"]).source == .server)
  }

  @Test("A pause is never longer than an hour, and a clock that is set back ends it")
  func limits() async throws {
    defer { forget() }
    let account = try await paused(429, for: "86400")
    #expect(try await refusal(account).retryAfter == .seconds(3600))
    clock.advance(by: -7200)
    #expect(try await renew(account).source == .server)
  }

  @Test("A file that someone has edited pauses for no longer, and stops nothing")
  func edited() async throws {
    defer { forget() }
    let account = try await paused()
    let text = try String(decoding: Data(contentsOf: URL(filePath: path)), as: UTF8.self)
    let pause = try #require(try JSON(parsing: text.utf8)["pauses"]?.array?.first)
    for (start, end) in [
      ("0", "99999999999"), ("-9223372036854775808", "9223372036854775807"), ("1e999", "1"),
    ] {
      let edited = text.replacing(
        "\"start\":\(pause["start"]?.compactText ?? "")", with: "\"start\":\(start)"
      )
      .replacing("\"end\":\(pause["end"]?.compactText ?? "")", with: "\"end\":\(end)")
      #expect(edited != text)
      try Data(edited.utf8).write(to: URL(filePath: path))
      #expect(try await renew(account).source == .server)
    }
    for text in ["", "{", "[]", "{\"pauses\":[1,{}]}", String(repeating: "[", count: 1 << 20)] {
      try Data(text.utf8).write(to: URL(filePath: path))
      #expect(try await renew(account).source == .server)
    }
  }

  @Test("The file contains no secret, and only its owner can read it")
  func secret() async throws {
    defer { forget() }
    let account = try await paused()
    let text = try String(decoding: Data(contentsOf: URL(filePath: path)), as: UTF8.self)
    for secret in authority.secrets + [account.id, account.username, "User.Read"] {
      #expect(!text.contains(secret))
    }
    let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    #expect(mode.map { $0 & 0o077 } == 0)
  }
}
