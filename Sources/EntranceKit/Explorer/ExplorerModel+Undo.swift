import AuthCore
import Localization

// What can be undone: another request in place of what was typed, and a cleared history.
extension ExplorerModel {
  /// What was typed, and would be lost with another request; nil for nothing.
  var typedRequest: ExplorerRequest? {
    let hasText = [request.address, request.fields, request.body].contains {
      !$0.allSatisfy(\.isWhitespace)
    }
    return origin == nil && request != loaded && hasText ? request : nil
  }

  /// A request that another one has replaced.
  struct Replaced {
    /// The other one.
    let next: ExplorerRequest
    /// The account that it was written for; nil when none was selected.
    let writer: AccountKey?
    let bringBack: @MainActor () -> Void
  }

  /// Whether the request that was replaced can be brought back with the key for that: nothing was
  /// edited since.
  var canBringBack: Bool {
    guard let replaced, replaced.next == request else { return false }
    return replaced.writer.map(knows) ?? true
  }

  /// *Undo*, with its key: brings back the request that was replaced, with all its parts.
  public func bringBack() {
    guard canBringBack, let replaced else { return }
    replaced.bringBack()
    messages.notify(tr("Request restored"))
  }

  /// Says that a request was replaced, and offers to bring it back.
  ///
  /// - Parameters:
  ///   - typed: the request.
  ///   - text: the text whose place its file has taken.
  ///   - loaded: what it was made of.
  func offerUndo(of typed: ExplorerRequest, _ text: String, madeOf loaded: ExplorerRequest) {
    let bringBack: @MainActor () -> Void = { [weak self] in
      self?.choose(typed) {
        $0.loaded = loaded
        $0.bodyFile.text = text
      }
    }
    replaced = Replaced(next: request, writer: writer, bringBack: bringBack)
    undos.notify((tr("Request replaced"), bringBack))
  }

  /// *Clear History*, which can be undone.
  public func clearHistory() {
    let (workspace, accounts) = (window.workspace, window.status.accounts)
    let removed = workspace.history.removeEntries()
    // While accounts are not read, none is known, and none has left.
    let known = Set(removed.map(\.account).filter(knows))
    let bringBack: @MainActor () -> Void = {
      // What was sent for an account that has left meanwhile stays away.
      let kept = removed.filter {
        !known.contains($0.account) || accounts.account($0.account) != nil
      }
      workspace.history.restore(kept)
    }
    undos.notify((tr("History cleared"), bringBack))
  }
}
