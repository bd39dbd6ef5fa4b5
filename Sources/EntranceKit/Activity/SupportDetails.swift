import AuthCore
import FoundationEssentials
import Localization

/// Events as a text for someone who can help, without what is nobody else's business: tokens, the
/// API's responses and personal details.
struct SupportDetails {
  /// The text.
  let text: String

  /// - Parameters:
  ///   - events: with tokens hidden.
  ///   - heading: the first lines.
  ///   - details: what is personal; the accounts of the events are, too.
  init(_ events: [ActivityEvent], heading: [String], hiding details: PersonalDetails) {
    var details = details
    for account in Set(events.compactMap(\.account)).sorted() { details.learn(username: account) }
    var text = heading.map(\.plain).joined(separator: "\n") + "\n"
    for event in events {
      text += "\n\(event.date.formatted(.iso8601)) [\(event.kind.rawValue)] \(event.title)"
      guard event.kind != .response else { continue }
      let details = event.text
      text +=
        details.hasPrefix(event.title) ? details.dropFirst(event.title.count) : "\n    " + details
    }
    self.text = details.hidden(in: text) + "\n"
  }
}

extension ActivityModel {
  /// *Copy Support Details*, *Save*: what is shown, without tokens, responses and names of accounts.
  ///
  /// - Parameter version: the program's version.
  public func supportDetails(version: String) async -> String {
    await finishSearch()
    let removed = tr("Tokens, responses, and the names of accounts were removed.")
    return await Self.supportDetails(
      shownEntries, heading: ["Entrance \(version)", removed], hiding: activity.personalDetails)
  }

  /// On another thread, because many events take a while.
  @concurrent
  private static func supportDetails(
    _ entries: [EventBuffer.Entry], heading: [String], hiding details: PersonalDetails
  ) async -> String {
    let events = entries.map { $0.event(showing: .hidden) }
    return SupportDetails(events, heading: heading, hiding: details).text
  }
}
