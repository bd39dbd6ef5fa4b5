import CGtk
import EntranceKit
import Gtk

/// The account, what can be done with it, and the log: draws what an ``AccountModel`` says.
@MainActor
final class AccountPage {
  /// The page.
  let widget: Object
  /// What the page's buttons and the menu do, as actions of the window.
  private(set) var actions: [Action] = []

  private let avatar: Object
  private let accountLabel: Object
  private let subtitleLabel: Object
  private let logTitle: Object
  private let activityBox: Object
  private let activityLabel: Object
  private let spinner: Object
  private let buttons: [Object]
  private let notices: NoticeList
  private let log: LogView
  private let showToast: @MainActor (String) -> Void

  private var model: AccountModel?
  private var state = AccountState()
  private var passphraseDialog: PassphraseDialog?
  /// The button that had the keyboard focus when it became insensitive.
  private var buttonToFocus: Object?

  /// Creates the page; until it is bound to a model, nothing can be clicked.
  init(showToast: @escaping @MainActor (String) -> Void) throws(GLibError) {
    let builder = try Builder(resource: Window.resourcePath + "ui/account-page.ui")
    widget = builder.object("page")
    avatar = builder.object("avatar")
    accountLabel = builder.object("account_label")
    subtitleLabel = builder.object("subtitle_label")
    logTitle = builder.object("log_title")
    activityBox = builder.object("activity_box")
    activityLabel = builder.object("activity_label")
    spinner = builder.object("spinner")
    buttons = ["call_graph_button", "sign_out_button", "device_information_button"]
      .map(builder.object)
    notices = NoticeList(box: builder.object("notices"))
    log = LogView(builder: builder)
    self.showToast = showToast
    ButtonRowLayout.install(on: builder.object("button_row").widget)
    actions = [
      callGraph, signOut, getDeviceInformation, cancel, copyLog, clearLog, showFullTokens,
      enterPassphrase, readAgain,
    ]
    draw()
  }

  /// Draws `model` from now on, and hands on to it what the person does.
  func bind(to model: AccountModel) {
    self.model = model
    model.onChange = { [weak self] in self?.show($0) }
    model.onLog = { [weak self] in self?.append($0) }
    model.onLogReset = { [weak self] in self?.reset($0) }
    show(model.state)
    // Until now there was nothing to focus but the menu.
    if let first = buttons.first { gtk_widget_grab_focus(first.widget) }
  }

  // MARK: Actions

  private lazy var callGraph = Action("call-graph") { [weak self] in self?.model?.callGraph() }
  private lazy var signOut = Action("sign-out") { [weak self] in self?.model?.signOut() }
  private lazy var getDeviceInformation = Action("get-device-information") { [weak self] in
    self?.model?.getDeviceInformation()
  }
  private lazy var cancel = Action("cancel") { [weak self] in self?.model?.cancel() }
  private lazy var clearLog = Action("clear-log") { [weak self] in
    self?.model?.clearLog()
    // Its button becomes insensitive, and would leave the keyboard without a place.
    self?.log.focus()
  }
  private lazy var readAgain = Action("read-again") { [weak self] in self?.model?.readAgain() }
  private lazy var showFullTokens = Action(toggle: "show-full-tokens", isOn: false) {
    [weak self] in self?.model?.setShowsFullTokens($0)
  }
  private lazy var enterPassphrase = Action("enter-passphrase") { [weak self] in
    Task { await self?.showPassphraseDialog() }
  }
  private lazy var copyLog = Action("copy-log") { [weak self] in
    guard let self else { return }
    widget.copyToClipboard(log.text, isSecret: state.showsFullTokens)
    showToast(tr("Log copied"))
  }

  private func showPassphraseDialog() async {
    guard let passphrase = await model?.makePassphraseModel(),
      let window = gtk_widget_get_root(widget.widget)
    else { return }
    do throws(GLibError) {
      let dialog = try PassphraseDialog(passphrase)
      passphraseDialog = dialog
      dialog.present(over: Object(borrowing: window)) { [weak self] in
        self?.passphraseDialog = nil
      }
    } catch {
      printError("\(error)")
    }
  }

  // MARK: Drawing

  private func show(_ newState: AccountState) {
    let old = state
    state = newState
    if old.activity == nil, state.activity != nil { moveFocusToLog() }
    if old.activity != nil, state.activity == nil { moveFocusFromCancel() }
    draw()
    if old.activity != nil, state.activity == nil { moveFocusBack() }
  }

  private func append(_ entry: LogEntry) {
    log.append(entry)
    drawLogActions()
  }

  private func reset(_ entries: [LogEntry]) {
    log.show(entries)
    drawLogActions()
  }

  private func draw() {
    drawAccount()
    drawActivity()
    drawLogActions()
    let noticesHadFocus = notices.hasFocus
    notices.show(state.notices)
    callGraph.isEnabled = model != nil && state.canStart
    getDeviceInformation.isEnabled = model != nil && state.canStart
    signOut.isEnabled = model != nil && state.canSignOut
    cancel.isEnabled = state.activity != nil
    showFullTokens.isEnabled = model != nil
    showFullTokens.isOn = state.showsFullTokens
    if noticesHadFocus, !notices.hasFocus { focusFirstButton() }
  }

  private func drawAccount() {
    let name = state.accountText
    gtk_label_set_text(accountLabel.opaque, name)
    // GTK makes a label's new text its accessible name, too.
    entrance_set_accessible_label(accountLabel.raw, tr("Account"))
    gtk_widget_set_tooltip_text(accountLabel.widget, state.username)
    entrance_set_accessible_description(accountLabel.raw, name)
    gtk_label_set_text(subtitleLabel.opaque, state.subtitle)
    gtk_widget_set_visible(subtitleLabel.widget, state.subtitle.isEmpty ? 0 : 1)
    // Without a text the avatar has another colour each time.
    adw_avatar_set_text(avatar.opaque, state.displayName ?? name)
    if state.username == nil {
      adw_avatar_set_show_initials(avatar.opaque, 0)
      gtk_widget_add_css_class(avatar.widget, "signed-out")
    } else {
      adw_avatar_set_show_initials(avatar.opaque, 1)
      gtk_widget_remove_css_class(avatar.widget, "signed-out")
    }
  }

  private func drawActivity() {
    let text =
      switch state.activity {
      case .signingIn: tr("Signing in…")
      case .callingGraph: tr("Calling Microsoft Graph…")
      case .signingOut: tr("Signing out…")
      case .gettingDeviceInformation: tr("Getting device info…")
      case nil: ""
      }
    let isBusy = state.activity != nil
    gtk_label_set_text(activityLabel.opaque, text)
    gtk_widget_set_visible(activityBox.widget, isBusy ? 1 : 0)
    gtk_widget_set_visible(logTitle.widget, isBusy ? 0 : 1)
    gtk_spinner_set_spinning(spinner.opaque, isBusy ? 1 : 0)
  }

  private func drawLogActions() {
    copyLog.isEnabled = !log.isEmpty
    clearLog.isEnabled = !log.isEmpty
  }

  // MARK: Keyboard focus

  // A button that becomes insensitive would lose the focus to whatever comes next. It waits in the
  // log instead, where there is something to read, and goes back when the work is done.

  private func moveFocusToLog() {
    buttonToFocus = buttons.first { gtk_widget_is_focus($0.widget) != 0 }
    if buttonToFocus != nil { log.focus() }
  }

  /// *Cancel* is about to go.
  private func moveFocusFromCancel() {
    guard gtk_widget_get_focus_child(activityBox.widget) != nil else { return }
    buttonToFocus = buttonToFocus ?? buttons.first
    log.focus()
  }

  private func moveFocusBack() {
    guard let button = buttonToFocus else { return }
    buttonToFocus = nil
    guard log.hasFocus else { return }
    if gtk_widget_grab_focus(button.widget) == 0 { focusFirstButton() }
  }

  private func focusFirstButton() {
    if !buttons.contains(where: { gtk_widget_grab_focus($0.widget) != 0 }) { log.focus() }
  }
}
