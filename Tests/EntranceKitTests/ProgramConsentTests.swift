import EntranceKit
import FoundationEssentials
import TestSupport
import Testing

@MainActor @Suite("Consent to a program")
struct ProgramConsentTests {
  private let directory: TemporaryDirectory
  private let list: ProgramList
  private let person = AskedPerson()

  init() throws {
    directory = try TemporaryDirectory()
    list = ProgramList(path: "\(directory.path)/programs.json")
  }

  /// Who is asked, and answers when told to.
  @MainActor private final class AskedPerson {
    var questions: [ProgramRequest] = []
    var replies: [ProgramConsent.Reply] = []
    var time = ContinuousClock.now
    private var waiting: [CheckedContinuation<Void, Never>] = []
    var isSilent = false

    func ask(_ request: ProgramRequest) async -> ProgramConsent.Reply {
      questions.append(request)
      if isSilent { await withCheckedContinuation { waiting.append($0) } }
      return replies.isEmpty ? .closed : replies.removeFirst()
    }

    func answer() {
      isSilent = false
      for continuation in waiting { continuation.resume() }
      waiting = []
    }
  }

  @Test("Without a window nobody is asked, and nothing is given")
  func noWindow() async {
    let list = list
    let consent = ProgramConsent(list: list, policy: { .ask }) { _ in nil }
    #expect(await consent.answer(to: request()) == .ask)
    #expect(await list.record(of: request().program).grants.map(\.refused) == [["User.Read"]])
  }

  private func consent(_ policy: ProgramPolicy = .ask) -> ProgramConsent {
    ProgramConsent(list: list, policy: { policy }, now: { [person] in person.time }) {
      [person] in await person.ask($0)
    }
  }

  private func request(_ name: String = "git", scopes: [String] = ["User.Read"]) -> ProgramRequest {
    ProgramRequest(
      program: CallingProgram(.file, "/usr/bin/\(name)"), app: "Contoso", account: "id",
      username: "adele@contoso.example", scopes: scopes)
  }

  @Test("What was always allowed is not asked about again, and another scope is")
  func always() async {
    let consent = consent()
    person.replies = [.always, .once]
    #expect(await consent.answer(to: request()) == .give)
    #expect(await consent.answer(to: request()) == .give)
    #expect(person.questions.count == 1)
    #expect(await consent.answer(to: request(scopes: ["Mail.Read"])) == .give)
    #expect(person.questions.count == 2)
  }

  @Test("The question names first what was not allowed before")
  func newFirst() async {
    let consent = consent()
    person.replies = [.always, .once]
    _ = await consent.answer(to: request(scopes: ["User.Read", "Mail.Read"]))
    _ = await consent.answer(to: request(scopes: ["Mail.Read", "Mail.Send", "User.Read"]))
    #expect(
      person.questions.map(\.scopes) == [
        ["User.Read", "Mail.Read"], ["Mail.Send", "Mail.Read", "User.Read"],
      ])
  }

  @Test("What was allowed once is asked about again")
  func once() async {
    let consent = consent()
    person.replies = [.once, .once]
    #expect(await consent.answer(to: request()) == .give)
    #expect(await consent.answer(to: request()) == .give)
    #expect(person.questions.count == 2)
    #expect(await list.record(of: request().program).decision == nil)
  }

  @Test("What was denied stays denied, without asking")
  func deny() async {
    let consent = consent()
    person.replies = [.deny]
    #expect(await consent.answer(to: request()) == .denied)
    #expect(await consent.answer(to: request()) == .denied)
    #expect(person.questions.count == 1)
  }

  @Test("A question that was closed is no decision, and its program is not heard for a minute")
  func closed() async {
    let consent = consent()
    #expect(await consent.answer(to: request()) == .ask)
    #expect(await consent.answer(to: request(scopes: ["Mail.Read"])) == .ask)
    #expect(person.questions.count == 1)
    #expect(await consent.answer(to: request("curl")) == .ask)
    #expect(person.questions.count == 2)
    person.time += .seconds(61)
    person.replies = [.once]
    #expect(await consent.answer(to: request()) == .give)
    #expect(
      await list.record(of: request().program).grants.map(\.refused) == [
        ["Mail.Read", "User.Read"]
      ])
  }

  @Test("Only a preference to ask asks")
  func policies() async {
    #expect(await consent(.allow).answer(to: request()) == .give)
    #expect(await consent(.deny).answer(to: request()) == .allDenied)
    #expect(person.questions.isEmpty)
  }

  @Test("After the list was damaged, each program asks, because it may have been denied there")
  func damaged() async throws {
    let consent = consent(.allow)
    await list.decide(.deny, about: request().program)
    try Data("{".utf8).write(to: URL(filePath: list.path))
    person.replies = [.closed, .always]
    #expect(await consent.answer(to: request()) == .ask)
    #expect(await consent.answer(to: request("curl")) == .give)
    #expect(person.questions.count == 2)
    // By now there is a new list, which has nothing of the old one but what was decided again.
    person.time += .seconds(61)
    #expect(await consent.answer(to: request()) == .ask)
    #expect(await consent.answer(to: request("curl")) == .give)
    #expect(person.questions.count == 3)
  }

  @Test("A program in a sandbox, or one that hides what it is, asks although others need not")
  func confined() async {
    person.replies = [.once, .once, .once]
    for kind in [CallingProgram.Kind.flatpak, .snap, .name] {
      var request = request()
      request.program = CallingProgram(kind, "org.example.Mail")
      #expect(await consent(.allow).answer(to: request) == .give)
    }
    #expect(person.questions.count == 3)
  }

  @Test("The same question is asked once, one question at a time, and not more than eight wait")
  func many() async {
    let consent = consent()
    person.isSilent = true
    person.replies = Array(repeating: .once, count: 20)
    let tasks = (0..<20).map { number in
      Task { await consent.answer(to: request("program\(number / 2)")) }
    }
    while person.questions.isEmpty { await Task.yield() }
    // Those that are too many are refused while the first one is open.
    for task in tasks[16...] { #expect(await task.value == .ask) }
    #expect(person.questions.count == 1)
    person.answer()
    for task in tasks[..<16] { #expect(await task.value == .give) }
    #expect(person.questions.count == 8)
  }
}
