import AuthCore
import Connections
import CurlHTTP
import FoundationEssentials
import HTTPTypes
import Localization
import MicrosoftGraph

/// The model of the Explorer page: any request to the app's API, and its answer.
///
/// The window's other work is prevented only while it gets a token: a request takes its time beside
/// it, and signing out cancels it.
@MainActor
public final class ExplorerModel {
  /// The current state of the page, except for the answer.
  public private(set) var state = ExplorerState() {
    didSet { if state != oldValue { changes.notify(state) } }
  }
  /// The observers of the state.
  public let changes = Observers<ExplorerState>()
  /// The last answer; nil before the first one.
  public private(set) var answer: ExplorerAnswer? {
    didSet {
      let isKnown = answer != nil && answer?.id == oldValue?.id
      if isKnown { return completions.notify(()) }
      followAnswer()
      answers.notify(answer)
    }
  }
  /// The observers of a new answer, and of its removal.
  public let answers = Observers<ExplorerAnswer?>()
  /// The observers of what is added to a large answer that is shown already: its other views.
  public let completions = Observers<Void>()
  /// The observers of questions, with what to do when the answer is yes.
  public let questions = Observers<(ExplorerQuestion, @MainActor () -> Void)>()
  /// What the person wrote.
  public var request: ExplorerRequest { didSet { if request != oldValue { follow(oldValue) } } }

  /// The samples and the last requests.
  public let list: ExplorerListModel
  /// The open files of requests.
  public let files: ExplorerFiles
  /// The observers of requests that take the place of what was typed; true if the person chose them.
  public let replacements = Observers<Bool>()
  /// The observers of short messages.
  public let messages = Observers<String>()
  /// The observers of short messages about what was done, with what undoes it.
  public let undos = Observers<(String, @MainActor () -> Void)>()
  /// The observers of imported requests, for which a file is to be chosen.
  public let imports = Observers<ExplorerImport>()

  /// The window that the page belongs to.
  let window: WindowModel
  let tokens: ExplorerTokens
  let senders: ExplorerSenders
  private var running: (number: Int, task: Task<Void, Never>)?
  private(set) var lastNumber = 0
  /// The account whose answer is shown; nil when a recording has answered.
  private(set) var answerSender: AccountRow.ID?
  /// The answer that is made anew, because personal details are hidden from now on, or shown.
  private(set) var renewal: (answer: ExplorerAnswer, task: Task<Void, Never>)? {
    didSet { if (renewal == nil) != (oldValue == nil) { draw() } }
  }
  /// The last answer from before the window went to another app, until the accounts are known.
  private(set) var left: LeftAnswers.Left?
  private var work: ExplorerState.Work? { didSet { draw() } }
  /// The content that is written to a file; nil while none is.
  var currentDownload: ExplorerDownload?
  let countdown = Countdown()
  /// The pause that the service asks for with the answer.
  var wait: ExplorerState.Wait? { didSet { if wait != oldValue { draw() } } }
  /// What was replaced by another request, until the next one is.
  var replaced: Replaced? { didSet { draw() } }
  let bodyCheck = BodyCheck()
  let bodyFile = ExplorerBodyFile()
  let permissionsCheck = PermissionsCheck()
  /// Reads what was typed last.
  private var restoring: Task<Void, Never>?
  private var observers: [Observer] = []
  /// Where the request is kept; nil when it is kept nowhere.
  var origin: ExplorerOrigin? { didSet { if origin != oldValue { followOrigin(oldValue) } } }
  /// How often another request took the place of the page's.
  var choiceCount = 0
  /// What the request was before the person changed it.
  var loaded: ExplorerRequest
  /// The account that was selected when the request was written; nil when none was.
  var writer: AccountKey?
  /// What was written for another app, and is not this one's until it is edited.
  var carried: ExplorerRequest?
  /// Whether what was typed last may still come back by itself.
  var canRestore = true
  let variables = RequestVariables()

  private var status: WindowStatus { window.status }
  var privacy: Privacy { window.workspace.privacy }
  var graph: GraphClient { replay?.graph ?? window.workspace.graph }
  /// The recording that answers in place of the API; nil when none does.
  private(set) var replay: ExplorerReplay? { didSet { draw() } }

  /// Creates the model of the Explorer page of `window`.
  ///
  /// - Parameters:
  ///   - draft: what was written on the page before; nil for a request that can be sent.
  ///   - answers: has the last answer from before the window went to another app, if there is one.
  public init(
    _ window: WindowModel, continuing draft: ExplorerDraft? = nil, after answers: LeftAnswers? = nil
  ) {
    self.window = window
    let left = answers?.take(for: window)
    (self.left, lastNumber) = (left, left?.answer.id ?? 0)
    tokens = ExplorerTokens(window)
    senders = ExplorerSenders(window.status.accounts)
    list = ExplorerListModel(window.workspace)
    files = ExplorerFiles(window.workspace.preferences, window.workspace.privacy)
    let first = ExplorerRequest(.get, Self.address(of: window.workspace))
    (request, loaded) = (first, first)
    let status = window.status
    observers = [
      status.changes.add { [weak self] in self?.followWindow() },
      status.accounts.changes.add { [weak self] in self?.draw() },
      status.accounts.removals.add { [weak self] in self?.followRemovals() },
      status.closing.add { [weak self] in
        self?.cancel()
        self?.leaveDraft()
      },
      window.storage.changes.add { [weak self] in
        self?.restoreDraft()
        self?.restoreAnswer()
        self?.draw()
      },
      window.headings.add { [weak self] _ in self?.draw() },
      window.workspace.changes.add { [weak self] in self?.followAPI() },
      privacy.changes.add { [weak self] in self?.hideOrShow() },
      window.recording.changes.add { [weak self] in self?.draw() },
      files.contents.add { [weak self] in self?.follow($0) },
    ]
    if let draft { take(draft) }
    draw()
    restoring = Task { [weak self] in
      await window.workspace.history.load()
      if !Task.isCancelled { self?.restoreDraft() }
    }
  }

  /// Ends what it does, because the page shows another window's model.
  public func close() {
    cancel()
    restoring?.cancel()
    renewal?.task.cancel()
    leaveDraft()
    countdown.stop()
    bodyCheck.stop()
    bodyFile.stop()
    permissionsCheck.stop()
    variables.forget()
    observers = []
    changes.removeAll()
    answers.removeAll()
    completions.removeAll()
    questions.removeAll()
    replacements.removeAll()
    messages.removeAll()
    undos.removeAll()
    imports.removeAll()
  }

  // MARK: - Actions

  /// *Cancel*: ends what it does.
  public func cancel() {
    currentDownload?.keepProcess()
    running?.task.cancel()
  }

  /// Returns when nothing is in progress.
  public func finish() async {
    await running?.task.value
    await renewal?.task.value
  }

  /// Starts `work`, which ends by itself or is canceled.
  func start(
    _ work: @escaping @MainActor (ExplorerModel, _ number: Int) async -> Void
  ) -> Task<Void, Never> {
    lastNumber += 1
    canRestore = false
    let number = lastNumber
    self.work = .gettingToken
    tokens.start { [weak self] in
      guard let self, state.work == nil, !state.isWindowBusy else { return }
      _ = start(work)
    }
    let task = Task { [weak self] in
      guard let self else { return }
      await work(self, number)
      if number == lastNumber { tokens.end() }
      guard running?.number == number else { return }
      running = nil
      self.work = nil
    }
    running = (number, task)
    return task
  }

  // MARK: - The request

  /// Sends a request.
  ///
  /// - Parameters:
  ///   - link: the page of the list that it asks for, when that is not the first one.
  ///   - typed: the request as it was typed, with its variables.
  ///   - other: the account that it is sent for; nil for the selected one, or a recording.
  ///   - isAgain: whether it was sent before, for a comparison.
  ///   - isAnyway: whether it is sent also during a pause that the service asks for.
  func perform(
    _ request: ExplorerRequest, _ number: Int, at link: String? = nil,
    typed: ExplorerRequest? = nil, as other: AccountRow? = nil, isAgain: Bool = false,
    isAnyway: Bool = false
  ) async {
    let graphRequest = request.graphRequest(at: link)
    let url = try? graph.url(of: graphRequest)
    let sender = replay == nil ? other?.id ?? tokens.sender : nil
    let row = other ?? status.accounts.rows.first { $0.id == sender }
    let account = row?.logText ?? state.account ?? ""
    tokens.begin(for: other) { [weak self] in self?.work = $0 }
    log(graphRequest, for: sender)
    var client = client
    if isAnyway { client.pauses = nil }
    let outcome: Result<GraphResponse, GraphError>
    do throws(GraphError) {
      outcome = .success(try await client.send(graphRequest))
    } catch {
      outcome = .failure(error)
    }
    var parts = ExplorerAnswer.Parts(
      id: number, request: request, account: account, duration: duration(of: outcome),
      link: link, url: url)
    log(outcome, to: graphRequest, for: sender)
    if isAgain || link != nil, keepsAnswer(after: outcome) { return }
    if link == nil, !isAgain, parts.duration != nil {
      note(request, typed: typed ?? request, outcome, for: sender)
    }
    work = .preparing
    let result: ExplorerAnswer
    do throws(CancellationError) {
      switch outcome {
      case .success(let response):
        result = try await made(parts) { (parts) async throws(CancellationError) in
          try await ExplorerAnswer.make(parts, response, to: graphRequest)
        }
      case .failure(let error):
        let advice = error.failureKind.flatMap {
          Notice.advice(for: $0, at: window.workspace.connection)
        }
        let actions = Notice.actions(after: error, at: window.workspace.connection)
        let place = replay == nil && error.code == .forbidden ? url : nil
        result = try await made(parts) { (parts) async throws(CancellationError) in
          var answer = try await ExplorerAnswer.make(
            parts, error, to: graphRequest, advice: advice, actions)
          guard let place else { return answer }
          answer.explain(await window.explanation(of: request.method, at: place, for: sender))
          return answer
        }
      }
    } catch {
      parts.account = privacy.shown(account)
      result = ExplorerAnswer.canceled(parts)
    }
    // Its account may have left meanwhile.
    if let sender, !status.accounts.has(sender.account) { return removeAnswer() }
    show(result, for: sender)
    followAPI()
    guard let answer, !answer.isComplete else { return }
    let completed = await answer.completed(for: graphRequest)
    // It is removed when its account leaves, and made anew, at once complete, when personal details
    // are hidden or shown.
    if let shown = self.answer, shown.id == answer.id, !shown.isComplete { self.answer = completed }
  }

  /// Personal details are hidden from now on, or shown: an answer is made as one or the other.
  private func hideOrShow() {
    if let old = answer ?? renewal?.answer { renew(old) }
    draw()
  }

  /// Makes an answer anew; meanwhile, nothing is seen of it.
  private func renew(_ old: ExplorerAnswer) {
    renewal?.task.cancel()
    let row = status.accounts.rows.first { $0.id == answerSender }
    let account = privacy.shown(row?.logText ?? old.account)
    let task = Task { [weak self, hiding = privacy.hiding] in
      let renewed = try? await old.renewed(for: account, hiding: hiding)
      guard let self, let renewed, !Task.isCancelled else { return }
      answer = renewed
      renewal = nil
    }
    // Who follows the answers knows why there is none.
    renewal = (old, task)
    answer = nil
  }

  /// Shows the last answer from before the window went to another app, unless its account has left.
  private func restoreAnswer() {
    guard window.storage.loadState == .known, let left = self.left.take() else { return }
    guard status.accounts.has(left.sender.account) else { return }
    guard isFromAPI(left.answer) else { return sayOtherAPI() }
    answerSender = left.sender
    renew(left.answer)
  }

  /// Has a recording answer from now on; nil for the API.
  func use(_ replay: ExplorerReplay?) {
    cancel()
    // Nobody is to take an answer of a recording for one of the API.
    removeAnswer()
    left = nil
    self.replay = replay
    list.show(recorded: replay?.rows)
  }

  /// Shows an answer in place of the last one.
  private func show(_ next: ExplorerAnswer?, for sender: AccountRow.ID?) {
    renewal?.task.cancel()
    // Before the renewal ends: without an answer, the search in it would be closed.
    (answerSender, answer) = (sender, next)
    renewal = nil
  }

  /// Removes the answer.
  func removeAnswer() { show(nil, for: nil) }

  /// Removes the answer for an account that has left.
  private func forgetAnswer() {
    guard let answerSender, !status.accounts.has(answerSender.account) else { return }
    removeAnswer()
  }

  /// An account has left, maybe in another window.
  private func followRemovals() {
    forgetAnswer()
    // Without a token, nothing was sent, and the reason is said.
    if work != .gettingToken, tokens.isAccountGone { cancel() }
    draw()
  }

  /// Shows what it does.
  func show(_ work: ExplorerState.Work) {
    // What ends meanwhile shows nothing any more.
    if running != nil { self.work = work }
  }

  /// Shows an answer for `sender` that was put together, with something about it.
  func set(
    _ parts: ExplorerAnswer.Parts, _ response: GraphResponse, for sender: AccountRow.ID?,
    hint: String?
  ) async {
    // What there is so far is shown, also after a cancellation.
    let task = Task {
      try await made(parts) { (parts) async throws(CancellationError) in
        try await ExplorerAnswer.make(parts, response, adding: hint)
      }
    }
    guard let made = try? await task.value else { return }
    show(made, for: sender)
    // Its account may have left meanwhile, or the app may have got another API.
    forgetAnswer()
    followAPI()
  }

  // MARK: - Drawing

  /// Shows what there is.
  func draw() {
    var next = ExplorerState()
    next.loadState = window.storage.loadState
    placeSender(&next)
    (next.replay, next.wait) = (replayText, wait)
    (next.hidesDetails, next.canBringBack) = (privacy.isOn, canBringBack)
    (next.isRenewing, next.coveredAddress) = (renewal != nil, coveredAddress)
    next.canRecord = window.recording.canStart
    next.accounts = window.heading.accounts
    next.work = shown(work)
    next.isWindowBusy = work == nil && !status.canBegin
    next.service = serviceName
    list.hasSamples = graph.version != nil
    if graph.version != nil { next.version = request.version ?? .v1 }
    next.fieldProblem = request.fieldProblem
    next.bodyProblem = missingBodyText ?? bodyCheck.problem
    placeFile(&next)
    next.saved = saved
    let isTyped = request.address.contains { !$0.isWhitespace }
    next.answered = answered(unless: nil)
    if isTyped || graph.host.isEmpty { place(&next) }
    next.problem = privacy.shown(ifAny: next.problem)
    next.fieldProblem = privacy.shown(ifAny: next.fieldProblem)
    checkPermissions(at: replay == nil ? next.sentURL : nil)
    next.permissions = permissionsCheck.found
    state = next
  }
}
