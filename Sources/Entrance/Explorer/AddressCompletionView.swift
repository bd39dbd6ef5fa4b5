import EntranceKit
import Gtk
import Localization

/// Proposes below the address what can be written at its cursor.
///
/// The entry keeps the focus: Down and Up choose a proposal, Enter takes it, Escape hides them.
@MainActor
final class AddressCompletionView {
  /// Finds what can be written after the text before the cursor.
  var find: @MainActor (String) async -> AddressCompletion? = { _ in nil }

  private let entry: Entry
  private let popover: Popover
  private let view: ListView
  private var items: ListItems<ProposalRow>?
  private let keys: KeyController
  private let announce: @MainActor (String) -> Void
  private var completion: AddressCompletion?
  /// The text before the cursor that the proposals are for.
  private var completed = ""
  private var search: Task<Void, Never>?
  /// Whether the text is changed by a proposal.
  private var isTaking = false

  /// Takes its widgets from the page's file.
  ///
  /// - Parameter announce: has a screen reader say a text.
  init(_ builder: Builder, announce: @escaping @MainActor (String) -> Void) {
    entry = builder.object("address_entry")
    popover = builder.object("completion")
    view = builder.object("proposals")
    keys = KeyController(on: entry)
    self.announce = announce
    items = ListItems(in: view) {
      ProposalRow()
    } show: { [weak self] row, index in
      guard let proposals = self?.completion?.proposals, proposals.indices.contains(index) else {
        return
      }
      row.show(proposals[index])
    }
    view.onActivate { [weak self] in self?.take($0) }
    keys.onPress { [weak self] in self?.handle($0) ?? false }
    entry.onFocusLoss { [weak self] in self?.hide() }
    // Not before: it would become smaller while it disappears.
    popover.onHide { [weak self] in
      if self?.completion == nil { self?.items?.replace(count: 0) }
    }
  }

  /// Proposes what can be written, after the person typed something.
  func follow() {
    search?.cancel()
    guard !isTaking else { return }
    // The cursor moves after the text has changed.
    search = Task { [weak self] in
      guard let self else { return }
      let head = head
      let found = await find(head)
      guard !Task.isCancelled else { return }
      completed = head
      if let found, entry.containsFocus { show(found) } else { hide() }
    }
  }

  /// The text before the cursor, whose place GTK counts in Unicode scalars.
  private var head: String {
    String(String.UnicodeScalarView(entry.text.unicodeScalars.prefix(entry.position)))
  }

  /// Hides the proposals.
  func hide() {
    search?.cancel()
    completion = nil
    popover.close()
  }

  private func show(_ found: AddressCompletion) {
    guard found != completion else { return }
    completion = found
    items?.replace(count: found.proposals.count)
    items?.selected = nil
    popover.open()
  }

  private func handle(_ key: Int) -> Bool {
    guard let completion, popover.isMapped, let items else { return false }
    guard head == completed else {
      // The cursor is elsewhere now.
      hide()
      return false
    }
    let last = completion.proposals.count - 1
    switch key {
    case _ where KeyController.down.contains(key):
      select(min((items.selected ?? -1) + 1, last))
    case _ where KeyController.up.contains(key):
      guard let selected = items.selected, selected > 0 else { return false }
      select(selected - 1)
    case _ where KeyController.enter.contains(key):
      guard let selected = items.selected else { return false }
      take(selected)
    case _ where KeyController.escape.contains(key): hide()
    default: return false
    }
    return true
  }

  private func select(_ index: Int) {
    guard let proposals = completion?.proposals, proposals.indices.contains(index) else { return }
    items?.select(index, in: view)
    announce(ProposalRow.spoken(proposals[index]))
  }

  private func take(_ index: Int) {
    guard let completion, completion.proposals.indices.contains(index) else { return }
    let (text, head) = (completion.proposals[index].text, head)
    hide()
    guard head == completed else { return }
    let rest = entry.text.unicodeScalars.dropFirst(head.unicodeScalars.count)
    let kept = head.dropLast(completion.begun)
    isTaking = true
    entry.text = kept + text + String(String.UnicodeScalarView(rest))
    // A parameter is written between the parentheses.
    let size = kept.unicodeScalars.count + text.unicodeScalars.count
    entry.position = size - (text.hasSuffix("=)") ? 1 : 0)
    isTaking = false
    if text.hasSuffix("=") { follow() }
  }
}

/// A proposal.
@MainActor
final class ProposalRow: ListRow {
  let widget: Widget
  private(set) var accessibleLabel = ""
  private let text = Label("")
  private let kind = Label("")

  init() {
    text.expandHorizontally()
    for label in [text, kind] {
      label.alignToStart()
      label.ellipsize()
    }
    kind.set(styleClass: "dim-label", to: true)
    kind.set(styleClass: "caption", to: true)
    widget = Box(row: [text, kind], spacing: 12)
  }

  func show(_ proposal: AddressCompletion.Proposal) {
    text.text = proposal.text
    kind.text = Self.name(proposal.kind)
    accessibleLabel = Self.spoken(proposal)
  }

  /// What a screen reader says of it.
  static func spoken(_ proposal: AddressCompletion.Proposal) -> String {
    [proposal.text, name(proposal.kind)].filter { !$0.isEmpty }.joined(separator: ", ")
  }

  private static func name(_ kind: AddressCompletion.Kind) -> String {
    switch kind {
    case .resource(let type): type
    case .list(let type): tr("list of {type}", ["type": type])
    case .action: tr("action")
    case .property: tr("property")
    case .option, .other: ""
    }
  }
}
