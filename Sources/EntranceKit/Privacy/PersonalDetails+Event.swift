import Localization

extension PersonalDetails {
  /// An event without personal details: of a long text only the beginning, so that looking for them
  /// never takes long.
  func hidden(in event: ActivityEvent) -> ActivityEvent {
    var text = event.text
    let size = text.utf8.count
    if size > FoldedText.shownAtFirst {
      text = String(decoding: text.utf8.prefix(FoldedText.shownAtFirst), as: UTF8.self)
      // A name at the cut would not be recognized.
      text = text.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
        .joined(separator: "\n")
      let rest = ByteSize.text(size - text.utf8.count)
      let remark = tr("[{size} hidden with personal details]", ["size": rest])
      text = [text, "    " + remark].filter { !$0.isEmpty }.joined(separator: "\n")
    }
    return ActivityEvent(
      id: event.id, date: event.date, kind: event.kind,
      account: event.account.map { hidden(in: $0) },
      title: hidden(in: event.title), folded: FoldedText(hidden(in: text)),
      isInLog: event.isInLog)
  }
}
