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
  public func supportDetails(version: String) async -> String {
    await finishSearch()
    let view = activity.view(showing: .hidden)
    let removed = tr("Tokens, responses and the names of accounts were removed.")
    return await Self.supportDetails(shownEntries, view, heading: ["Entrance \(version)", removed])
  }

  /// On another thread, because many events take a while.
  @concurrent
  private static func supportDetails(
    _ entries: [EventBook.Entry], _ view: Activity.View, heading: [String]
  ) async -> String {
    SupportDetails(entries.map(view.event), heading: heading).text
  }
}
