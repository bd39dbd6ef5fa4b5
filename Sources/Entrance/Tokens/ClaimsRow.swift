import AuthCore
import EntranceKit
import Gtk
import Localization

/// A row that shows claims or permissions when it is expanded: their rows are made then.
@MainActor
final class ClaimsRow {
  private let row: ExpanderRow
  private var isFilled = false

  /// The row.
  var widget: Widget { row }

  /// Whether its rows are shown.
  var isExpanded: Bool {
    get { row.isExpanded }
    set { row.isExpanded = newValue }
  }

  /// A row of `rows`: a title, and what is below it.
  init(_ title: String, _ subtitle: String, rows: [(title: String, text: String)]) {
    row = ExpanderRow(title: title)
    row.subtitle = subtitle.shown(upTo: 200)
    row.onExpand { [weak self] in self?.fill(rows) }
  }

  /// A row of the claims of a token.
  convenience init(claims token: DecodedToken) {
    let count = token.claims.count + token.leftOut
    self.init(
      tr("Claims"), tr(.plural("{count} claim", "{count} claims", count: count)),
      rows: Self.texts(of: token))
  }

  /// The claims of a token in words.
  static func texts(of token: DecodedToken) -> [(title: String, text: String)] {
    let more = tr(.plural("{count} More Claim", "{count} More Claims", count: token.leftOut))
    return token.claims.map(texts) + (token.leftOut > 0 ? [(more, "")] : [])
  }

  /// A line with a title, and what is below it.
  static func line(_ title: String, _ text: String) -> Widget {
    let line = ActionRow(title: title, subtitle: text, subtitleLines: 0)
    line.wrapTitle()
    return line
  }

  /// A claim in words.
  static func texts(_ claim: TokenClaim) -> (title: String, text: String) {
    let value = claim.words.map {
      tr("{value} ({words})", ["value": claim.text, "words": $0])
    }
    let parts = claim.parts.compactMap { part in
      part.words.map { tr("{label}: {value}", ["label": part.name, "value": $0]) }
    }
    let lines = [value ?? claim.text] + parts + [claim.meaning.map { tr($0) } ?? ""]
    return (claim.name, lines.filter { !$0.isEmpty }.joined(separator: "\n"))
  }

  private func fill(_ rows: [(title: String, text: String)]) {
    guard row.isExpanded, !isFilled else { return }
    isFilled = true
    for (title, text) in rows { row.add(Self.line(title, text)) }
  }
}
