import AuthCore

// What is typed, and of no file: it comes back with the next window.
extension ExplorerModel {
  /// What the page begins with: the app's own API, which every account can call.
  var firstRequest: ExplorerRequest { ExplorerRequest(.get, Self.address(of: window.workspace)) }

  /// What is on the page, unless a file or another app has it; nil for what the page begins with.
  var ownRequest: ExplorerRequest? {
    origin == nil && request != firstRequest && request != carried ? request : nil
  }

  private var drafts: DraftKeeper { window.workspace.drafts }

  /// Whether an account is among those of the window.
  func knows(_ account: AccountKey) -> Bool { window.status.accounts.account(account) != nil }

  /// The account that the page was written on for; nil while it is not among those of the window.
  var knownWriter: AccountKey? {
    guard let key = writer ?? senders.id?.account, knows(key) else { return nil }
    return key
  }

  /// Has what is written come back with the next window.
  func keepDraftSoon() {
    if request != carried { carried = nil }
    writer = senders.id?.account ?? writer
    drafts.follow(self)
  }

  /// Has what is written come back with the next window, also if that is opened now.
  func keepDraft() { drafts.keep() }

  /// Has what is written come back with the next window, because this one is closed.
  func leaveDraft() { drafts.leave(self) }

  /// Brings back what was typed last, once its account is known, unless there is something already,
  /// something was sent, or another page has it.
  func restoreDraft() {
    // It would change the request under the person's hands once that page is closed.
    if drafts.isOn(anotherThan: self) { canRestore = false }
    guard canRestore, request == firstRequest, origin == nil, choiceCount == 0,
      let draft = drafts.takeDraft(for: self)
    else { return }
    request = draft.request
    writer = draft.account
    replacements.notify(false)
  }
}
