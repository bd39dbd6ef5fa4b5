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
  /// The actions of its menu and shortcuts.
  let actions = ActionGroup([])
  /// Switches to another account or connection.
  let switchButton: Switcher

  private let title: WindowTitle
  /// The switcher of the pages, or the title where there is no room for it.
  private let titles: Squeezer
  private let switcher: Widget
  private let switcherBar: Box
  private let connectionButton: ConnectionButton
  /// Says that personal details are hidden, and shows them.
  private let privacyButton: Button
  private let stack: Stack
  /// The notices and the pages below them.
  private let pageScroller: Widget
  private let noticeBox: Box
  private let pageStack: Stack
  /// The page on which the switcher was asked for, if another one has it.
  private var pageBelowSwitcher: String?
  /// Whether the pages are shown, and not why there are none.
  private var hasPages = false
  private let toastOverlay: ToastOverlay
  private let announcer: WindowAnnouncer
  let presenter = DialogPresenter()
  private var toastCount = 0
  /// The toast that offers to undo the last action; nil after that, or after another message.
  private var undoToast: Toast?
  private let settings: Settings
  private let preferences: Preferences
  /// Copies secrets.
  let secrets: SecretClipboard
  /// Tells what has ended while the window was not in front.
  let news: WorkNotification
  private let photos = PhotoDecoder()
  private var model: WindowModel?
  private var headingObserver: Observer?
  private var preferencesObserver: Observer?
  private var recordingObserver: Observer?
  private lazy var recordingBar = CassetteBar(tr("Stop Recording")) { [weak self] in
    self?.model?.recording.stop()
    self?.visiblePage?.focus()
  }
  private lazy var notices = NoticeList(box: noticeBox) { [weak self] in
    self?.visiblePage?.focus()
  }
  private lazy var accountPage = AccountPage(
    preferences: preferences, photos: photos, switcher: switchButton.widget,
    notices: notices, secrets: secrets, presenter: presenter
  ) { [weak self] in
    self?.showToast($0)
  } announce: { [weak self] in
    self?.announcer.announce($0)
  }
  /// The pages, in the order of the switcher.
  private lazy var pages = [
    LazyPage(AccountAction.pageName, title: tr("Account")) { [unowned self] in accountPage },
    LazyPage("explorer", title: tr("Explorer")) { [unowned self] in
      ExplorerPage(
        preferences: preferences, secrets: secrets, presenter: presenter
      ) { [weak self] in
        self?.showToast($0)
      } showUndo: { [weak self] in
        self?.showUndo($0, $1)
      } announce: { [weak self] in
        self?.announcer.announce($0)
      }
    },
    LazyPage("tokens", title: tr("Tokens")) { [unowned self] in
      TokensPage(secrets: secrets, presenter: presenter) { [weak self] in
        self?.showToast($0)
      }
    },
    LazyPage("activity", title: tr("Activity")) { [unowned self] in
      ActivityPage(preferences: preferences) { [weak self] in self?.showToast($0) }
    },
  ]
  private var noConnectionPage: NoConnectionPage?

  /// Creates the empty window, in its last size.
  init(
    application: Application, settings: Settings, preferences: Preferences,
    secrets: SecretClipboard, connections: ConnectionList
  ) {
    let builder = Builder(interface: "window")
    root = builder.object("window")
    title = builder.object("title")
    switcher = builder.object("switcher")
    titles = builder.object("titles")
    switcherBar = builder.object("switcher_bar")
    stack = builder.object("stack")
    pageScroller = builder.object("page_scroller")
    noticeBox = builder.object("notices")
    pageStack = builder.object("pages")
    toastOverlay = builder.object("toast_overlay")
    connectionButton = ConnectionButton(builder)
    privacyButton = builder.object("privacy_button")
    switchButton = Switcher(connections: connections, photos: photos)
    self.settings = settings
    announcer = WindowAnnouncer(window: root)
    self.preferences = preferences
    self.secrets = secrets
    news = WorkNotification(preferences, of: application, for: root)
    root.setApplication(application)
    root.makeWindowGroup()
    let recordingPlace: Box = builder.object("recording_place")
    recordingPlace.append(recordingBar.widget)
    restoreSize()
    root.onCloseRequest { [weak self] in
      guard let self else { return false }
      saveSize()
      guard let unsaved = self.unsaved else { return false }
      presenter.askToDiscard(unsaved, over: root) { [weak self] in self?.root.destroy() }
      return true
    }
    presenter.onForeground = { [weak self] in self?.news.look() }
    presenter.onLostFocus = { [weak self] window in
      if let self, window == root, model != nil { visiblePage?.focus() }
    }
    root.insert(actions, as: AccountAction.windowName)
    actions.add(
      PageCommand.allCases.map { command in
        Action(command.rawValue) { [weak self] in self?.perform(command) }
      })
    actions.add([
      Action("show-help-overlay") { [weak self] in self?.present { _ in ShortcutsDialog() } },
      hidePersonalDetails,
      Action("about") { [weak self] in
        guard let self else { return }
        About.present(over: root)
      },
      Action("programs") { [weak self] in
        guard let self else { return }
        present { [preferences] _ in ProgramsWindow(preferences) }
      },
      Action("show-page", parameter: String.self) { [weak self] in self?.showPage($0) },
      Action("next-page") { [weak self] in self?.showPage(after: 1) },
      Action("previous-page") { [weak self] in self?.showPage(after: -1) },
      Action("zoom", parameter: String.self) { [preferences] in
        Preferences.Zoom(rawValue: $0).map(preferences.zoomLog)
      },
      Action("switch") { [weak self] in self?.openSwitcher() },
    ])
    connectionButton.onClick { [weak self] in self?.openSwitcher() }
    switchButton.widget.onVisibilityChange { [weak self] in self?.drawTitle() }
    // Not before what was chosen is shown.
    switchButton.onClose { [weak self] in MainLoop.whenIdle { self?.leaveSwitcher() } }
    switchButton.select = { [weak self] in _ = self?.model?.accounts.select($0) }
    drawPrivacy()
    preferencesObserver = preferences.changes.add { [weak self] key in
      if key == .hidesPersonalDetails { self?.drawPrivacy() }
    }
    addPages()
  }

  private lazy var hidePersonalDetails = StatefulAction(
    "hide-personal-details", state: preferences.hidesPersonalDetails
  ) { [preferences] in preferences.hidesPersonalDetails = $0 }

  private func drawPrivacy() {
    hidePersonalDetails.state = preferences.hidesPersonalDetails
    hidePersonalDetails.isEnabled = !preferences.isLocked(.hidesPersonalDetails)
    let hadFocus = privacyButton.hasFocus
    privacyButton.isVisible = preferences.hidesPersonalDetails
    if hadFocus, !privacyButton.isVisible { visiblePage?.focus() }
  }

  private func addPages() {
    for place in pages { pageStack.add(place.widget, name: place.name, title: place.title) }
    // In a narrow window, and with large text, not all of the names have room.
    switcherBar.shortenLabels()
    // Its actions are the window's, too.
    pages[0].open(in: root, showing: nil)
    let last = settings.value(of: "page", default: pages[0].name)
    if pages.contains(where: { $0.name == last }) { pageStack.show(name: last) }
    openVisiblePage()
    pageStack.onChange { [weak self] in self?.openVisiblePage() }
    // It changes while the window gives its widgets their places; another may get one only after that.
    titles.onChange { [weak self] in MainLoop.whenIdle { self?.drawSwitcher() } }
    root.onResize { [weak self] in self?.drawTitle() }
    drawTitle()
    drawSwitcher()
  }

  private func showPage(_ name: String) {
    guard hasPages, let place = pages.first(where: { $0.name == name }) else { return }
    pageStack.show(name: name)
    place.page?.focus()
  }

  private func openSwitcher() {
    guard hasPages, switchButton.widget.isVisible else { return }
    let page = pageStack.visibleName
    showPage(AccountAction.pageName)
    switchButton.widget.popUp()
    if page != AccountAction.pageName { pageBelowSwitcher = page }
  }

  /// Goes back to the page on which the switcher was asked for, unless another one was chosen
  /// meanwhile.
  private func leaveSwitcher() {
    guard let page = pageBelowSwitcher else { return }
    pageBelowSwitcher = nil
    if pageStack.visibleName == AccountAction.pageName { showPage(page) }
  }

  /// Comes to the foreground, with the page of what a notification tells.
  func showEndedWork() {
    // Nothing is told any more once the window is in front.
    if news.told?.isOfExplorer == true { showPage("explorer") }
    root.present()
  }

  /// Shows the page that is `steps` after the visible one; the first follows the last.
  private func showPage(after steps: Int) {
    guard let index = pages.firstIndex(where: { $0.name == pageStack.visibleName }) else { return }
    showPage(pages[(index + steps + pages.count) % pages.count].name)
  }

  /// Does what `command` means on the visible page, or else for the account.
  private func perform(_ command: PageCommand) {
    guard visiblePage?.perform(command) != true else { return }
    if command == .goTo { showPage(AccountAction.pageName) }
    root.activate(action: command.fallback.description)
  }

  private var visiblePage: (any Page)? {
    pages.first { $0.name == pageStack.visibleName }?.page
  }

  private func openVisiblePage() {
    notices.hasMnemonics = pageStack.visibleName == AccountAction.pageName
    pages.first { $0.name == pageStack.visibleName }?.open(in: root, showing: model)
  }

  /// What would be lost with the page that has something unsaved.
  private var unsavedOfPages: UnsavedChanges? { pages.compactMap { $0.page?.unsaved }.first }

  /// What would be lost with the window.
  private var unsaved: UnsavedChanges? {
    guard presenter.hasChanges else { return unsavedOfPages }
    let texts = [UnsavedChanges.form.text, unsavedOfPages?.text]
    return UnsavedChanges(text: texts.compactMap(\.self).joined(separator: " "))
  }

  /// Calls `leave`, which goes to another connection; asks first if that would lose something of a page.
  func askBeforeLeaving(_ leave: @escaping @MainActor () -> Void) {
    guard let unsavedOfPages else { return leave() }
    presenter.askToDiscard(unsavedOfPages, over: root, leave)
  }

  /// Shows a window over this one, which may show others over itself.
  func present(
    _ make: (DialogPresenter) -> any Presentable, whenClosed: @escaping @MainActor () -> Void = {}
  ) {
    presenter.present(make(presenter), over: root, whenClosed: whenClosed)
  }

  /// Shows the account and connection in the header; nil while there are no pages.
  func show(_ heading: WindowHeading?) {
    root.title = [heading?.title, "Entrance"].compactMap(\.self).joined(separator: " – ")
    title.setSubtitle(heading?.connection ?? "")
    connectionButton.show(heading?.connection ?? "")
    switchButton.show(heading)
    drawTitle()
  }

  /// The width above which there is room for the connection beside the switcher, in pixels.
  private static let wide = 760
  /// The width above which the window has room for a wide popover, in pixels.
  private static let roomy = 540

  /// Shows the name of the connection beside the switcher of the pages, which replaces the title, and
  /// gives the popover of the other switcher its width.
  ///
  /// It depends on the window alone: were it to depend on the switcher, each would make the other
  /// come and go.
  private func drawTitle() {
    let width = root.isMaximized ? Int.max : root.defaultSize.width
    connectionButton.show(
      hasRoom: hasPages && width >= Self.wide, canSwitch: switchButton.widget.isVisible)
    switchButton.setWide(width >= Self.roomy)
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
    // It would undo what the pages show no more.
    undoToast?.dismiss()
    undoToast = nil
    self.model = model
    headingObserver = model?.headings.add { [weak self] in self?.show($0) }
    recordingObserver = model?.recording.changes.add { [weak self] in self?.drawRecording() }
    drawRecording()
    news.follow(model)
    if let model { show(model.heading) }
    for place in pages { place.page?.bind(to: model) }
    setHasPages(true)
    stack.show(pageScroller)
    // Until now, only the menu could take the focus.
    if model != nil { visiblePage?.focus() }
  }

  private func drawRecording() {
    let text = model?.recording.text
    if recordingBar.show(text), let text { announcer.announce(text) }
  }

  /// Shows `page` instead of the account page.
  func show(_ page: NoConnectionPage) {
    setHasPages(false)
    model = nil
    headingObserver = nil
    recordingObserver = nil
    drawRecording()
    news.follow(nil)
    show(nil)
    stack.add(page.widget, title: tr("App"))
    stack.show(page.widget)
    page.focus()
    if !ScreenReader.readsGroups { announcer.announce(page.text) }
    if let noConnectionPage { stack.remove(noConnectionPage.widget) }
    noConnectionPage = page
  }

  /// Asks whether to sign all accounts out, also those of other connections.
  func askToSignOut(of others: [PublicClientApplication]) { accountPage.askToSignOut(of: others) }

  /// Shows a short message.
  func showToast(_ text: String) { show(Toast(model?.shown(text) ?? text)) }

  /// Shows a message about an action, and offers to undo it until the next message.
  private func showUndo(_ text: String, _ undo: @escaping @MainActor () -> Void) {
    let toast = Toast(model?.shown(text) ?? text) { [weak self] in
      self?.undoToast = nil
      undo()
    }
    show(toast)
    undoToast = toast
  }

  private func show(_ toast: Toast) {
    // What is said next would have to wait for it.
    undoToast?.dismiss()
    undoToast = nil
    toastCount += 1
    accountPage.makeRoomForToasts(true)
    toast.onDismiss { [weak self] in
      guard let self else { return }
      toastCount -= 1
      if toastCount == 0 { accountPage.makeRoomForToasts(false) }
    }
    toastOverlay.show(toast)
  }

  private func restoreSize() {
    root.defaultSize = (
      settings.value(of: "window-width", default: 860),
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
