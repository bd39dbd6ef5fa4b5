import Localization

extension PersonalDetails {
  /// An event without personal details: of a long text only the beginning, so that looking for them
  /// never takes long.
  func hidden(in event: ActivityEvent) -> ActivityEvent {
    var text = event.text
    let limit = FoldedText.shownAtFirst
    if text.utf8.count > limit {
      let size = ByteSize.text(text.utf8.count - limit)
      text = String(decoding: text.utf8.prefix(limit), as: UTF8.self)
      // A name at the cut would not be recognized.
      text = text.split(separator: "\n").dropLast().joined(separator: "\n")
      text += "\n    " + tr("[{size} hidden with personal details]", ["size": size])
    }
    return ActivityEvent(
      id: event.id, date: event.date, kind: event.kind,
      account: event.account.map { hidden(in: $0) },
      title: hidden(in: event.title), folded: FoldedText(hidden(in: text)),
      isInLog: event.isInLog)
  }
}
