import AuthCore
import Connections
import EntranceKit
import FoundationEssentials
import TestSupport
import Testing

@MainActor @Suite("Tokens for programs of the desktop", .timeLimit(.minutes(5)))
struct ProgramTokensTests {
  private let directory: TemporaryDirectory
  private let list: ProgramList
  private let mail = CallingProgram(.flatpak, "org.example.Mail")

  init() throws {
    directory = try TemporaryDirectory()
    list = ProgramList(path: "\(directory.path)/programs.json")
  }

  /// A page where Adele is signed in, and what gives programs her tokens.
  private func signedIn(
    _ reply: ProgramConsent.Reply? = .once, policy: ProgramPolicy = .ask
  ) async throws -> (Page, ProgramTokens) {
    let page = try Page()
    page.authority.willSignIn(.adele)
    await page.window.accounts.add()?.value
    return (page, tokens(of: page, reply, policy: policy))
  }

  private func tokens(
    of page: Page, _ reply: ProgramConsent.Reply? = .once, policy: ProgramPolicy = .ask
  ) -> ProgramTokens {
    let consent = ProgramConsent(list: list, policy: { policy }) { _ in reply }
    return ProgramTokens(
      list: list, consent: consent, connections: { [page.workspace.connection] },
      application: { _ in page.application })
  }

  private func failure(
    _ tokens: ProgramTokens, of program: CallingProgram? = nil, app: String = "",
    account: String = "", scopes: [String] = []
  ) async -> ProgramTokens.Failure.Code? {
    do throws(ProgramTokens.Failure) {
      _ = try await tokens.token(
        for: program ?? mail, app: app, account: account, scopes: scopes)
      return nil
    } catch {
      return error.code
    }
  }

  @Test("A program that was allowed gets the access token, and that is noted")
  func token() async throws {
    let (page, tokens) = try await signedIn()
    let (token, expiresOn) = try await tokens.token(
      for: mail, app: "Test", account: "adele@contoso.example", scopes: ["User.Read"])
    #expect(token.exposed.hasPrefix("access-canary-"))
    #expect(expiresOn > page.clock.now)
    let record = await list.record(of: mail)
    #expect(record.count == 1)
    #expect(record.grants.first?.account == Person.adele.identifier)
    #expect(record.grants.first?.scopes == ["User.Read"])
  }

  @Test("Empty arguments mean the first app, the last account, and the app's permissions")
  func defaults() async throws {
    let (_, tokens) = try await signedIn()
    #expect(await failure(tokens) == nil)
    #expect(await failure(tokens, account: Person.adele.identifier) == nil)
    #expect(await list.record(of: mail).grants.map(\.scopes) == [["User.Read"]])
  }

  @Test("What may not be given has a reason of its own, and is no token")
  func refusals() async throws {
    let (_, denied) = try await signedIn(.deny)
    #expect(await failure(denied) == .denied)
    await list.forget()
    let (_, closed) = try await signedIn(.closed)
    #expect(await failure(closed) == .noAnswer)
    let (_, unseen) = try await signedIn(nil)
    #expect(await failure(unseen) == .noAnswer)
    let (_, locked) = try await signedIn(policy: .deny)
    #expect(await failure(locked) == .denied)
    #expect(await list.record(of: mail).count == 0)
  }

  @Test("With a damaged list, a program without a sandbox gets no token unasked either")
  func damagedList() async throws {
    let (_, tokens) = try await signedIn(.closed, policy: .allow)
    let git = CallingProgram(.file, "/usr/bin/git")
    #expect(await failure(tokens, of: git) == nil)
    try Data("{".utf8).write(to: URL(filePath: list.path))
    #expect(await failure(tokens, of: git) == .noAnswer)
  }

  @Test("An unknown app or account is an error, and nobody is asked about it")
  func missing() async throws {
    let (_, tokens) = try await signedIn(.always)
    let git = CallingProgram(.file, "/usr/bin/git")
    #expect(await failure(tokens, of: git, app: "Other") == .appNotFound)
    #expect(await failure(tokens, of: git, account: "bram@contoso.example") == .accountNotFound)
    #expect(await failure(self.tokens(of: try Page(), .always), of: git) == .accountNotFound)
    #expect(await list.all().isEmpty)
  }

  @Test("A program in a sandbox learns what there is only after it was allowed something")
  func stranger() async throws {
    let (page, tokens) = try await signedIn(.always)
    #expect(await failure(tokens, app: "Other") == .noAnswer)
    #expect(await failure(tokens, account: "bram@contoso.example") == .noAnswer)
    #expect(await failure(self.tokens(of: try Page(), .always)) == .noAnswer)
    #expect(await list.all().isEmpty)
    #expect(await failure(tokens) == nil)
    #expect(await failure(tokens, account: "bram@contoso.example") == .accountNotFound)
    await list.decide(.deny, about: mail)
    #expect(await failure(tokens, app: "Other") == .denied)
    await list.forget()
    let locked = self.tokens(of: page, .always, policy: .deny)
    #expect(await failure(locked, account: "bram@contoso.example") == .denied)
  }

  @Test("The same scope in other words is asked about once, and too many are refused")
  func repeatedScopes() async throws {
    let (page, tokens) = try await signedIn(.always)
    let scopes = Array(repeating: "User.Read", count: 10) + ["user.read", "Mail.Send"]
    try await tokens.requestAccess(mail, app: "", account: "", scopes: scopes)
    #expect(await list.record(of: mail).grants.map(\.allowed) == [["Mail.Send", "User.Read"]])
    let many = (0..<21).map { "Scope\($0)" }
    #expect(await failure(tokens, scopes: many) == .invalidArguments)
    let long = (0..<3).map { "\($0)" + String(repeating: "a", count: 800) }
    #expect(await failure(tokens, scopes: long) == .invalidArguments)
    #expect(page.authority.count(.token) == 1)
  }

  @Test("A program that asks for all scopes of its token is not asked about again")
  func scopesOfResult() async throws {
    let (page, tokens) = try await signedIn(.always)
    #expect(await failure(tokens, scopes: ["User.Read", "offline_access"]) == nil)
    let unseen = self.tokens(of: page, nil)
    #expect(await failure(unseen, scopes: ["OpenID", "User.Read", "profile", "openid"]) == nil)
    #expect(await list.record(of: mail).grants.map(\.scopes) == [["User.Read"]])
    #expect(await list.record(of: mail).grants.map(\.allowed) == [["User.Read"]])
  }

  @Test("Arguments that cannot be used are refused")
  func arguments() async throws {
    let (_, tokens) = try await signedIn(.always)
    let long = String(repeating: "a", count: 2049)
    #expect(await failure(tokens, account: long) == .invalidArguments)
    #expect(await failure(tokens, scopes: [long]) == .invalidArguments)
    #expect(
      await failure(tokens, scopes: (0..<200).map { "Scope\($0)" }) == .invalidArguments)
    #expect(await failure(tokens, scopes: [""]) == .invalidArguments)
    #expect(await failure(tokens, scopes: ["a b"]) == .invalidArguments)
    #expect(await list.all().isEmpty)
  }

  @Test("A request for access gives no token, and is no use of one")
  func access() async throws {
    let (page, tokens) = try await signedIn(.always)
    let calls = page.authority.calls.count
    try await tokens.requestAccess(mail, app: "", account: "", scopes: ["User.Read"])
    #expect(page.authority.calls.count == calls)
    let record = await list.record(of: mail)
    #expect((record.decision, record.count) == (.allow, 0))
  }

  @Test("Without a session the person has to sign in, and no page opens for that")
  func signInRequired() async throws {
    let (page, tokens) = try await signedIn(.always)
    // No token of this scope is kept.
    page.authority.next(.token, status: 400, #"{"error": "invalid_grant"}"#)
    #expect(await failure(tokens, scopes: ["Mail.Read"]) == .signInRequired)
    #expect(await list.record(of: mail).count == 0)
  }
}
