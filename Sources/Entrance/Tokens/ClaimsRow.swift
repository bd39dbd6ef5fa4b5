import AuthCore
import EntranceKit
import Gtk
import Localization

/// A row that shows claims or permissions when it is expanded: their rows are made then.
@MainActor
final class ClaimsRow {
  /// A line of the list.
  struct Entry {
    var title: String
    var text: String
    /// What is copied of it; nil for nothing.
    var copied: String?
  }

  /// Copies a text, and says the message, which has no final period.
  typealias Copy = @MainActor (_ text: String, _ message: String) -> Void

  private let row: ExpanderRow
  private var isFilled = false

  /// The row.
  var widget: Widget { row }

  /// Whether its rows are shown.
  var isExpanded: Bool {
    get { row.isExpanded }
    set { row.isExpanded = newValue }
  }

  /// A row of `entries`.
  init(_ title: String, _ subtitle: String, _ entries: [Entry], copy: @escaping Copy) {
    row = ExpanderRow(title: title)
    row.subtitle = subtitle.shown(upTo: 200)
    row.onExpand { [weak self] in self?.fill(entries, copy) }
  }

  /// A row of the claims of a token.
  convenience init(claims token: DecodedToken, copy: @escaping Copy) {
    let count = token.claims.count + token.leftOut
    self.init(
      tr("Claims"), tr(.plural("{count} claim", "{count} claims", count: count)),
      Self.entries(of: token), copy: copy)
  }

  /// A line that copies all claims of a token, and then the claims in words.
  static func entries(of token: DecodedToken) -> [Entry] {
    let more = tr(.plural("{count} More Claim", "{count} More Claims", count: token.leftOut))
    let all = token.copiedClaims.map {
      [Entry(title: tr("All Claims as JSON"), text: "", copied: $0)]
    }
    return (all ?? []) + token.claims.map(entry)
      + (token.leftOut > 0 ? [Entry(title: more, text: "")] : [])
  }

  /// A line with a title, and what is below it.
  static func line(_ title: String, _ text: String) -> ActionRow {
    let line = ActionRow(title: title, subtitle: text, subtitleLines: 0)
    line.wrapTitle()
    return line
  }

  /// A line that copies its value when it is chosen, which its button says.
  static func line(_ entry: Entry, copy: @escaping Copy) -> Widget {
    let line = line(entry.title, entry.text)
    guard let copied = entry.copied else { return line }
    let run: @MainActor () -> Void = {
      copy(copied, tr("{name} copied", ["name": entry.title]))
    }
    let button = Button(
      icon: "edit-copy-symbolic", name: tr("Copy {name}", ["name": entry.title]))
    // The line has the keyboard focus: there can be hundreds.
    button.isFocusable = false
    button.onClick(run)
    line.onActivate(run)
    line.add(button)
    return line
  }

  /// A claim in words.
  static func entry(_ claim: TokenClaim) -> Entry {
    let value = claim.words.map {
      tr("{value} ({words})", ["value": claim.text, "words": $0])
    }
    let parts = claim.parts.compactMap { part in
      part.words.map { tr("{label}: {value}", ["label": part.name, "value": $0]) }
    }
    let lines = [value ?? claim.text] + parts + [claim.meaning.map { tr($0) } ?? ""]
    return Entry(
      title: claim.name, text: lines.filter { !$0.isEmpty }.joined(separator: "\n"),
      copied: claim.copiedText)
  }

  private func fill(_ entries: [Entry], _ copy: @escaping Copy) {
    guard row.isExpanded, !isFilled else { return }
    isFilled = true
    for entry in entries { row.add(Self.line(entry, copy: copy)) }
  }
}
