import CGtk
import EntranceKit
import Gtk

/// The main window: shows the account page, or why there is none.
@MainActor
final class Window {
  /// Where the interface files are in the program's resources.
  static let resourcePath = "/io/github/entrance/Entrance/"

  /// The window itself.
  let object: Object

  private let stack: Object
  private let toastOverlay: Object
  private let settings: Settings
  private var accountPage: AccountPage?
  private var statusPage: StatusPage?

  /// Creates the window with nothing in it yet, as large as it was the last time.
  init(application: Object, settings: Settings) throws(GLibError) {
    let builder = try Builder(resource: Self.resourcePath + "ui/window.ui")
    object = builder.object("window")
    stack = builder.object("stack")
    toastOverlay = builder.object("toast_overlay")
    self.settings = settings
    gtk_window_set_application(object.ptr(), application.ptr())
    restoreSize()
    object.connectReturningBool("close-request") { [weak self] _ in
      self?.saveSize()
      return false
    }
    object.add([
      Action("show-help-overlay") { [weak self] in self?.showShortcuts() },
      Action("about") { [weak self] in
        guard let self else { return }
        AboutWindow.present(over: object)
      },
    ])
  }

  /// Brings the window to the foreground.
  func present() {
    gtk_window_present(object.ptr())
  }

  /// Runs `body` once the window is on the screen, and so not at the cost of its appearing.
  func afterFirstFrame(_ body: @escaping @MainActor () -> Void) {
    guard let clock = gtk_widget_get_frame_clock(object.widget) else { return }
    let frameClock = Object(borrowing: clock)
    var handler: SignalHandler?
    handler = frameClock.connect("after-paint") {
      guard let connected = handler else { return }
      handler = nil
      frameClock.disconnect(connected)
      body()
    }
  }

  /// Runs `body` whenever the window comes to the foreground.
  func onForeground(_ body: @escaping @MainActor () -> Void) {
    object.connect("notify::is-active") { [weak self] in
      guard let self, gtk_window_is_active(object.ptr()) != 0 else { return }
      body()
    }
  }

  /// Shows the account page: of `model`, or with nothing to click until there is one.
  func showAccount(of model: AccountModel?) throws(GLibError) {
    let page: AccountPage
    if let accountPage { page = accountPage } else { page = try makeAccountPage() }
    if let model { page.bind(to: model) }
    show(page.widget)
  }

  /// Shows `page` in place of the account page.
  func show(_ page: StatusPage) {
    show(page.widget)
    page.focus()
    if let statusPage { gtk_stack_remove(stack.opaque, statusPage.widget.widget) }
    statusPage = page
  }

  private func makeAccountPage() throws(GLibError) -> AccountPage {
    let page = try AccountPage { [weak self] text in
      guard let self else { return }
      adw_toast_overlay_add_toast(toastOverlay.opaque, adw_toast_new(text))
    }
    object.add(page.actions)
    accountPage = page
    return page
  }

  private func show(_ page: Object) {
    if gtk_widget_get_parent(page.widget) == nil {
      gtk_stack_add_child(stack.opaque, page.widget)
    }
    gtk_stack_set_visible_child(stack.opaque, page.widget)
  }

  private func showShortcuts() {
    guard let builder = try? Builder(resource: Self.resourcePath + "ui/shortcuts-window.ui") else {
      return
    }
    let shortcuts = builder.object("shortcuts_window")
    shortcuts.belong(to: object)
    gtk_window_present(shortcuts.ptr())
  }

  private func restoreSize() {
    gtk_window_set_default_size(
      object.ptr(), Int32(settings.int("window-width", default: 760)),
      Int32(settings.int("window-height", default: 640)))
    if settings.bool("window-maximized", default: false) { gtk_window_maximize(object.ptr()) }
  }

  private func saveSize() {
    settings.set("window-width", to: object.int("default-width"))
    settings.set("window-height", to: object.int("default-height"))
    settings.set("window-maximized", to: object.bool("maximized"))
  }
}
