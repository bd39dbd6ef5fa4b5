import EntranceKit
import FoundationEssentials
import TestSupport
import Testing

@MainActor @Suite("Access by Programs", .timeLimit(.minutes(5)))
struct ProgramsModelTests {
  private let directory: TemporaryDirectory
  private let list: ProgramList
  private let model: ProgramsModel
  private let git = CallingProgram(.file, "/usr/bin/git")

  private static let noon = Date(timeIntervalSince1970: 1_790_000_000)

  init() throws {
    directory = try TemporaryDirectory()
    list = ProgramList(path: "\(directory.path)/programs.json")
    model = ProgramsModel(list, preferences: Preferences(MemorySettings())) { Self.noon }
  }

  private func note(
    _ program: CallingProgram, ago seconds: Double, scopes: [String] = ["User.Read"]
  )
    async
  {
    await list.note(
      ProgramRequest(
        program: program, app: "Contoso", account: "id", username: "adele@contoso.example",
        scopes: scopes), at: Self.noon - seconds)
  }

  @Test("A program is shown with its accounts, when it was used last, and how often")
  func rows() async throws {
    await note(git, ago: 3600)
    await note(git, ago: 300, scopes: ["Mail.Read"])
    await model.reload()?.value
    let row = try #require(model.state.rows.first)
    #expect(row.title == "git" && row.place == "/usr/bin/git")
    #expect(row.details == "adele@contoso.example\n5 minutes ago · 2 times")
    #expect(row.grants.map(\.title) == ["adele@contoso.example of Contoso"])
    #expect(row.grants.map(\.details) == ["Mail.Read User.Read\n5 minutes ago · 2 times"])
  }

  @Test("An export of all tokens has a text of its own")
  func export() async throws {
    await list.noteRefusal(of: ProgramRequest(exporting: "Contoso", to: git))
    await model.reload()?.value
    let refused = try #require(model.state.rows.first)
    #expect(refused.details == "All accounts\nGot no token")
    #expect(refused.grants.map(\.title) == ["All accounts of Contoso"])
    #expect(
      refused.grants.map(\.details) == ["Refused: All tokens (cache export)\nGot no token"])
    await list.decide(.allow, about: git)
    await list.note(ProgramRequest(exporting: "Contoso", to: git), at: Self.noon)
    await model.reload()?.value
    let details = model.state.rows.first?.grants.map(\.details)
    #expect(details == ["All tokens (cache export)\nJust now · 1 time"])
  }

  @Test(
    "The time since the last use is in words",
    arguments: [
      (-60.0, "Just now"), (59, "Just now"), (60, "1 minute ago"), (3599, "59 minutes ago"),
      (3600, "1 hour ago"), (86_399, "23 hours ago"), (86_400, "1 day ago"),
      (40 * 86_400, "40 days ago"),
    ] as [(Double, String)])
  func times(ago: Double, text: String) async {
    await note(git, ago: ago)
    await model.reload()?.value
    #expect(model.state.rows.first?.details.hasSuffix("\(text) · 1 time") == true)
  }

  @Test("A decision is stored, and shown in the list")
  func decisions() async {
    await note(git, ago: 0)
    await model.reload()?.value
    await model.decide(.deny, about: git)?.value
    #expect(model.state.rows.first?.decision == .deny)
    #expect(await list.record(of: git).decision == .deny)
    // The same again is no change.
    #expect(model.decide(.deny, about: git) == nil)
    await model.decide(nil, about: git)?.value
    #expect(await list.record(of: git).decision == nil)
  }

  @Test("The person at a terminal is in the list, and nothing can be decided about them")
  func person() async {
    await note(.person, ago: 0)
    await model.reload()?.value
    #expect(model.state.rows.map(\.title) == ["You, at a Terminal"])
    #expect(model.decide(.deny, about: .person) == nil)
  }

  @Test("A forgotten program is no longer in the list")
  func forget() async {
    await note(git, ago: 0)
    await model.reload()?.value
    await model.forget(git)?.value
    #expect(model.state.rows.isEmpty && model.state.isRead)
  }

  @Test("A program that was removed comes back to its place, with what was decided about it")
  func undo() async throws {
    await note(git, ago: 60)
    await list.decide(.deny, about: git)
    await note(CallingProgram(.file, "/usr/bin/curl"), ago: 0)
    await model.reload()?.value
    var removals: [(ProgramRow, @MainActor () -> Void)] = []
    let observer = model.removals.add { removals.append($0) }
    defer { withExtendedLifetime(observer) {} }
    await model.forget(git)?.value
    #expect(model.state.rows.map(\.title) == ["curl"] && removals.map { $0.0.title } == ["git"])
    try #require(removals.first).1()
    while model.state.rows.count < 2 { await Task.yield() }
    #expect(model.state.rows.map(\.title) == ["curl", "git"])
    #expect(model.state.rows.last?.decision == .deny)
  }

  @Test("A program that is removed twice can be brought back once")
  func forgetTwice() async {
    await note(git, ago: 0)
    await model.reload()?.value
    var removed: [String] = []
    let observer = model.removals.add { removed.append($0.0.title) }
    defer { withExtendedLifetime(observer) {} }
    await model.forget(git)?.value
    await model.forget(git)?.value
    #expect(removed == ["git"])
  }

  @Test("A damaged list is told, and then its copy, until the person has deleted that")
  func damagedList() async throws {
    await note(git, ago: 0)
    try Data("{".utf8).write(to: URL(filePath: list.path))
    await model.reload()?.value
    let damaged = try #require(model.state.problem)
    #expect(damaged.path == list.path)
    let fault = "because the list of programs cannot be used: \(list.path): it is damaged."
    #expect(damaged.text.hasPrefix("Every program needs your approval again, \(fault)"))
    #expect(damaged.text.hasSuffix("Correct the file, or remove it."))
    await note(git, ago: 0)
    await model.reload()?.value
    let kept = try #require(model.state.problem)
    #expect(kept.path.hasPrefix("\(list.path).corrupt-") && model.state.rows.count == 1)
    #expect(kept.text.contains("What was decided before is in “\(kept.path)”."))
    try FileManager.default.removeItem(atPath: kept.path)
    await model.reload()?.value
    #expect(model.state.problem == nil && model.state.rows.count == 1)
  }

  @Test("A change that cannot be stored is reported")
  func failure() async throws {
    await note(git, ago: 0)
    await model.reload()?.value
    try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: list.path)
    await model.decide(.deny, about: git)?.value
    #expect(model.state.hasFailed)
    // Once more, so that it is said once more.
    var told: [Bool] = []
    let observer = model.changes.add { told.append($0.hasFailed) }
    defer { withExtendedLifetime(observer) {} }
    await model.forget(git)?.value
    #expect(told.suffix(2) == [false, true])
  }

  @Test("What a program calls itself cannot imitate another line")
  func plain() async {
    await note(CallingProgram(.name, "a\nb\u{202e}c\u{1b}[2J"), ago: 0)
    await model.reload()?.value
    let title = model.state.rows.first?.title ?? ""
    #expect(!title.contains { "\n\u{202e}\u{1b}".contains($0) } && title.contains("b"))
  }
}
