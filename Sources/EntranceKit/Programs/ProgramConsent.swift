/// Decides about the requests of programs, and asks the person about new ones.
@MainActor
public final class ProgramConsent {
  /// What the person says about a request.
  ///
  /// An enum, because the question has these answers.
  public enum Reply: String, Sendable, CaseIterable {
    /// This one token.
    case once
    /// These scopes, of this account, from now on.
    case always
    /// Nothing, from now on.
    case deny
    /// No answer: the question was closed.
    case closed
  }

  /// Asks the person about a request; nil when there is no window to ask in.
  public typealias Ask = @MainActor (ProgramRequest) async -> Reply?

  private let list: ProgramList
  private let policy: @MainActor () -> ProgramPolicy
  private let ask: Ask
  private let now: @MainActor () -> ContinuousClock.Instant
  /// The questions that are open or wait: each is asked once, whoever asks again meanwhile.
  private var questions: [ProgramRequest: Task<Reply?, Never>] = [:]
  private var last: Task<Reply?, Never>?
  /// When the person last closed a question of a program without an answer.
  private var closed: [CallingProgram: ContinuousClock.Instant] = [:]

  /// The most questions at a time: no program fills the screen.
  private static let mostQuestions = 8
  /// How long a program whose question was closed is not heard.
  private static let pause = Duration.seconds(60)

  /// Creates what decides by `policy` and the decisions in `list`.
  public init(
    list: ProgramList, policy: @escaping @MainActor () -> ProgramPolicy,
    now: @escaping @MainActor () -> ContinuousClock.Instant = { .now }, ask: @escaping Ask
  ) {
    self.list = list
    self.policy = policy
    self.now = now
    self.ask = ask
  }

  /// What becomes of `request`: ``ProgramAnswer/ask`` when nobody answered.
  public func answer(to request: ProgramRequest) async -> ProgramAnswer {
    let known = await known(request)
    guard known == .ask else { return known }
    switch await reply(to: request) {
    case .once: return .give
    case .always:
      await list.allow(request)
      return .give
    case .deny:
      await list.noteRefusal(of: request)
      await list.decide(.deny, about: request.program)
      return .denied
    case .closed, nil:
      await list.noteRefusal(of: request)
      return .ask
    }
  }

  /// Why `program` gets nothing, whatever it asks for; nil when it may get something.
  func refusal(of program: CallingProgram) async -> ProgramAnswer? {
    await list.record(of: program).refusal(policy())
  }

  /// Whether `program` is in a sandbox, and nobody has allowed it anything.
  func isStranger(_ program: CallingProgram) async -> Bool {
    guard program.isConfined else { return false }
    return await list.record(of: program).decision != .allow
  }

  private func known(_ request: ProgramRequest) async -> ProgramAnswer {
    let policy = await list.policy(self.policy())
    return await list.record(of: request.program).answer(
      to: request, policy == .allow && request.program.isConfined ? .ask : policy)
  }

  /// The request with what was not allowed before at first, so that nobody overlooks it.
  private func newFirst(_ request: ProgramRequest) async -> ProgramRequest {
    let new = await list.record(of: request.program).newScopes(of: request)
    var sorted = request
    sorted.scopes = new + request.scopes.filter { !new.contains($0) }
    return sorted
  }

  private func reply(to request: ProgramRequest) async -> Reply? {
    if let question = questions[request] { return await question.value }
    if let time = closed[request.program], now() - time < Self.pause { return .closed }
    guard questions.count < Self.mostQuestions else { return nil }
    let before = last
    let question = Task { [weak self] () -> Reply? in
      _ = await before?.value
      guard let self else { return nil }
      // The answer to the question before may be one to this one, too.
      switch await known(request) {
      case .give: return .once
      case .denied, .allDenied: return .deny
      case .ask: return await ask(newFirst(request))
      }
    }
    questions[request] = question
    last = question
    let reply = await question.value
    questions[request] = nil
    closed[request.program] = reply == .closed ? now() : nil
    return reply
  }
}
