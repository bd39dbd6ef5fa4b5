import AuthCore
import FoundationEssentials
import Localization

/// Events as a text for someone who can help, without what is nobody else's business: tokens, the
/// API's responses and the names of accounts.
struct SupportDetails {
  /// The text.
  let text: String

  /// - Parameters:
  ///   - events: with tokens hidden.
  ///   - heading: the first lines.
  init(_ events: [ActivityEvent], heading: [String]) {
    let accounts = Set(events.compactMap(\.account)).sorted()
    var text = heading.map(\.plain).joined(separator: "\n") + "\n"
    for event in events {
      text += "\n\(event.date.formatted(.iso8601)) [\(event.kind.rawValue)] \(event.title)"
      guard event.kind != .response else { continue }
      let details = event.text
      text +=
        details.hasPrefix(event.title) ? details.dropFirst(event.title.count) : "\n    " + details
    }
    // The longest first: one may contain another.
    for (number, account) in accounts.enumerated().sorted(by: { $0.1.count > $1.1.count }) {
      text = text.replacing(account, with: "‹account \(number + 1)›")
    }
    self.text = text + "\n"
  }
}

extension ActivityModel {
  /// *Copy Support Details*, *Save*: what is shown, without tokens, responses and names of accounts.
  ///
  /// - Parameter version: the program's version.
  public func supportDetails(version: String) -> String {
    let shown = Set(events.map(\.id))
    let events = activity.events(showing: .hidden).filter { shown.contains($0.id) }
    let removed = tr("Tokens, responses and the names of accounts were removed.")
    return SupportDetails(events, heading: ["Entrance \(version)", removed]).text
  }
}
