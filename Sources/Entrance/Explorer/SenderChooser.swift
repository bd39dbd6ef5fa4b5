import EntranceKit
import Gtk
import Localization

/// Says as which account the request of the page is sent, and lets the person choose another one.
@MainActor
final class SenderChooser {
  /// Called with the account that was chosen.
  var choose: @MainActor (AccountRow.ID) -> Void = { _ in }
  /// Gives the focus to the page, because the button that had it is gone.
  var focus: @MainActor () -> Void = {}

  private let label: Label
  private let button: MenuButton
  private let menu: Menu
  private let noteLabel: Label
  /// The accounts in the menu.
  private var senders: [ExplorerState.Sender] = []

  /// Takes its widgets from the page's file.
  init(_ builder: Builder) {
    label = builder.object("account_label")
    button = builder.object("account_button")
    menu = builder.object("sender_menu")
    noteLabel = builder.object("account_note_label")
  }

  /// The action of the menu's items.
  private(set) lazy var action = StatefulAction("sender", state: "0", isChoice: true) {
    [weak self] in
    guard let self, let index = Int($0), senders.indices.contains(index) else { return }
    choose(senders[index].id)
  }

  /// Shows whose account it is, and whose it can be.
  func show(_ state: ExplorerState) {
    // Set again, even to the same text, it would be said again while the button has the focus.
    if state.account != label.tooltip { button.setAccessibleDescription(state.account ?? "") }
    // A recording, which answers all, is named at the top of the page.
    let account = state.replay == nil ? state.account : nil
    label.show(ifAny: account.map { tr("As {account}", ["account": $0]) })
    label.tooltip = state.account
    let isOther = state.accountNote != nil
    label.set(styleClass: "dim-label", to: !isOther)
    label.set(styleClass: "warning", to: isOther)
    noteLabel.show(ifAny: state.accountNote)
    // An open menu stays as it is while nothing else can be chosen.
    if state.senders.map(\.text) != senders.map(\.text) {
      menu.replace(state.senders.map(\.text), action: "explorer.sender")
    }
    senders = state.senders
    action.state = String(senders.firstIndex(where: \.isChosen) ?? 0)
    let hadFocus = button.holdsFocus
    button.isVisible = !senders.isEmpty
    if hadFocus, senders.isEmpty { focus() }
  }
}
