import EntranceKit
import Gtk
import Localization

/// The notices above the pages, each in its own bar.
@MainActor
final class NoticeList {
  private let box: Box
  private let focusPage: @MainActor () -> Void
  /// Whether its buttons have mnemonics; on a page with others, one key would mean two of them.
  var hasMnemonics = true { didSet { if hasMnemonics != oldValue { draw() } } }
  private var shown: [Notice] = []
  /// The labels of the texts, by the notice's ID.
  private var texts: [String: Label] = [:]

  /// Shows notices in `box`.
  ///
  /// - Parameter focusPage: moves the keyboard focus to the page, when the notice that has it goes.
  init(box: Box, focusPage: @escaping @MainActor () -> Void) {
    self.box = box
    self.focusPage = focusPage
  }

  /// Replaces the notices by `notices`.
  func show(_ notices: [Notice]) {
    guard notices != shown else { return }
    let old = shown
    shown = notices
    // A countdown keeps its widgets, so that a button keeps the focus.
    if notices.map(\.withoutText) == old.map(\.withoutText) {
      for notice in notices { texts[notice.id]?.text = notice.text }
      return
    }
    draw()
  }

  private func draw() {
    // Also below a dialog, such as the form that a button of the notice has opened.
    let hadFocus = box.holdsFocus
    box.removeAll()
    texts = [:]
    for notice in shown { box.append(bar(for: notice)) }
    if hadFocus { focusPage() }
  }

  private func bar(for notice: Notice) -> InfoBar {
    let text = label(notice.text)
    texts[notice.id] = text
    var lines = [text]
    if let title = notice.title {
      let heading = label(title)
      heading.set(styleClass: "heading", to: true)
      lines.insert(heading, at: 0)
    }
    let message = Box(column: lines, spacing: 3)
    message.centerVertically()
    let row = Box(row: [message])
    if !notice.buttons.isEmpty { row.append(buttons(notice.buttons)) }
    row.layOutAsNotice()
    let column = Box(column: [row], spacing: 6)
    if !notice.details.isEmpty { column.append(details(notice.details)) }
    column.expandHorizontally()
    column.centerVertically()
    let bar = InfoBar(isWarning: notice.style == .warning, child: column)
    if notice.canBeDismissed {
      let button = Button(icon: "window-close-symbolic", name: tr("Dismiss"))
      button.setAction("\(AccountAction.dismissNotice)", target: notice.id)
      bar.addAction(button)
    }
    return bar
  }

  private func label(_ text: String) -> Label {
    let label = Label(text)
    label.wrap()
    label.alignToStart()
    return label
  }

  private func buttons(_ descriptions: [Notice.Button]) -> Box {
    let row = Box(row: descriptions.map(button))
    row.layOutAsButtonRow()
    row.centerVertically()
    return row
  }

  private func details(_ lines: [String]) -> Expander {
    let label = Label(lines.joined(separator: "\n"))
    label.wrap()
    label.makeSelectable()
    label.align(toRight: label.isRightToLeft)
    return Expander(mnemonic: text(tr("Detai_ls")), child: label)
  }

  private func text(_ label: String) -> String { hasMnemonics ? label : label.withoutMnemonic }

  private func button(for description: Notice.Button) -> Button {
    let button = Button(mnemonic: text(description.label))
    let action = description.action
    if action.hasTarget {
      button.setAction("\(action)", target: action.target)
    } else {
      button.setAction("\(action)")
    }
    return button
  }
}

extension Notice {
  /// What a screen reader says of it when it is shown after `old` notices; nil for nothing.
  func spoken(after old: [Notice]) -> String? {
    guard !old.contains(self) else { return nil }
    // A countdown is said once.
    let isCountdown = old.contains { $0.id == id && $0.title == title }
    guard title == nil || !isCountdown else { return nil }
    return [title, text].compactMap(\.self).joined(separator: ". ")
  }

  /// Everything but the text.
  fileprivate var withoutText: Self {
    var notice = self
    notice.text = ""
    return notice
  }
}

extension String {
  /// A label without its mnemonic, which some languages have in parentheses at the end.
  fileprivate var withoutMnemonic: String {
    guard let mark = firstIndex(of: "_") else { return self }
    let (before, after) = (self[..<mark], self[index(after: mark)...])
    guard before.last == "(", after.dropFirst().first == ")" else {
      return String(before + after)
    }
    return String(before.dropLast() + after.dropFirst(2))
  }
}
