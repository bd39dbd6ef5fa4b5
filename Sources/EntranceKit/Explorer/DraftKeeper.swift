import AuthCore

/// Keeps what is typed on the Explorer pages of a connection, so that it comes back with the next
/// window.
///
/// It is kept in the history's file, by the history's rules. Of several pages, the one counts that
/// was written on last.
@MainActor
final class DraftKeeper {
  private let history: ExplorerHistory
  /// The page that was written on last; nil when it is closed.
  private weak var page: ExplorerModel?
  /// Whether that page has something else than what is kept.
  private var isOutdated = false
  /// Keeps it in a moment; nil when nothing is to be kept then.
  private var waiting: Task<Void, Never>?

  /// How long it takes until what is typed is kept: each key would be too often.
  private static let moment = Duration.seconds(1)

  init(_ history: ExplorerHistory) {
    self.history = history
  }

  /// Keeps what is written on `page`, which has changed, in a moment.
  func follow(_ page: ExplorerModel) {
    // A page with nothing on it does not take another one's place.
    guard page.ownRequest != nil || page === self.page else { return }
    self.page = page
    isOutdated = true
    guard waiting == nil else { return }
    // The process does not end before.
    let unfinished = UnfinishedWork()
    waiting = Task { [weak self] in
      try? await Task.sleep(for: Self.moment)
      if !Task.isCancelled { self?.keep() }
      withExtendedLifetime(unfinished) {}
    }
  }

  /// Keeps what is written now.
  func keep() {
    waiting?.cancel()
    waiting = nil
    guard isOutdated, let page else { return }
    if let request = page.ownRequest {
      // While accounts are not read, it is not known whether it may be kept.
      guard let writer = page.knownWriter else { return }
      let now = page.window.workspace.now()
      history.set(SentRequests.Draft(request, of: writer, at: now))
    } else {
      history.set(nil)
    }
    isOutdated = false
    let unfinished = UnfinishedWork()
    Task { [history] in
      await history.finishWriting()
      withExtendedLifetime(unfinished) {}
    }
  }

  /// Keeps what is written on `page`, because it is closed.
  func leave(_ page: ExplorerModel) {
    guard page === self.page else { return }
    keep()
    self.page = nil
  }

  /// Whether another page than `page` has what was typed last.
  func isOn(anotherThan page: ExplorerModel) -> Bool { self.page != nil && self.page !== page }

  /// What was typed last, for a page with nothing on it; nil when another page has it, or its
  /// account is not there.
  func takeDraft(for page: ExplorerModel) -> SentRequests.Draft? {
    guard self.page == nil, let draft = history.draft, page.knows(draft.account) else {
      return nil
    }
    self.page = page
    return draft
  }
}
