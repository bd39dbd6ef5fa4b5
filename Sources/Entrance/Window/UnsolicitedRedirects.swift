import EntranceKit
import Sentences

/// Redirects that no sign-in of a window waits for: its log tells of them, or standard error while it has none.
@MainActor
struct UnsolicitedRedirects {
  private var isWaiting = false
  private var hasPrinted = false

  /// Notes one that arrived before there is a log.
  mutating func note() { isWaiting = true }

  /// Tells of what was noted in the log of `model`.
  mutating func log(to model: WindowModel) {
    if isWaiting { model.handleUnsolicited() }
    isWaiting = false
  }

  /// Prints what was noted, once: there is no log.
  mutating func print() {
    guard isWaiting else { return }
    isWaiting = false
    guard !hasPrinted else { return }
    hasPrinted = true
    printError(Sentence("ignored a sign-in response: there is no app"))
  }
}
