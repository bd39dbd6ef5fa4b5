import AuthCore
import EntranceKit
import Gtk
import Localization
import Sentences

/// The account page: shows the state of an ``AccountModel``.
@MainActor
final class AccountPage: Page {
  let widget: Widget
  let actions = ActionGroup([])

  private let avatar: Avatar
  private let accountLabel: Label
  private let subtitleLabel: Label
  private let logTitle: Label
  private let outcomeLabel: Label
  private let activityBox: Box
  private let activityLabel: Label
  private let buttons: [Button]
  private let scroller: ScrolledWindow
  private let callGraphButton: Button
  private let signInButton: Button
  private let signInLabel: Label
  private let waysRow: Box
  private let useBrowserButton: Button
  private let useCodeButton: Button
  private let notices: NoticeList
  private let photos: PhotoDecoder
  private let log: LongTextView
  private let secrets: SecretClipboard
  private let showToast: @MainActor (String) -> Void
  private let announce: @MainActor (String) -> Void

  private var model: AccountModel?
  private var observers: [Observer?] = []
  private var state = AccountState()
  private let presenter: DialogPresenter
  private let signInDialogs: SignInDialogs
  private var performers: [(action: AccountAction, performer: Action)] = []
  private var longActivity: Task<Void, any Error>?
  /// The toast since the last outcome.
  private var lastToast: String?
  /// The button that had the keyboard focus when it became insensitive.
  private var buttonToFocus: Button?

  /// Creates the page; its buttons are insensitive until it is bound to a model.
  ///
  /// - Parameters:
  ///   - preferences: the user's preferences.
  ///   - photos: decodes profile photos.
  ///   - switcher: is shown beside the account's name.
  ///   - notices: shows the notices of all pages.
  ///   - secrets: copies the log with tokens, and the links of sign-ins.
  ///   - presenter: shows its dialogs.
  ///   - showToast: shows a short message.
  ///   - announce: has a screen reader say a text.
  init(
    preferences: Preferences, photos: PhotoDecoder, switcher: Widget, notices: NoticeList,
    secrets: SecretClipboard, presenter: DialogPresenter,
    showToast: @escaping @MainActor (String) -> Void,
    announce: @escaping @MainActor (String) -> Void
  ) {
    let builder = Builder(interface: "account-page")
    widget = builder.object("page")
    avatar = builder.object("avatar")
    accountLabel = builder.object("account_label")
    subtitleLabel = builder.object("subtitle_label")
    logTitle = builder.object("log_title")
    outcomeLabel = builder.object("outcome_label")
    activityBox = builder.object("activity_box")
    activityLabel = builder.object("activity_label")
    buttons = [
      "call_graph_button", "sign_out_button", "device_information_button", "sign_in_button",
      "use_browser_button", "use_code_button",
    ].map(builder.object)
    scroller = builder.object("scroller")
    callGraphButton = builder.object("call_graph_button")
    signInButton = builder.object("sign_in_button")
    signInLabel = builder.object("sign_in_label")
    waysRow = builder.object("ways_row")
    useBrowserButton = builder.object("use_browser_button")
    useCodeButton = builder.object("use_code_button")
    waysRow.layOutAsButtonRow()
    log = LongTextView(preferences: preferences, label: tr("Log"))
    let logBox: Box = builder.object("log_box")
    logBox.append(log.widget)
    self.secrets = secrets
    self.notices = notices
    self.photos = photos
    self.presenter = presenter
    signInDialogs = SignInDialogs(presenter, secrets)
    self.showToast = showToast
    self.announce = announce
    let buttonRow: Box = builder.object("button_row")
    buttonRow.layOutAsButtonRow()
    let accountBox: Box = builder.object("account_box")
    accountBox.append(switcher)
    let columns: Box = builder.object("columns")
    columns.layOutAsColumns()
    performers = AccountAction.all.map { ($0, performer(of: $0)) }
    actions.add(performers.map(\.performer) + [showFullTokens])
    draw()
  }

  /// Shows `window` from now on, and passes actions to it; without one, the buttons are
  /// insensitive.
  func bind(to window: WindowModel?) {
    self.model?.close()
    let model = window.map { AccountModel($0) }
    self.model = model
    signInDialogs.close()
    presenter.closeAll()
    log.follow(model?.log)
    observers = [
      model?.changes.add { [weak self] in self?.show($0) },
      model?.requests.add { [weak self] in self?.answer($0) },
      window?.status.toasts.add { [weak self, weak window] in
        let text = window?.shown($0) ?? $0
        self?.lastToast = text
        self?.showToast(text)
      },
    ]
    show(model?.state ?? AccountState())
  }

  // MARK: Actions

  private func performer(of action: AccountAction) -> Action {
    if action.hasTarget {
      return Action(action.name, parameter: String.self) { [weak self] in
        self?.perform(action, $0)
      }
    }
    return Action(action.name) { [weak self] in self?.perform(action) }
  }

  private func perform(_ action: AccountAction, _ target: String = "") {
    guard let model else { return }
    action.perform(model, target)
    // The button becomes insensitive, so move the focus from it.
    if action == .clearLog { log.focus() }
  }

  private lazy var showFullTokens = StatefulAction("show-full-tokens", state: false) {
    [weak self] in self?.model?.log.setShowsFullTokens($0)
  }
  /// Asks whether to sign all accounts out, also those of other connections.
  func askToSignOut(of others: [PublicClientApplication]) { model?.signOut.askForAll(others) }

  private func answer(_ request: AccountRequest) {
    switch request {
    case .accounts: showAccounts()
    case .passphrase(let passphrase): present(PassphraseDialog(passphrase))
    case .signOut(let question, let signOut): present(SignOutDialog(question, signOut: signOut))
    case .copy(let text):
      widget.copyToClipboard(text, isSecret: false)
      showToast(tr("Copied"))
    case .log: log.focus()
    case .copyLog: copyTheLog()
    case .page(let address): widget.window?.open(page: address)
    case .dateSettings: DateSettings.open(from: widget)
    }
  }

  private func present(_ dialog: any Presentable) {
    presenter.present(dialog, over: widget.window)
  }

  private func copyTheLog() {
    guard state.showsFullTokens else {
      widget.copyToClipboard(log.text, isSecret: false)
      return showToast(tr("Log copied"))
    }
    showToast(secrets.copy(log.text, from: widget, saying: tr("Log copied")))
  }

  /// Has a screen reader say what is going on, if it takes long.
  private func announceLongActivity() {
    longActivity?.cancel()
    longActivity = Task { [weak self] in
      try await Task.sleep(for: .seconds(2))
      // The sign-in window speaks for itself.
      guard let self, state.work != nil, state.work != .signingIn else { return }
      announce(activityLabel.text)
    }
  }

  func focus() { focusFirstButton() }

  /// Leaves room for toasts below the log's last line.
  func makeRoomForToasts(_ makes: Bool) { log.makeRoomForToasts(makes) }

  private func showAccounts() {
    guard let model else { return }
    present(
      AccountsWindow(model, photos: photos, presenter: presenter) { [weak self] in
        self?.present(OrganizationDialog($0))
      })
  }

  // MARK: Drawing

  private func show(_ newState: AccountState) {
    let old = state
    state = newState
    if old.work == nil, state.work != nil { moveFocusToLog() }
    if old.work != nil, state.work == nil { moveFocusFromCancel() }
    draw()
    if !old.offersWays, state.offersWays { moveFocusToSignIn() }
    if old.work != nil, state.work == nil { moveFocusBack() }
    announceChanges(since: old)
  }

  /// Has a screen reader say what is new; what is on the screen, it says only on request.
  private func announceChanges(since old: AccountState) {
    for notice in state.notices {
      if let text = notice.spoken(after: old.notices) { announce(text) }
    }
    if old.work == nil, state.work != nil { announceLongActivity() }
    // Not before the focus has moved back, which would interrupt it.
    if state.work == nil, let outcome = state.outcome,
      old.work != nil || old.outcome != outcome
    {
      // A toast is said when it is shown.
      if outcome != lastToast { announce(outcome) }
      lastToast = nil
    }
  }

  private func draw() {
    drawAccount()
    drawActivity()
    for (action, performer) in performers {
      performer.isEnabled = model != nil && action.isPossible(state)
    }
    let ways = model?.ways ?? []
    waysRow.isVisible = state.offersWays
    let signIn = state.needsSignIn ? tr("Sign In Again") : tr("Sign In")
    signInLabel.text = signIn
    signInButton.setAccessibleLabel(signIn)
    // Then *Sign In* is the suggested action.
    callGraphButton.set(styleClass: "suggested-action", to: !state.offersWays)
    // If there is one way only, *Sign In* takes it.
    useBrowserButton.isVisible = ways.count > 1
    useCodeButton.isVisible = ways.contains(.code)
    signInDialogs.show(state.signIn, of: model, over: widget.window)
    showFullTokens.isEnabled = model != nil && state.canShowFullTokens
    showFullTokens.state = state.showsFullTokens
    // The keyboard focus may move to a button, which must be sensitive by now.
    notices.show(state.notices)
  }

  private func drawAccount() {
    let name = state.accountText
    accountLabel.setUserName(name)
    // GTK also makes a label's new text its accessible name.
    accountLabel.setAccessibleLabel(tr("Account"))
    accountLabel.setAccessibleDescription(name)
    accountLabel.tooltip = state.username
    subtitleLabel.setAlignedText(state.subtitle)
    subtitleLabel.isVisible = !state.subtitle.isEmpty
    avatar.setName(state.displayName ?? name)
    avatar.showInitials(state.username != nil)
    photos.show(state.picture, in: avatar)
    avatar.set(styleClass: "signed-out", to: state.username == nil)
  }

  private func drawActivity() {
    let text =
      switch state.work {
      case .signingIn where state.signIn == .broker: tr("Waiting for the identity broker…")
      case .signingIn: tr("Signing in…")
      case .callingGraph: tr("Calling Microsoft Graph…")
      case .preparingResponse: tr("Preparing the response…")
      case .signingOut: tr("Signing out…")
      case .gettingDeviceInformation: tr("Getting device info…")
      case .clearingData: tr("Clearing data…")
      case .movingAccounts: tr("Moving accounts…")
      case .renewingTokens: tr("Renewing tokens…")
      case .creatingApp: tr("Creating the app…")
      case nil: ""
      }
    let isBusy = state.work != nil
    activityLabel.text = text
    activityBox.isVisible = isBusy
    logTitle.isVisible = !isBusy
    // What the heading says is not repeated.
    let outcome = state.outcome == state.accountText ? nil : state.outcome
    outcomeLabel.text = outcome ?? ""
    outcomeLabel.tooltip = outcome
    outcomeLabel.isVisible = !isBusy
  }

  // MARK: Keyboard focus

  // GTK would move the focus from a button that becomes insensitive to the next widget. Move it to
  // the log, which the user wants to read, and back when the work is done.

  private func moveFocusToLog() {
    buttonToFocus = buttons.first(where: \.hasFocus)
    if buttonToFocus != nil { log.focus() }
  }

  /// Moves the focus from *Cancel* before it is hidden.
  private func moveFocusFromCancel() {
    guard activityBox.containsFocus else { return }
    buttonToFocus = buttonToFocus ?? suggestedFirst.first
    log.focus()
  }

  private func moveFocusBack() {
    guard let button = buttonToFocus else { return }
    buttonToFocus = nil
    guard log.hasFocus else { return }
    // The ways to sign in are hidden by now if somebody has signed in.
    if !button.isMapped || !button.grabFocus() { focusFirstButton() }
  }

  /// Moves the focus from *Call Microsoft Graph API*, which was the suggested action: somebody was
  /// signed in, or the accounts were not loaded yet.
  private func moveFocusToSignIn() {
    if buttonToFocus == callGraphButton { buttonToFocus = signInButton }
    guard callGraphButton.hasFocus else { return }
    focusFirstButton()
    // In a low window, the page may have been scrolled to the other button.
    scroller.verticalAdjustment.value = 0
  }

  private func focusFirstButton() {
    if !suggestedFirst.contains(where: { $0.grabFocus() }) { log.focus() }
  }

  /// The buttons, and before them *Sign In* while it is the suggested action.
  private var suggestedFirst: [Button] { state.offersWays ? [signInButton] + buttons : buttons }
}
