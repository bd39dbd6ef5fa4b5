import EntranceKit
import FoundationEssentials
import Glibc
import TestSupport
import Testing

@Suite("The list of programs that got tokens")
struct ProgramListTests {
  private let directory: TemporaryDirectory
  private let list: ProgramList
  private let noon = Date(timeIntervalSince1970: 1_790_000_000)

  init() throws {
    directory = try TemporaryDirectory()
    list = ProgramList(path: "\(directory.path)/state/programs.json")
  }

  private func request(
    _ program: CallingProgram = CallingProgram(.file, "/usr/bin/git"),
    account: String = "adele", scopes: [String] = ["User.Read"]
  ) -> ProgramRequest {
    ProgramRequest(
      program: program, app: "Contoso", account: account,
      username: "\(account)@contoso.example", scopes: scopes)
  }

  @Test("Each token is noted: program, account, scopes, the first and the last time, and how often")
  func notes() async throws {
    await list.note(request(), at: noon)
    await list.note(request(scopes: ["Mail.Read"]), at: noon + 60)
    await list.note(request(account: "bram"), at: noon + 30)
    let record = try #require(await list.all().first)
    #expect(record.program.name == "git")
    #expect(record.count == 3)
    #expect(record.last == noon + 60)
    let grant = try #require(record.grants.first { $0.account == "adele" })
    #expect(grant.scopes == ["Mail.Read", "User.Read"])
    #expect((grant.count, grant.first, grant.last) == (2, noon, noon + 60))
    #expect(grant.username == "adele@contoso.example")
  }

  @Test("The file is only for the user, and the last used program is first")
  func file() async throws {
    await list.note(request(), at: noon)
    await list.note(request(CallingProgram(.flatpak, "org.example.Mail")), at: noon)
    #expect(await list.all().map(\.program.identifier) == ["org.example.Mail", "/usr/bin/git"])
    let attributes = try FileManager.default.attributesOfItem(atPath: list.path)
    #expect(attributes[.posixPermissions] as? Int == 0o600)
    let names = try FileManager.default.contentsOfDirectory(atPath: "\(directory.path)/state")
    #expect(names == ["programs.json"])
  }

  @Test("What is brought back replaces no later decision")
  func restoredLate() async {
    let program = request().program
    await list.allow(request())
    let record = await list.record(of: program)
    await list.forget(program)
    await list.decide(.deny, about: program)
    await list.restore(record)
    #expect(await list.all().map(\.decision) == [.deny])
    await list.forget(program)
    await list.restore(record)
    #expect(await list.all().map(\.decision) == [.allow])
  }

  @Test("After an app was renamed, what was decided and given is found by its new name")
  func renamed() async {
    await list.allow(request())
    await list.note(request(), at: noon)
    // Left of another app that had the new name.
    await list.allow(
      ProgramRequest(
        program: request().program, app: "Fabrikam", account: "adele", username: "adele",
        scopes: ["Mail.Read"]))
    await list.rename("Contoso", to: "Fabrikam")
    let record = await list.record(of: request().program)
    #expect(record.grants.map(\.app) == ["Fabrikam"])
    #expect(record.grants.map(\.allowed) == [["User.Read"]])
    #expect(record.count == 1)
    let renamed = ProgramRequest(
      program: request().program, app: "Fabrikam", account: "adele", username: "adele",
      scopes: ["User.Read"])
    #expect(record.answer(to: renamed, .ask) == .give)
    #expect(record.answer(to: request(), .ask) == .ask)
  }

  @Test("What is left of an app is not that of another with its name, which a program never used")
  func renamedWithoutGrant() async {
    await list.allow(request())
    await list.rename("Fabrikam", to: "Contoso")
    #expect(await list.record(of: request().program).answer(to: request(), .ask) == .ask)
    await list.allow(request())
    await list.rename("Contoso", to: "Contoso")
    #expect(await list.record(of: request().program).answer(to: request(), .ask) == .give)
  }

  @Test("Two processes that note at the same time lose nothing")
  func concurrency() async {
    let other = ProgramList(path: list.path)
    // Two at a time: what waits for its turn for longer than a second goes without it.
    for _ in 1...50 {
      async let first: Void = list.note(request(), at: noon)
      async let second: Void = other.note(request(), at: noon)
      _ = await (first, second)
    }
    #expect(await list.all().map(\.count) == [100])
  }

  @Test("By default every program gets tokens that was not denied")
  func allow() async {
    #expect(await list.record(of: request().program).answer(to: request(), .allow) == .give)
    await list.decide(.deny, about: request().program)
    let record = await list.record(of: request().program)
    for policy in ProgramPolicy.allCases {
      #expect(record.answer(to: request(), policy) == .denied)
    }
    await list.decide(nil, about: request().program)
    #expect(await list.record(of: request().program).answer(to: request(), .allow) == .give)
  }

  @Test("What was allowed is given without asking: those scopes, of that account")
  func ask() async {
    func answer(_ request: ProgramRequest) async -> ProgramAnswer {
      await list.record(of: request.program).answer(to: request, .ask)
    }
    await list.note(request(), at: noon)
    #expect(await answer(request()) == .ask)
    await list.allow(request())
    #expect(await answer(request()) == .give)
    #expect(await answer(request(scopes: ["Mail.Read"])) == .ask)
    #expect(await answer(request(account: "bram")) == .ask)
    #expect(await answer(request(CallingProgram(.file, "/usr/bin/curl"))) == .ask)
  }

  @Test(
    "A request without a scope of an API is not given to a program that may have something else",
    arguments: [["email"], ["OpenID", "email"], ["profile", "offline_access"]])
  func openIDAlone(scopes: [String]) async {
    await list.allow(request())
    let other = request(account: "bram", scopes: scopes)
    #expect(await list.record(of: other.program).answer(to: other, .ask) == .ask)
  }

  @Test("An export is allowed by itself, and not by a scope of a token")
  func export() async {
    let program = request().program
    func answer(_ app: String) async -> ProgramAnswer {
      let request = ProgramRequest(exporting: app, to: program)
      return await list.record(of: program).answer(to: request, .ask)
    }
    let export = ProgramRequest(exporting: "Contoso", to: program)
    await list.allow(request(scopes: ["User.Read", "offline_access"] + export.scopes))
    #expect(await answer("Contoso") == .ask)
    await list.noteRefusal(of: export)
    await list.decide(.allow, about: program)
    #expect(await answer("Contoso") == .give)
    #expect(await answer("Fabrikam") == .ask)
    await list.note(export, at: noon)
    #expect(await list.record(of: program).grants.map(\.isExport) == [true, false])
  }

  @Test("Allowing a program later covers what it was refused, and denying ends that")
  func refused() async {
    await list.noteRefusal(of: request(scopes: ["Mail.Read"]))
    await list.decide(.allow, about: request().program)
    var record = await list.record(of: request().program)
    #expect(record.answer(to: request(scopes: ["Mail.Read"]), .ask) == .give)
    #expect(record.grants.map(\.refused) == [[]] && record.count == 0)
    await list.decide(.deny, about: request().program)
    await list.decide(nil, about: request().program)
    record = await list.record(of: request().program)
    #expect(record.answer(to: request(scopes: ["Mail.Read"]), .ask) == .ask)
  }

  @Test("When programs get nothing, the person at a terminal still does")
  func denyAll() async {
    await list.allow(request())
    let record = await list.record(of: request().program)
    #expect(record.answer(to: request(), .deny) == .allDenied)
    let typed = request(.person)
    #expect(await list.record(of: .person).answer(to: typed, .deny) == .give)
  }

  @Test("A program is forgotten with what was decided, and all are")
  func forget() async {
    await list.decide(.deny, about: request().program)
    await list.note(request(CallingProgram(.snap, "code")), at: noon)
    await list.forget(request().program)
    #expect(await list.all().map(\.program.identifier) == ["code"])
    await list.forget()
    #expect(await list.all().isEmpty)
  }

  @Test("The list keeps at most 200 programs, and decisions longest")
  func limit() async throws {
    await list.decide(.deny, about: CallingProgram(.file, "/first"))
    let one = """
      {"kind":"file","program":"/p/NUMBER","decision":null,"grants":[]}
      """
    let many = (0..<600).map { one.replacing("NUMBER", with: "\($0)") }.joined(separator: ",")
    let denied = one.replacing("NUMBER", with: "denied").replacing("null", with: "\"deny\"")
    try Data("{\"version\":1,\"programs\":[\(many),\(denied)]}".utf8)
      .write(to: URL(filePath: list.path))
    await list.note(request(), at: noon)
    let all = await list.all()
    #expect(all.count == 200)
    #expect(all.first?.program == request().program)
    #expect(all.contains { $0.program.name == "denied" })
  }

  @Test(
    "A damaged file counts as empty, and is kept as a copy",
    arguments: ["", "{", "[]", "{\"programs\":7}", "\u{0}"])
  func damaged(text: String) async throws {
    await list.note(request(), at: noon)
    try Data(text.utf8).write(to: URL(filePath: list.path))
    #expect(await list.all().isEmpty)
    #expect(await list.faults().map { "\($0.sentence)".hasSuffix("it is damaged.") } == [true])
    await list.note(request(), at: noon)
    #expect(await list.all().count == 1)
    // What was decided in it is still worth a word.
    #expect(await list.faults().map { "\($0.sentence)".contains(".corrupt-") } == [true])
    let names = try FileManager.default.contentsOfDirectory(atPath: "\(directory.path)/state")
    #expect(names.count { $0.contains("corrupt") } == 1)
  }

  @Test("Programs ask until the person has removed the copy of a damaged list")
  func policy() async throws {
    await list.decide(.deny, about: request().program)
    #expect(await list.policy(.allow) == .allow)
    try Data("{".utf8).write(to: URL(filePath: list.path))
    #expect(await list.policy(.allow) == .ask)
    #expect(await list.policy(.deny) == .deny)
    #expect(await list.noteRefusal(of: request()))
    #expect(await list.fault().map { "\($0.sentence)" } == nil)
    #expect(await list.policy(.allow) == .ask)
    let state = "\(directory.path)/state"
    for name in try FileManager.default.contentsOfDirectory(atPath: state)
    where name.contains("corrupt") {
      try FileManager.default.removeItem(atPath: "\(state)/\(name)")
    }
    #expect(await list.policy(.allow) == .allow)
  }

  @Test("To forget all programs of a damaged list begins a new one")
  func forgetDamaged() async throws {
    await list.note(request(), at: noon)
    try Data("{".utf8).write(to: URL(filePath: list.path))
    #expect(await list.forget())
    #expect(await list.fault().map { "\($0.sentence)" } == nil)
    #expect(await list.faults().count == 1)
  }

  @Test(
    "A decision that is not known allows nothing",
    arguments: ["\"denied\"", "\"later\"", "7", "[]"])
  func unknownDecision(decision: String) async throws {
    await list.allow(request())
    let text = try String(contentsOf: URL(filePath: list.path), encoding: .utf8)
    try Data(text.replacing("\"decision\":\"allow\"", with: "\"decision\":\(decision)").utf8)
      .write(to: URL(filePath: list.path))
    #expect(await list.record(of: request().program).answer(to: request(), .allow) == .denied)
  }

  @Test("A file that others can read is neither believed nor replaced")
  func exposed() async throws {
    await list.decide(.deny, about: request().program)
    chmod(list.path, 0o644)
    #expect(await !list.decide(.allow, about: request().program))
    chmod(list.path, 0o600)
    #expect(await list.record(of: request().program).decision == .deny)
  }

  @Test("Odd numbers and dates in the file are taken as far as they make sense")
  func odd() async throws {
    await list.note(request(), at: noon)
    let text = """
      {"programs":[{"kind":"file","program":"/a","grants":[{"app":"A","account":"a","count":-3,\
      "first":-1,"last":99999999999999}]},{"kind":"other"},7,{"kind":"name","program":"b"}]}
      """
    try Data(text.utf8).write(to: URL(filePath: list.path))
    let all = await list.all()
    #expect(all.map(\.program.identifier) == ["/a", "b"])
    #expect(all[0].count == 0 && all[0].last == nil && all[0].grants[0].username == "a")
  }
}
