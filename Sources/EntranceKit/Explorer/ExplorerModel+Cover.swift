import AuthCore

// While personal details are hidden: the request of the page stays as it is, and is not shown to
// who does not ask for it; an answer is made without them.
extension ExplorerModel {
  /// What is shown in place of the address; nil when this has nothing to hide.
  var coveredAddress: String? {
    let shown = privacy.shown(address: request.address)
    return shown == request.address ? nil : shown.plain
  }

  /// Whether the request has personal details that are hidden, also below its address.
  public var hasHiddenDetails: Bool {
    guard privacy.isOn else { return false }
    // Of a long text, nobody waits for the end of the search.
    return coveredAddress != nil
      || [request.address, request.fields, request.body].contains {
        $0.utf8.count > FoldedText.shownAtFirst || privacy.shown($0) != $0
      }
  }

  /// Whether a text has personal details that are hidden.
  public func hides(in text: String) -> Bool { privacy.shown(text) != text }

  /// The work as it is shown: why a download is paused can name its account.
  func shown(_ work: ExplorerState.Work?) -> ExplorerState.Work? {
    guard case .paused(let size, let total, let reason, let wait) = work else { return work }
    return .paused(size, of: total, because: privacy.shown(ifAny: reason), wait: wait)
  }

  /// Makes an answer with all that belongs to it, and once more if personal details were hidden or
  /// shown meanwhile.
  func made(
    _ parts: ExplorerAnswer.Parts,
    by make: (ExplorerAnswer.Parts) async throws(CancellationError) -> ExplorerAnswer
  ) async throws(CancellationError) -> ExplorerAnswer {
    let account = parts.account
    var parts = parts
    while true {
      (parts.hiding, parts.account) = (privacy.hiding, privacy.shown(account))
      let answer = try await make(parts)
      if privacy.isOn == (parts.hiding != nil) { return answer }
    }
  }
}
