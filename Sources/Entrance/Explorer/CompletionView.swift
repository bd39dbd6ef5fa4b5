import EntranceKit
import Gtk
import Localization

/// A text that can be completed at its cursor.
@MainActor
protocol CompletedText: Widget {
  /// The text before the cursor.
  var textBeforeCursor: String { get }

  /// Writes `text` in place of what is before the cursor.
  ///
  /// - Parameters:
  ///   - size: how much is replaced, in Unicode scalars.
  ///   - behind: how many Unicode scalars of `text` are to be behind the cursor.
  func replace(beforeCursor size: Int, with text: String, behind: Int)

  /// Has the proposals appear at a place before the cursor.
  func point(_ popover: Popover, beforeCursor size: Int)
}

extension Entry: CompletedText {
  /// They appear below all of it.
  func point(_ popover: Popover, beforeCursor size: Int) {}
}

extension TextView: CompletedText {}

/// Proposes below a text what can be written at its cursor.
///
/// The text keeps the focus: Down and Up choose a proposal, Enter takes it, Tab takes it or the
/// first one, Escape hides them.
@MainActor
final class CompletionView {
  /// Finds what can be written after the text before the cursor.
  var find: @MainActor (String) async -> TextCompletion? = { _ in nil }

  private let text: any CompletedText
  private let popover: Popover
  private let scroller: ScrolledWindow
  private let view: ListView
  private var items: ListItems<ProposalRow>?
  private let keys: KeyController
  private let announce: @MainActor (String) -> Void
  private var completion: TextCompletion?
  /// The text before the cursor that the proposals are for.
  private var completed = ""
  private var search: Task<Void, Never>?
  /// Whether the text is changed by a proposal.
  private var isTaking = false

  /// Proposes what completes `text`.
  ///
  /// - Parameters:
  ///   - place: what the proposals are shown below.
  ///   - announce: has a screen reader say a text.
  init(
    of text: any CompletedText, below place: Box, announce: @escaping @MainActor (String) -> Void
  ) {
    let builder = Builder(interface: "explorer-completion")
    self.text = text
    popover = builder.object("completion")
    scroller = builder.object("scroller")
    view = builder.object("proposals")
    keys = KeyController(on: text)
    self.announce = announce
    place.append(popover)
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
    text.onFocusLoss { [weak self] in self?.hide() }
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
      let head = text.textBeforeCursor
      let found = await find(head)
      guard !Task.isCancelled else { return }
      completed = head
      if let found, text.hasFocus || text.containsFocus { show(found) } else { hide() }
    }
  }

  /// Hides the proposals.
  func hide() {
    search?.cancel()
    completion = nil
    popover.close()
  }

  private func show(_ found: TextCompletion) {
    guard found != completion else { return }
    completion = found
    items?.replace(count: found.proposals.count)
    items?.selected = nil
    // No wider than the window, on whose edge it would be cut.
    scroller.fitContent(upToWidth: min(max((text.window?.width ?? 0) - 48, 300), 520))
    text.point(popover, beforeCursor: size(of: found))
    popover.open()
  }

  /// What the proposals take the place of, in Unicode scalars.
  private func size(of completion: TextCompletion) -> Int {
    completed.suffix(completion.begun).unicodeScalars.count
  }

  private func handle(_ key: Int) -> Bool {
    guard let completion, popover.isMapped, let items else { return false }
    guard text.textBeforeCursor == completed else {
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
    case _ where KeyController.forwardTab.contains(key): take(items.selected ?? 0)
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
    let proposal = completion.proposals[index]
    hide()
    guard text.textBeforeCursor == completed else { return }
    isTaking = true
    text.replace(
      beforeCursor: size(of: completion), with: proposal.text, behind: proposal.sizeBehindCursor)
    isTaking = false
    if proposal.isContinued { follow() }
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

  func show(_ proposal: TextCompletion.Proposal) {
    text.text = proposal.text
    kind.text = Self.name(proposal.kind)
    accessibleLabel = Self.spoken(proposal)
  }

  /// What a screen reader says of it.
  static func spoken(_ proposal: TextCompletion.Proposal) -> String {
    [proposal.text, name(proposal.kind)].filter { !$0.isEmpty }.joined(separator: ", ")
  }

  private static func name(_ kind: TextCompletion.Kind) -> String {
    switch kind {
    case .resource(let type): type
    case .list(let type): tr("list of {type}", ["type": type])
    case .action: tr("action")
    case .property: tr("property")
    case .option, .other: ""
    }
  }
}
