import EntranceKit
import Gtk

/// The main window: shows the account page, or why there is none.
@MainActor
final class MainWindow {
  /// The window itself.
  let root: ApplicationWindow

  private let title: WindowTitle
  private let stack: Stack
  private let toastOverlay: ToastOverlay
  private let settings: Settings
  private let preferences: Preferences
  private var accountPage: AccountPage?
  private var connectionPage: ConnectionPage?

  /// Creates the empty window, in its last size.
  init(
    application: Application, settings: Settings, preferences: Preferences
  ) throws(GLibError) {
    let builder = try Builder(interface: "window")
    root = builder.object("window")
    title = builder.object("title")
    stack = builder.object("stack")
    toastOverlay = builder.object("toast_overlay")
    self.settings = settings
    self.preferences = preferences
    root.join(application)
    root.standAlone()
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

  /// Says which connection the window works with; nil for none.
  func setConnection(_ name: String?) { title.setSubtitle(name ?? "") }

  /// Shows the account page of `model`, or an insensitive page while there is none.
  func showAccount(of model: AccountModel?) throws(GLibError) {
    let page: AccountPage
    if let accountPage { page = accountPage } else { page = try makeAccountPage() }
    page.bind(to: model)
    show(page.widget)
  }

  /// Shows `page` instead of the account page.
  func show(_ page: ConnectionPage) {
    show(page.widget)
    page.focus()
    if let connectionPage { stack.remove(connectionPage.widget) }
    connectionPage = page
  }

  private func makeAccountPage() throws(GLibError) -> AccountPage {
    let page = try AccountPage(preferences: preferences) { [weak self] in
      self?.toastOverlay.show(Toast($0))
    }
    root.insert(page.actions, as: "account")
    accountPage = page
    return page
  }

  private func show(_ page: Widget) {
    if page.parent == nil { stack.add(page) }
    stack.show(page)
  }

  private func showShortcuts() {
    guard let builder = try? Builder(interface: "shortcuts-window") else { return }
    let shortcuts: Window = builder.object("shortcuts_window")
    shortcuts.belong(to: root)
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
