import EntranceKit
import Gtk
import Localization

/// The button beside the account's name, and its popover with the accounts and the connections to
/// choose from.
///
/// It is not in the header bar: there, GTK 4.8 loses the next click in the window after the rows of
/// a popover have changed.
@MainActor
final class Switcher {
  /// The button.
  let widget: MenuButton
  /// Handles the choice of an account.
  var select: @MainActor (AccountRow.ID) -> Void = { _ in }
  /// Handles the choice of the connection that has this name.
  var open: @MainActor (String) -> Void = { _ in }

  private let popover: Popover
  private let searchEntry: SearchEntry
  private let accountList: ListBox
  private let connectionBox: Box
  private let connectionList: ListBox
  private let emptyLabel: Label
  private let buttons: [Button]
  private let photos: PhotoDecoder
  private let connections: ConnectionList
  private var observer: Observer?
  private var heading: WindowHeading?

  /// Calls `handler` whenever the list has closed, also after a choice.
  func onClose(_ handler: @escaping @MainActor () -> Void) { popover.onHide(handler) }

  /// The number of rows above which they can be searched.
  private static let manyRows = 8

  /// Creates the button, which is hidden until ``show(_:)``.
  init(connections: ConnectionList, photos: PhotoDecoder) {
    self.connections = connections
    self.photos = photos
    let builder = Builder(interface: "switcher")
    widget = builder.object("button")
    popover = builder.object("popover")
    searchEntry = builder.object("search_entry")
    accountList = builder.object("account_list")
    connectionBox = builder.object("connection_box")
    connectionList = builder.object("connection_list")
    emptyLabel = builder.object("empty_label")
    buttons = ["add_button", "manage_button", "connections_button"].map { builder.object($0) }
    observer = connections.changes.add { [weak self] _ in
      self?.draw()
      self?.show(self?.heading)
    }
    accountList.leadKeys(to: connectionList)
    searchEntry.onEnter { [weak self] in self?.chooseFirst() }
    searchEntry.onStop { [weak self] in self?.widget.close() }
    searchEntry.onChange { [weak self] in self?.draw() }
    popover.onShow { [weak self] in
      self?.searchEntry.text = ""
      // At once: the next key may have been pressed already.
      self?.focusSelected()
    }
    for list in [accountList, connectionList] {
      list.onDownFromLast { [weak self] in self?.focusButton(from: 0) ?? false }
    }
    for (index, button) in buttons.enumerated() {
      button.onClick { [weak self] in self?.widget.close() }
      KeyController(on: button).onPress { [weak self] in
        self?.moveFocus(from: index, by: $0) ?? false
      }
    }
  }

  /// Moves the focus from a button to the one below or above it, or back to the last row.
  private func moveFocus(from index: Int, by key: Int) -> Bool {
    if KeyController.up.contains(key) {
      if buttons[..<index].reversed().contains(where: { $0.grabFocus() }) { return true }
      let lists = [connectionList, accountList].filter { $0.isMapped }
      return lists.contains { $0.children.last?.grabFocus() == true }
    }
    // Below the last one, the key would get to the button of the popover, and close it.
    guard KeyController.down.contains(key) else { return false }
    _ = focusButton(from: index + 1)
    return true
  }

  /// Moves the focus to the first button from `index` on that can be used.
  private func focusButton(from index: Int) -> Bool {
    buttons.dropFirst(index).contains { $0.grabFocus() }
  }

  /// Shows where the window is, and where else it can go; nothing while that is nil.
  func show(_ heading: WindowHeading?) {
    let old = self.heading
    self.heading = heading
    // Not the button, which would lose the focus.
    let canSwitch = heading?.canSwitch == true
    for list in [accountList, connectionList] { list.isSensitive = canSwitch }
    if old?.accounts != heading?.accounts || old?.connectionName != heading?.connectionName {
      draw()
    }
    widget.isVisible = heading != nil && (heading?.accounts.isEmpty == false || hasOthers)
  }

  /// Gives it the width of a narrow window, or more for the details of accounts.
  func setWide(_ isWide: Bool) { popover.setMinimumWidth(isWide ? 480 : 360) }

  /// Whether there are other connections than the open one.
  private var hasOthers: Bool { connections.state.connections.contains { !isOpen($0) } }

  private func draw() {
    let all = (heading?.accounts ?? [], connections.state.connections)
    searchEntry.isVisible = all.0.count + all.1.count > Self.manyRows
    // Nobody would see why rows are missing, nor could change it.
    if !searchEntry.isVisible, !searchEntry.text.isEmpty { searchEntry.text = "" }
    let text = searchEntry.text
    // Nobody would see what is typed in one that is hidden.
    searchEntry.captureKeys(of: searchEntry.isVisible ? popover : nil)
    let (accounts, connections) = (
      heading?.accounts(matching: text) ?? [], all.1.matching(text)
    )
    accountList.show(accounts.map(makeRow), selected: accounts.firstIndex(where: \.isSelected))
    accountList.isVisible = !accounts.isEmpty
    connectionList.show(connections.map(makeRow), selected: connections.firstIndex(where: isOpen))
    // A single one is what the window says.
    connectionBox.isVisible = !connections.isEmpty && hasOthers
    emptyLabel.isVisible = !accountList.isVisible && !connectionBox.isVisible && !text.isEmpty
    if !popover.holdsFocus { focusSelected() }
  }

  private func isOpen(_ connection: ConnectionList.Row) -> Bool {
    heading?.connectionName == connection.name
  }

  private func focusSelected() {
    guard popover.isMapped else { return }
    if searchEntry.isVisible {
      searchEntry.grabFocus()
      return
    }
    // Enter on what is open changes nothing.
    let account = heading?.accounts.firstIndex(where: \.isSelected)
    let apps = connectionBox.isVisible ? connections.state.connections : []
    let app = apps.firstIndex(where: isOpen)
    let rows = [
      account.flatMap { accountList.row(at: $0) }, app.flatMap { connectionList.row(at: $0) },
      accountList.row(at: 0), connectionList.row(at: 0),
    ]
    if !rows.contains(where: { $0?.grabFocus() == true }) { accountList.grabFocus() }
  }

  /// Chooses the first that was found; before anything is typed, nothing was looked for.
  private func chooseFirst() {
    let text = searchEntry.text
    guard heading?.canSwitch == true, !text.allSatisfy(\.isWhitespace) else { return }
    let account = heading?.accounts(matching: text).first
    let connection = connections.state.connections.matching(text).first
    widget.close()
    if let account {
      select(account.id)
    } else if let connection, !isOpen(connection) {
      open(connection.name)
    }
  }

  private func makeRow(_ row: AccountRow) -> Widget {
    // A popover does not make room for a second line.
    let widget = ActionRow(row, photos: photos, avatarSize: 32, subtitleLines: 1)
    let id = row.id
    widget.onActivate { [weak self] in
      self?.widget.close()
      self?.select(id)
    }
    return widget
  }

  private func makeRow(_ connection: ConnectionList.Row) -> Widget {
    let widget = ActionRow(title: connection.name, subtitle: connection.authority, subtitleLines: 1)
    widget.tooltip = "\(connection.name)\n\(connection.details)"
    // The tooltip would be read, too.
    widget.setAccessibleDescription(connection.authority)
    let isOpen = isOpen(connection)
    if isOpen { widget.add(Image(icon: "object-select-symbolic")) }
    let name = connection.name
    widget.onActivate { [weak self] in
      self?.widget.close()
      if !isOpen { self?.open(name) }
    }
    return widget
  }
}
