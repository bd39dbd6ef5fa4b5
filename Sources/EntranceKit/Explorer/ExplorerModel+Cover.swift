import AuthCore

// The request of the page while personal details are hidden: it stays as it is, and is not shown to
// who does not ask for it.
extension ExplorerModel {
  /// What is shown in place of the address; nil when this has nothing to hide.
  var coveredAddress: String? {
    let shown = privacy.shown(request.address)
    return shown == request.address ? nil : shown.plain
  }

  /// Whether the request has personal details that are hidden, also below its address.
  public var hasHiddenDetails: Bool {
    guard privacy.isOn else { return false }
    // Of a long text, nobody waits for the end of the search.
    return [request.address, request.fields, request.body].contains {
      $0.utf8.count > FoldedText.shownAtFirst || privacy.shown($0) != $0
    }
  }
}
