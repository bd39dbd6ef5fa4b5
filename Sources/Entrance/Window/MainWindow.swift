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
  /// The switcher of the pages, or the title where there is no room for it.
  private let titles: Squeezer
  private let switcher: Widget
  private let switcherBar: Box
  private let connectionLabel: Label
  private let stack: Stack
  private let pageStack: Stack
  /// Whether the pages are shown, and not why there are none.
  private var hasPages = false
  private let toastOverlay: ToastOverlay
  private let announcer: Announcer
  private let presenter = Presenter()
  private var toastCount = 0
  private let settings: Settings
  private let preferences: Preferences
  private lazy var accountPage = AccountPage(
    preferences: preferences, presenter: presenter
  ) { [weak self] in
    self?.showToast($0)
  } announce: { [weak self] in
    self?.announcer.announce($0)
  }
  private lazy var activityPage = ActivityPage(preferences: preferences) { [weak self] in
    self?.showToast($0)
  }
  /// The pages, in the order of the switcher.
  private lazy var pages: [any Page] = [accountPage, activityPage]
  private var connectionPage: ConnectionPage?

  /// Creates the empty window, in its last size.
  init(
    application: Application, settings: Settings, preferences: Preferences
  ) {
    let builder = Builder(interface: "window")
    root = builder.object("window")
    title = builder.object("title")
    switcher = builder.object("switcher")
    titles = builder.object("titles")
    connectionLabel = builder.object("connection_label")
    switcherBar = builder.object("switcher_bar")
    stack = builder.object("stack")
    pageStack = builder.object("pages")
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
      Action("show-page", parameter: String.self) { [weak self] in self?.showPage($0) },
    ])
    addPages()
  }

  private func addPages() {
    for page in pages {
      pageStack.add(page.widget, name: page.name, title: page.title)
      root.insert(page.actions, as: page.name)
    }
    let last = settings.value(of: "page", default: accountPage.name)
    if pages.contains(where: { $0.name == last }) { pageStack.show(name: last) }
    // It changes while the window gives its widgets their places; another may get one only after that.
    titles.onChange { [weak self] in MainLoop.whenIdle { self?.drawSwitcher() } }
    root.onResize { [weak self] in self?.drawTitle() }
    drawTitle()
    drawSwitcher()
  }

  private func showPage(_ name: String) {
    guard hasPages, let page = pages.first(where: { $0.name == name }) else { return }
    pageStack.show(name: name)
    page.focus()
  }

  /// Shows a window over this one, which may show others over itself.
  func present(_ make: (Presenter) -> any Presentable) {
    presenter.present(make(presenter), over: root)
  }

  /// Says which connection, tenant and cloud the window works with; nil for none.
  func setConnection(_ place: String?) {
    title.setSubtitle(place ?? "")
    connectionLabel.text = place ?? ""
    connectionLabel.tooltip = place
    drawTitle()
  }

  /// The width above which there is room for the connection beside the switcher, in pixels.
  private static let wide = 640

  /// Says which connection it is beside the switcher, which takes the title's place.
  ///
  /// It depends on the window alone: were it to depend on the switcher, each would make the other
  /// come and go.
  private func drawTitle() {
    let isWide = root.isMaximized || root.defaultSize.width >= Self.wide
    connectionLabel.isVisible = hasPages && isWide && !connectionLabel.text.isEmpty
  }

  private func drawSwitcher() {
    let isInTitle = titles.visibleChild == switcher
    switcher.setAccessibleHidden(!isInTitle)
    switcherBar.isVisible = hasPages && !isInTitle
  }

  private func setHasPages(_ hasPages: Bool) {
    self.hasPages = hasPages
    titles.set(switcher, isEnabled: hasPages)
    drawTitle()
    drawSwitcher()
  }

  /// Shows the pages of `model`, or insensitive pages while there is none.
  func showPages(of model: WindowModel?) {
    for page in pages { page.bind(to: model) }
    setHasPages(true)
    stack.show(pageStack)
  }

  /// Shows `page` instead of the account page.
  func show(_ page: ConnectionPage) {
    setHasPages(false)
    stack.add(page.widget, title: tr("Connection"))
    stack.show(page.widget)
    page.focus()
    if !ScreenReader.readsGroups { announcer.announce(page.text) }
    if let connectionPage { stack.remove(connectionPage.widget) }
    connectionPage = page
  }

  /// Asks whether to sign all accounts out, also those of other connections.
  func askToSignOut(of others: [PublicClientApplication]) { accountPage.askToSignOut(of: others) }

  private func showToast(_ text: String) {
    let toast = Toast(text)
    toastCount += 1
    accountPage.makeRoomForToasts(true)
    toast.onDismiss { [weak self] in
      guard let self else { return }
      toastCount -= 1
      if toastCount == 0 { accountPage.makeRoomForToasts(false) }
    }
    toastOverlay.show(toast)
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
    settings.set("page", to: pageStack.visibleName)
  }
}
