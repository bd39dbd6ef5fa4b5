import AuthCore
import EntranceKit
import FoundationEssentials
import Gtk
import Localization

/// The Tokens page: what a ``TokensModel`` knows of the selected account's tokens.
@MainActor
final class TokensPage: Page {
  let widget: Widget
  let actions = ActionGroup([])

  private let contents: Stack
  private let emptyPage: StatusPage
  private let signInButton: Button
  private let accountLabel: Label
  private let cardsBox: Box
  private let refreshLabel: Label
  private let activityBox: Box
  private let renewButton: Button
  private let secrets: SecretClipboard
  private let presenter: DialogPresenter
  private let showToast: @MainActor (String) -> Void

  private var model: TokensModel?
  private var observer: Observer?
  private var cards: [TokenCardView] = []
  /// Follows the time while the page is on the screen.
  private var ticking: Task<Void, Never>?
  private var followsWindow = false

  /// Creates the page, which is empty until it is bound to a model.
  ///
  /// - Parameters:
  ///   - secrets: copies tokens.
  ///   - presenter: shows its dialogs.
  ///   - showToast: shows a short message.
  init(
    secrets: SecretClipboard, presenter: DialogPresenter,
    showToast: @escaping @MainActor (String) -> Void
  ) {
    let builder = Builder(interface: "tokens-page")
    widget = builder.object("page")
    contents = builder.object("contents")
    emptyPage = builder.object("empty_page")
    signInButton = builder.object("sign_in_button")
    accountLabel = builder.object("account_label")
    cardsBox = builder.object("cards_box")
    refreshLabel = builder.object("refresh_label")
    activityBox = builder.object("activity_box")
    renewButton = builder.object("renew_button")
    let buttonRow: Box = builder.object("button_row")
    buttonRow.shortenLabels()
    buttonRow.layOutAsButtonRow()
    self.secrets = secrets
    self.presenter = presenter
    self.showToast = showToast
    actions.add([renew, signIn, decode])
    widget.onShow { [weak self] in self?.appear() }
    widget.onHide { [weak self] in self?.disappear() }
    draw()
  }

  func bind(to window: WindowModel?) {
    model?.close()
    model = window.map { TokensModel($0) }
    observer = model?.changes.add { [weak self] _ in self?.draw() }
    draw()
  }

  func focus() {
    guard model?.state.isKnown == true else { return awaitFocus() }
    if !renewButton.grabFocus(), !signInButton.grabFocus(), !cardsBox.grabFocus() {
      widget.window?.focusFirst()
    }
  }

  // MARK: Actions

  private lazy var renew = Action("renew") { [weak self] in self?.model?.renew() }
  private lazy var signIn = Action("sign-in") { [weak self] in self?.model?.signIn() }

  private lazy var decode = Action("decode") { [weak self] in
    guard let self else { return }
    let decoder = model?.makeDecoder() ?? TokenDecoderModel()
    presenter.present(DecodeDialog(decoder), over: widget.window)
  }

  private func copy(_ card: TokenCard) {
    guard let secret = model?.secret(of: card.id) else { return }
    showToast(secrets.copy(secret.exposed, from: widget, saying: tr("Token copied")))
  }

  private func copyClaim(_ text: String, saying message: String) {
    widget.copyToClipboard(text, isSecret: false)
    showToast(message)
  }

  private func toggle(_ card: TokenCard) {
    guard let model else { return }
    if model.state.revealed == card.id { model.hide() } else { model.reveal(card.id) }
  }

  // MARK: Time and visibility

  private func appear() {
    if !followsWindow, let window = widget.window {
      followsWindow = true
      window.onBackground { [weak self] in self?.model?.hide() }
    }
    model?.update()
    ticking?.cancel()
    ticking = Task { [weak self] in
      while !Task.isCancelled {
        self?.drawTimes()
        let isClose = self?.isExpiryClose == true
        try? await Task.sleep(for: .seconds(isClose ? 1 : 15))
        if !Task.isCancelled { self?.model?.update() }
      }
    }
  }

  private func disappear() {
    ticking?.cancel()
    ticking = nil
    model?.hide()
  }

  /// Whether a token expires so soon that seconds count.
  private var isExpiryClose: Bool {
    guard let model else { return false }
    return model.state.cards.contains { card in
      card.expiresOn.map { (0...75).contains($0.timeIntervalSince(model.now)) } ?? false
    }
  }

  // MARK: Drawing

  private func draw() {
    let state = model?.state ?? .init()
    let (couldRenew, couldSignIn) = (renew.isEnabled, signIn.isEnabled)
    renew.isEnabled = state.canStart && state.account != nil
    signIn.isEnabled = state.loadState == .known && state.canStart && state.account == nil
    // Not before the button can have it: a sign-in goes on for a moment after there is an account.
    if renew.isEnabled && !couldRenew || signIn.isEnabled && !couldSignIn
      || state.loadState.isFailure
    {
      takeLostFocus()
    }
    let isSameAccount = accountLabel.text == state.account
    accountLabel.text = state.account ?? ""
    refreshLabel.isVisible = state.hasRefreshToken
    activityBox.isVisible = state.isRenewing
    drawContents(state)
    // There are no cards for a moment while renewed tokens are read: keep the old ones until then.
    if !(state.cards.isEmpty && isSameAccount && state.canReadCards) { drawCards(state) }
    drawTimes()
  }

  private func drawContents(_ state: TokensModel.State) {
    contents.show(name: state.account == nil ? "empty" : "tokens")
    guard state.account == nil else { return }
    signInButton.isVisible = state.loadState == .known
    switch state.loadState {
    case .loading:
      emptyPage.show(
        icon: "dialog-password-symbolic", title: tr("Loading Accounts…"), description: "")
    case .known:
      emptyPage.show(
        icon: "dialog-password-symbolic", title: tr("No Tokens"),
        description: tr("Sign in to see what the tokens of your account say and allow."))
    case .locked:
      emptyPage.show(
        icon: "dialog-warning-symbolic", title: tr("Account Not Available"),
        description: tr("The keyring is locked. Unlock it to see your accounts."))
    case .unavailable:
      emptyPage.show(
        icon: "dialog-warning-symbolic", title: tr("Account Not Available"),
        description: tr("Your accounts could not be read."))
    }
  }

  private func drawCards(_ state: TokensModel.State) {
    if cards.map(\.id) != state.cards.map(\.id) {
      cardsBox.removeAll()
      cards = state.cards.map { card in
        TokenCardView(card.id) { [weak self] in
          self?.copy(card)
        } toggle: { [weak self] in
          self?.toggle(card)
        } copyClaim: { [weak self] text, message in
          self?.copyClaim(text, saying: message)
        }
      }
      for card in cards { cardsBox.append(card.widget) }
    }
    for (view, card) in zip(cards, state.cards) {
      view.canReveal = state.canReveal
      let isRevealed = state.revealed == card.id
      view.show(card, revealed: isRevealed ? model?.secret(of: card.id)?.exposed : nil)
    }
  }

  private func drawTimes() {
    guard let model else { return }
    for (view, card) in zip(cards, model.state.cards) {
      view.showTimes(
        expires: card.expiryText(at: model.now).map { withTime($0, card.expiresOn) },
        issued: card.issueText(at: model.now).map { withTime($0, card.issuedOn) },
        hasExpired: card.hasExpired(at: model.now))
    }
  }

  private func withTime(_ words: String, _ date: Date?) -> String {
    guard let date, let time = LocalTime.dayAndTime(at: date.timeIntervalSince1970) else {
      return words
    }
    return tr("{words} ({time})", ["words": words, "time": time])
  }
}
