import Gio
import AuthCore
import EntranceKit
import Gtk
import Localization

/// The main window: shows the account page, or why there is none.
@MainActor
final class MainWindow {
  /// The window itself.
  let root: ApplicationWindow

  private let title: WindowTitle
  private let stack: Stack
  private let toastOverlay: ToastOverlay
  private let announcer: Announcer
  private var toastCount = 0
  private let settings: Settings
  private let preferences: Preferences
  private var accountPage: AccountPage?
  private var connectionPage: ConnectionPage?

  /// Creates the empty window, in its last size.
  init(
    application: Application, settings: Settings, preferences: Preferences
  ) {
    let builder = Builder(interface: "window")
    root = builder.object("window")
    title = builder.object("title")
    stack = builder.object("stack")
    toastOverlay = builder.object("toast_overlay")
    self.settings = settings
    announcer = Announcer(window: root)
    self.preferences = preferences
    root.setApplication(application)
    root.makeWindowGroup()
    restoreSize()
    root.onCloseRequest { [weak self] in
      self?.saveSize()
      return false
    }
    root.add([
      Action("show-help-overlay") { [weak self] in self?.showShortcuts() },
      Action("about") { [weak self] in
        guard let self else { return }
        About.present(over: root)
      },
    ])
  }

  /// Says which connection, tenant and cloud the window works with; nil for none.
  func setConnection(_ place: String?) { title.setSubtitle(place ?? "") }

  /// Shows the account page of `model`, or an insensitive page while there is none.
  func showAccount(of model: AccountModel?) {
    let page: AccountPage
    if let accountPage { page = accountPage } else { page = makeAccountPage() }
    page.bind(to: model)
    show(page.widget, title: tr("Account"))
  }

  /// Shows `page` instead of the account page.
  func show(_ page: ConnectionPage) {
    show(page.widget, title: tr("Connection"))
    page.focus()
    if !ScreenReader.readsGroups { announcer.announce(page.text) }
    if let connectionPage { stack.remove(connectionPage.widget) }
    connectionPage = page
  }

  /// Asks whether to sign all accounts out, also those of other connections.
  func askToSignOut(of others: [PublicClientApplication]) { accountPage?.askToSignOut(of: others) }

  private func makeAccountPage() -> AccountPage {
    let page = AccountPage(preferences: preferences) { [weak self] in
      self?.showToast($0)
    } announce: { [weak self] in
      self?.announcer.announce($0)
    }
    root.insert(page.actions, as: "account")
    accountPage = page
    return page
  }

  private func showToast(_ text: String) {
    let toast = Toast(text)
    toastCount += 1
    accountPage?.makeRoomForToasts(true)
    toast.onDismiss { [weak self] in
      guard let self else { return }
      toastCount -= 1
      if toastCount == 0 { accountPage?.makeRoomForToasts(false) }
    }
    toastOverlay.show(toast)
  }

  private func show(_ page: Widget, title: String) {
    if page.parent == nil { stack.add(page, title: title) }
    stack.show(page)
  }

  private func showShortcuts() {
    let groups = Shortcut.Group.allCases.map { group in
      let rows = Shortcut.all.filter { $0.group == group }
      return (title: group.title, shortcuts: rows.map { (title: $0.title, keys: $0.keys) })
    }
    let shortcuts = ShortcutsWindow.make(groups)
    shortcuts.title = tr("Keyboard Shortcuts")
    shortcuts.setTransient(for: root)
    shortcuts.present()
  }

  private func restoreSize() {
    root.defaultSize = (
      settings.value(of: "window-width", default: 760),
      settings.value(of: "window-height", default: 640)
    )
    if settings.value(of: "window-maximized", default: false) { root.maximize() }
  }

  private func saveSize() {
    settings.set("window-width", to: root.defaultSize.width)
    settings.set("window-height", to: root.defaultSize.height)
    settings.set("window-maximized", to: root.isMaximized)
  }
}
