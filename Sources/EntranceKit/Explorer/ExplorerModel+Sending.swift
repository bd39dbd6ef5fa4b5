import AuthCore
import Localization
import MicrosoftGraph

// Sending the request of the page, with a question before what cannot be undone.
extension ExplorerModel {
  /// What the person is asked about.
  private struct Asked {
    let request: ExplorerRequest
    let url: String
    let account: AccountRow.ID?
    let isAnyway: Bool
  }

  /// *Send*: asks before a `DELETE`, or a request whose body was not kept, that no recording answers, and
  /// sends the request, unless the service has asked for a pause, which is shown.
  ///
  /// - Returns: the task; nil when nothing was sent, or a question must be answered before.
  @discardableResult
  public func send() -> Task<Void, Never>? { send(isAnyway: false) }

  /// *Send Anyway*: sends the request before the end of the pause that the service has asked for; for
  /// another page of a list, the request for that page.
  ///
  /// - Returns: the task; nil when nothing was sent, or a question must be answered before.
  @discardableResult
  public func sendAnyway() -> Task<Void, Never>? {
    guard state.canSendAnyway else { return nil }
    guard let answer, answer.request.method == .get, let link = answer.link else {
      return send(isAnyway: true)
    }
    guard canSend(for: answerSender) else { return nil }
    let other = otherSender
    return start { await $0.perform(answer.request, $1, at: link, as: other, isAnyway: true) }
  }

  private func send(isAnyway: Bool) -> Task<Void, Never>? {
    if let obstacle { messages.notify(obstacle) }
    guard state.canSend else { return nil }
    guard isQuestionNeeded, replay == nil, let url = state.sentURL else {
      return sendNow(isAnyway: isAnyway)
    }
    ask(url, isAnyway: isAnyway)
    return nil
  }

  /// What to do before a request can be sent, whatever it is; nil when nothing takes its time.
  ///
  /// A request that was just sent is soon answered: who presses its key twice needs no message.
  private var obstacle: String? {
    switch state.work {
    case .paused: tr("Resume or cancel the download first.")
    case .saving, .waiting: tr("Wait until the download ends, or cancel it.")
    case .gettingPages: Work.callingGraph.obstacle
    case .gettingToken, .sending, .preparing: nil
    case nil: state.isWindowBusy ? (window.status.work ?? .callingGraph).obstacle : nil
    }
  }

  /// Whether the request is sent only after a question.
  private var isQuestionNeeded: Bool { request.method == .delete || request.isBodyMissing }

  private func ask(_ url: String, isAnyway: Bool) {
    let asked = Asked(request: request, url: url, account: senders.id, isAnyway: isAnyway)
    let account = state.account ?? ""
    let question =
      request.isBodyMissing
      ? self.question(beforeSendingWithoutBody: url, for: account)
      : self.question(beforeDeleting: url, for: account)
    questions.notify((question, { [weak self] in self?.send(asked) }))
  }

  private func question(
    beforeSendingWithoutBody url: String, for account: String
  ) -> ExplorerQuestion {
    let receiver = tr(
      "As {account}:\n{url}", ["account": account, "url": privacy.shown(address: url.plain)])
    return ExplorerQuestion(
      title: tr("Send Without Body?"),
      text: [missingBodyText, receiver].compactMap(\.self).joined(separator: "\n\n"),
      answer: tr("_Send Without Body"))
  }

  /// What is to be known of a body that was not kept; nil when none is missing.
  var missingBodyText: String? {
    guard request.isBodyMissing else { return nil }
    return list.keepsBodies
      ? tr("The body of this request was not kept.")
      : tr(
        "The body of this request was not kept. To keep the bodies of the next requests, turn on"
          + " “Keep Bodies in History” in the preferences.")
  }

  /// What is asked before a `DELETE` is sent for `account`.
  func question(beforeDeleting url: String, for account: String) -> ExplorerQuestion {
    ExplorerQuestion(
      title: tr("Send DELETE Request?"),
      text: tr(
        "As {account}:\n{url}", ["account": account, "url": privacy.shown(address: url.plain)]),
      answer: tr("_Send DELETE"))
  }

  /// Sends what the person was asked about; asks again if it has changed meanwhile.
  private func send(_ asked: Asked) {
    let isSame = asked.request == request && asked.account == senders.id
    guard isSame else {
      if isQuestionNeeded { send() }
      return
    }
    // What is wrong with the request is said below it.
    let isSaid =
      state.problem != nil || state.fieldProblem != nil || state.bodyFile?.hasProblem == true
    if sendNow(asked, isAnyway: asked.isAnyway) == nil, !isSaid {
      messages.notify(Work.callingGraph.obstacle)
    }
  }

  /// Sends the request that the person has just confirmed, or that needs no question.
  @discardableResult
  private func sendNow(_ asked: Asked? = nil, isAnyway: Bool) -> Task<Void, Never>? {
    guard state.canSend else { return nil }
    keepDraft()
    let (request, other) = (request, chosenSender)
    return start { model, number in
      guard let sendable = await model.withValues(request) else { return }
      // The file .env may have another value by now.
      if let asked, let url = try? model.graph.url(of: sendable.graphRequest()), url != asked.url {
        model.findValues()
        if model.request == request { model.ask(url, isAnyway: isAnyway) }
        return
      }
      await model.perform(sendable, number, typed: request, as: other, isAnyway: isAnyway)
    }
  }

  /// How long it took until `outcome`; nil when the request was not sent.
  func duration(of outcome: Result<GraphResponse, GraphError>) -> Duration? {
    if case .failure(let error) = outcome, error.isPaused { return nil }
    return tokens.timeSinceSending
  }

  /// Whether the answer stays, because nothing came of a request that continues it or is compared
  /// with it; why is said.
  func keepsAnswer(after outcome: Result<GraphResponse, GraphError>) -> Bool {
    guard case .failure(let error) = outcome, error.status == nil || error.isPaused else {
      return false
    }
    guard error.code != .cancelled else { return true }
    if !tokens.isRefusalInNotice { messages.notify(privacy.shown(tr(error.sentence))) }
    if let duration = duration(of: outcome) {
      reportEnd(of: EndedWork(.request(duration), .failed))
    }
    return true
  }

  /// Follows the window's work.
  func followWindow() {
    // A token of an account that leaves must not be used any more.
    let work = window.status.work
    if work == .signingOut || work == .clearingData { cancel() }
    draw()
  }
}
