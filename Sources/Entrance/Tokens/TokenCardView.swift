import AuthCore
import EntranceKit
import Gtk
import Localization

/// A token on the Tokens page: when it expires, whose it is, what it allows, and what is in it.
@MainActor
final class TokenCardView {
  let widget: Widget
  let id: TokenCard.ID

  private let title = Label("")
  private let subtitle = Label("")
  private let list = ListBox()
  private let expiresRow = ActionRow(title: tr("Expires"), subtitle: "", subtitleLines: 0)
  private let issuedRow = ActionRow(title: "", subtitle: "", subtitleLines: 0)
  private let expiredIcon = Image(icon: "dialog-warning-symbolic")
  private let tokenRow = ActionRow(title: tr("Full Token"), subtitle: "", subtitleLines: 0)
  private let showButton = Button(icon: "view-reveal-symbolic", name: tr("Show"))
  private var permissions: ClaimsRow?
  private var claims: ClaimsRow?
  private var header: ClaimsRow?
  private var card: TokenCard?
  private var isRevealed = false
  private let copyClaim: ClaimsRow.Copy

  /// The most characters of a token that are shown.
  private static let longestToken = 8000

  /// - Parameters:
  ///   - copy: copies the token.
  ///   - toggle: shows or hides the token.
  ///   - copyClaim: copies what is in the token.
  init(
    _ id: TokenCard.ID, copy: @escaping @MainActor () -> Void,
    toggle: @escaping @MainActor () -> Void, copyClaim: @escaping ClaimsRow.Copy
  ) {
    self.id = id
    self.copyClaim = copyClaim
    title.set(styleClass: "heading", to: true)
    title.alignToStart()
    subtitle.set(styleClass: "dim-label", to: true)
    subtitle.alignToStart()
    subtitle.wrap()
    list.makeBoxed()
    widget = Box(column: [Box(column: [title, subtitle], spacing: 3), list], spacing: 9)
    expiredIcon.set(styleClass: "warning", to: true)
    expiresRow.add(expiredIcon)
    let copyButton = Button(icon: "edit-copy-symbolic", name: tr("Copy"))
    tokenRow.add(showButton)
    tokenRow.add(copyButton)
    showButton.onClick(toggle)
    copyButton.onClick(copy)
  }

  /// Whether the token can be shown.
  var canReveal: Bool {
    get { showButton.isSensitive }
    set { showButton.isSensitive = newValue }
  }

  /// Shows a card, and the token itself if it is given.
  func show(_ card: TokenCard, revealed secret: String?) {
    if card != self.card {
      self.card = card
      drawCard(card)
      drawToken(card, secret)
    } else if isRevealed != (secret != nil) {
      drawToken(card, secret)
    }
  }

  /// Shows when the token expires and was issued; nil when that is unknown.
  func showTimes(expires: String?, issued: String?, hasExpired: Bool) {
    expiresRow.setSubtitle(expires ?? tr("Not stated"))
    expiredIcon.isVisible = hasExpired
    issuedRow.setSubtitle(issued ?? "")
    issuedRow.isVisible = issued != nil
  }

  private func drawCard(_ card: TokenCard) {
    title.text = card.title
    subtitle.text = card.subtitle
    list.setAccessibleLabel(card.title)
    issuedRow.title = card.issueTitle
    let (isPermissionsOpen, isClaimsOpen, isHeaderOpen) = (
      permissions?.isExpanded ?? false, claims?.isExpanded ?? false, header?.isExpanded ?? false
    )
    permissions = nil
    if !card.permissions.isEmpty {
      permissions = ClaimsRow(
        tr("Permissions"), card.permissions.map(\.name).joined(separator: ", "),
        card.permissions.map {
          ClaimsRow.Entry(title: $0.name, text: $0.words.map { tr($0) } ?? "", copied: $0.name)
        }, copy: copyClaim)
    }
    claims = nil
    header = nil
    var rest: [Widget] = [permissions?.widget].compactMap(\.self)
    if let token = card.reading.token {
      claims = ClaimsRow(claims: token, copy: copyClaim)
      header = ClaimsRow(
        tr("Header"), Self.summary(of: token.header),
        token.header.map(ClaimsRow.entry), copy: copyClaim)
    } else if let remark = card.reading.remark {
      rest.append(ActionRow(title: tr("Claims"), subtitle: tr(remark), subtitleLines: 0))
    }
    rest += [claims?.widget, header?.widget].compactMap(\.self)
    permissions?.isExpanded = isPermissionsOpen
    claims?.isExpanded = isClaimsOpen
    header?.isExpanded = isHeaderOpen
    list.show([expiresRow, issuedRow] + rest + card.facts.map(Self.row) + [tokenRow])
  }

  /// The algorithm and the type.
  ///
  /// The ID of the key is long, and says little while the row is closed.
  private static func summary(of header: [TokenClaim]) -> String {
    header.filter { ["alg", "typ"].contains($0.name) }.map(\.text).joined(separator: ", ")
  }

  private static func row(_ fact: TokenCard.Fact) -> Widget {
    let row = ActionRow(title: fact.title, subtitle: fact.text, subtitleLines: 0)
    switch fact.verdict {
    case .good:
      let icon = Image(icon: "emblem-ok-symbolic")
      icon.set(styleClass: "success", to: true)
      row.add(icon)
    case .bad:
      let icon = Image(icon: "dialog-warning-symbolic")
      icon.set(styleClass: "error", to: true)
      row.add(icon)
    case .neutral: break
    }
    return row
  }

  private func drawToken(_ card: TokenCard, _ secret: String?) {
    isRevealed = secret != nil
    tokenRow.setSubtitle(secret.map { $0.shown(upTo: Self.longestToken) } ?? card.preview)
    // A screen reader would spell all of it.
    tokenRow.setAccessibleDescription(
      secret == nil ? tr("The token is hidden") : tr("Shown on the screen"))
    showButton.show(
      icon: secret == nil ? "view-reveal-symbolic" : "view-conceal-symbolic",
      name: secret == nil ? tr("Show") : tr("Hide"))
  }
}
