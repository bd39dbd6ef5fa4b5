import AuthCore
import Connections
import Localization
import MicrosoftGraph

// How to get what a request needs.
extension ExplorerModel {
  /// *Request Permission*: asks for what the refused request needs, and sends it again; asks before a
  /// `DELETE`.
  @discardableResult
  public func requestPermission() -> Task<Void, Never>? {
    guard state.work == nil, !state.isWindowBusy, let answer,
      let missing = answer.explanation?.missing, !missing.isEmpty
    else { return nil }
    // An address like Graph's can be another service's.
    guard window.workspace.connection.apiMayGetToken(with: missing) else {
      messages.notify(
        tr(
          "The permissions are for a Microsoft service, whose tokens are not sent to “{host}”.",
          ["host": graph.host]))
      return nil
    }
    if let permissionNote {
      messages.notify(permissionNote)
      return nil
    }
    return start { model, number in
      let isGranted = await model.tokens.request(
        missing, show: { model.show($0) }, say: { model.messages.notify(model.privacy.shown($0)) })
      guard isGranted else { return }
      if answer.request.method == .delete { return model.askToSendAgain(answer) }
      await model.perform(answer.request, number, at: answer.link)
    }
  }

  /// Asks before a `DELETE` that was refused is sent again: that may be long ago, and the page may have
  /// another request by now.
  private func askToSendAgain(_ answer: ExplorerAnswer) {
    guard let url = try? graph.url(of: answer.sentRequest) else { return }
    let question = self.question(beforeDeleting: url, for: answer.account)
    let send: @MainActor () -> Void = { [weak self] in
      guard let self, self.answer?.id == answer.id, permissionNote == nil else { return }
      guard state.work == nil, !state.isWindowBusy else {
        return messages.notify(Work.callingGraph.obstacle)
      }
      _ = start { await $0.perform(answer.request, $1, at: answer.link) }
    }
    questions.notify((question, send))
  }

  /// To whose account the window must be switched before *Request Permission* can ask; nil when there
  /// is nothing to ask for, or the refusal was for the window's account.
  var permissionNote: String? {
    guard let answer, answer.explanation?.missing.isEmpty == false,
      answerSender != window.status.accounts.selectedID
    else { return nil }
    return tr("Switch to {account} to request the permission.", ["account": answer.account])
  }

  /// A message to the administrator who can approve what the refused request needs; nil when
  /// nothing is missing.
  public var helpRequest: HelpRequest? {
    guard let missing = answer?.explanation?.missing, !missing.isEmpty else { return nil }
    return HelpRequest(toApprove: window.workspace.connection, adding: missing)
  }
}
