import EntranceKit
import Gtk

/// The notices above the page, each in its own bar.
@MainActor
final class NoticeList {
  private let box: Box
  private var shown: [AccountState.Notice] = []

  /// Shows notices in `box`.
  init(box: Box) {
    self.box = box
  }

  /// Whether one of its widgets has the keyboard focus.
  var hasFocus: Bool { box.containsFocus }

  /// Replaces the notices by `notices`.
  func show(_ notices: [AccountState.Notice]) {
    guard notices != shown else { return }
    shown = notices
    box.removeAll()
    for notice in notices { box.append(bar(for: notice)) }
  }

  private func bar(for notice: AccountState.Notice) -> InfoBar {
    let label = Label(notice.text)
    label.wrap()
    label.justifyCenter()
    label.expandHorizontally()
    guard !notice.buttons.isEmpty else {
      return InfoBar(isWarning: notice.style == .warning, child: label)
    }
    // In a column, so that the bar fits a narrow window in every language.
    let column = Box(column: [label] + notice.buttons.map(button), spacing: 6)
    return InfoBar(isWarning: notice.style == .warning, child: column)
  }

  private func button(for description: AccountState.Notice.Button) -> Button {
    let button = Button(mnemonic: description.label)
    switch description.action {
    case .enterPassphrase: button.setAction("account.enter-passphrase")
    case .readAgain: button.setAction("account.read-again")
    case .signOutAgain: button.setAction("account.sign-out-again")
    case .dismissSignOut: button.setAction("account.dismiss-sign-out")
    }
    button.center()
    return button
  }
}
