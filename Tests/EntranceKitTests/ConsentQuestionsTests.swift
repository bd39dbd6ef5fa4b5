import EntranceKit
import TestSupport
import Testing

@MainActor @Suite("Where a question about a program is asked")
struct ConsentQuestionsTests {
  private let window = ScriptedPresenter()
  private let notification = ScriptedPresenter()
  private let front = Front()

  @MainActor private final class Front {
    var isApp = false
  }

  /// A presenter that keeps what it shows.
  @MainActor private final class ScriptedPresenter: ConsentPresenter {
    var isAvailable = true
    var canShow = true
    var questions: [ConsentQuestion] = []
    var shownCount = 0
    /// What is done as soon as a question is asked.
    var onShow: ((ConsentQuestion) -> Void)?

    func show(_ question: ConsentQuestion) -> Bool {
      guard canShow else { return false }
      shownCount += 1
      if !questions.contains(question) { questions.append(question) }
      onShow?(question)
      return true
    }

    func withdraw(_ question: ConsentQuestion) { questions.removeAll { $0 == question } }
  }

  private func questions(limit: Duration = .seconds(180)) -> ConsentQuestions {
    ConsentQuestions(
      window: window, notification: notification, isInFront: { [front] in front.isApp },
      limit: limit)
  }

  private func request(_ name: String = "git") -> ProgramRequest {
    ProgramRequest(
      program: CallingProgram(.file, "/usr/bin/\(name)"), app: "Contoso", account: "id",
      username: "adele@contoso.example", scopes: ["User.Read"])
  }

  /// The question that is shown by `presenter`, once it is.
  private func question(of presenter: ScriptedPresenter) async -> ConsentQuestion {
    while true {
      if let question = presenter.questions.first { return question }
      await Task.yield()
    }
  }

  @Test("A window in front asks by itself, without a notification")
  func inFront() async {
    front.isApp = true
    let questions = questions()
    window.onShow = { [weak questions] in questions?.answer($0.id, .once) }
    #expect(await questions.ask(request()) == .once)
    #expect(notification.shownCount == 0 && window.questions.isEmpty)
  }

  @Test(
    "Without a window in front a notification asks, and its answer counts",
    arguments: [ProgramConsent.Reply.once, .always, .deny])
  func notification(reply: ProgramConsent.Reply) async {
    let questions = questions()
    async let answer = questions.ask(request())
    let question = await question(of: notification)
    #expect(question.request == request() && questions.isOpen(question.id))
    questions.answer(question.id, reply)
    #expect(await answer == reply)
    #expect(window.shownCount == 0 && notification.questions.isEmpty)
    #expect(!questions.isOpen(question.id))
  }

  @Test("A window that comes to the front asks the same question, and one answer withdraws both")
  func both() async {
    let questions = questions()
    async let answer = questions.ask(request())
    let question = await question(of: notification)
    questions.windowCameToFront()
    questions.windowCameToFront()
    #expect(window.questions == [question] && window.shownCount == 1)
    questions.answer(question.id, .always)
    #expect(await answer == .always)
    #expect(window.questions.isEmpty && notification.questions.isEmpty)
  }

  @Test("An answer to a question that is no longer open does nothing")
  func stale() async {
    let questions = questions()
    async let first = questions.ask(request())
    let old = await question(of: notification)
    questions.answer(old.id, .once)
    #expect(await first == .once)
    async let second = questions.ask(request("curl"))
    let new = await question(of: notification)
    #expect(new.id != old.id)
    questions.answer(old.id, .always)
    questions.answer("", .always)
    #expect(questions.isOpen(new.id) && notification.questions == [new])
    questions.answer(new.id, .deny)
    #expect(await second == .deny)
    questions.windowCameToFront()
    questions.renewNotification()
    #expect(window.shownCount == 0 && notification.shownCount == 2)
  }

  @Test("Where nothing shows notifications, the window asks although it is not in front")
  func noNotifications() async {
    let questions = questions()
    notification.isAvailable = false
    window.onShow = { [weak questions] in questions?.answer($0.id, .once) }
    #expect(await questions.ask(request()) == .once)
    #expect(notification.shownCount == 0)
  }

  @Test("With neither, nobody is asked")
  func nowhere() async {
    notification.isAvailable = false
    window.canShow = false
    #expect(await questions().ask(request()) == nil)
  }

  @Test("A question that nobody answers is closed after its time, everywhere")
  func limit() async {
    let questions = questions(limit: .milliseconds(1))
    notification.onShow = { [weak questions] _ in questions?.windowCameToFront() }
    #expect(await questions.ask(request()) == .closed)
    #expect(window.questions.isEmpty && notification.questions.isEmpty)
  }

  @Test("A second question does not replace the open one")
  func second() async {
    let questions = questions()
    async let first = questions.ask(request())
    let question = await question(of: notification)
    #expect(await questions.ask(request("curl")) == nil)
    #expect(notification.questions == [question])
    questions.answer(question.id, .once)
    #expect(await first == .once)
  }

  @Test("A notification is asked anew on request, and taken away at the end of the program")
  func renewal() async {
    let questions = questions()
    async let answer = questions.ask(request())
    let question = await question(of: notification)
    questions.renewNotification()
    #expect(notification.shownCount == 2 && notification.questions == [question])
    questions.close()
    #expect(await answer == .closed)
    #expect(notification.questions.isEmpty)
  }
}
