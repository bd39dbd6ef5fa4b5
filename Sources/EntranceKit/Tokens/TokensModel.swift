public import AuthCore
import Connections
public import FoundationEssentials
import Localization

/// The model of the Tokens page: what is kept for the selected account, in words.
///
/// Looking at it sends nothing and changes nothing. The tokens themselves leave it only on request.
@MainActor
public final class TokensModel {
  /// What the page shows.
  public struct State: Sendable, Equatable {
    /// Whether accounts are known.
    public var loadState = AccountStorage.LoadState.loading
    /// The selected account, by its name and user name; nil without one.
    public var account: String?
    /// The tokens.
    public var cards: [TokenCard] = []
    /// Whether there are tokens, which may still be read into ``cards``.
    public var canReadCards = false
    /// Whether a refresh token is kept, which is never shown.
    public var hasRefreshToken = false
    /// Whether tokens can be shown in full: not while personal details are hidden.
    public var canReveal = true
    /// The token that is shown in full; nil for none.
    public var revealed: TokenCard.ID?
    /// Whether something can be asked of the sign-in service now.
    public var canStart = false
    /// Whether the tokens are being renewed.
    public var isRenewing = false

    /// Whether accounts were read, or could not be.
    public var isKnown: Bool { loadState != .loading }

    /// Creates the state of a page whose accounts are not known yet.
    public init() {}
  }

  /// What the page shows.
  public private(set) var state = State() {
    didSet { if state != oldValue { changes.notify(state) } }
  }
  /// The observers of the state.
  public let changes = Observers<State>()

  private let window: WindowModel
  private let showsFor: Duration
  private var status: WindowStatus { window.status }
  private var workspace: Workspace { window.workspace }
  private var observers: [Observer] = []
  /// The tokens on the cards, and whose they are.
  private var kept: KeptTokens?
  /// The cards, with all details.
  private var cards: [TokenCard] = []
  private var owner: AccountRow.ID?
  private var reading: Task<Void, Never>?
  private var hiding: Task<Void, Never>?

  /// Creates the model of a page of `window`.
  ///
  /// - Parameter showsFor: how long a token is shown in full.
  public init(_ window: WindowModel, showsFor: Duration = .seconds(30)) {
    self.window = window
    self.showsFor = showsFor
    observers = [
      status.changes.add { [weak self] in self?.draw() },
      status.accounts.changes.add { [weak self] in self?.draw() },
      window.storage.changes.add { [weak self] in self?.draw() },
      workspace.changes.add { [weak self] in self?.draw() },
      workspace.privacy.changes.add { [weak self] in self?.draw() },
    ]
    draw()
  }

  /// Removes all observers and forgets the tokens, because the page is closed.
  public func close() {
    observers = []
    changes.removeAll()
    reading?.cancel()
    hide()
    kept = nil
  }

  /// Looks at the tokens again: they may have been renewed in the background.
  public func update() { draw() }

  /// The current time, by which the texts of the cards are made.
  public var now: Date { workspace.now() }

  /// Returns when the tokens are read.
  public func finishReading() async { await reading?.value }

  // MARK: - Secrets

  /// *Copy*: the token of a card; nil when it is gone.
  public func secret(of id: TokenCard.ID) -> Secret<String>? {
    switch id {
    case .access(let index):
      guard let tokens = kept?.accessTokens, tokens.indices.contains(index) else { return nil }
      return tokens[index].secret
    case .id: return kept?.idToken
    }
  }

  /// *Show*: shows a token in full, for half a minute.
  public func reveal(_ id: TokenCard.ID) {
    guard state.canReveal, secret(of: id) != nil else { return }
    hiding?.cancel()
    state.revealed = id
    hiding = Task { [weak self, showsFor] in
      try? await Task.sleep(for: showsFor)
      if !Task.isCancelled { self?.hide() }
    }
  }

  /// *Hide*, or the page is left.
  public func hide() {
    hiding?.cancel()
    hiding = nil
    state.revealed = nil
  }

  // MARK: - Actions

  /// *Decode Another Token…*: the model of the dialog.
  public func makeDecoder() -> TokenDecoderModel {
    let privacy = workspace.privacy
    let decoder = TokenDecoderModel(
      comparingWith: cards, now: workspace.now, hiding: privacy.hiding)
    decoder.end(at: [privacy.changes, status.accounts.removals])
    return decoder
  }

  /// *Renew Tokens*: gets new tokens for the selected account; all of it needs the window's turn.
  @discardableResult
  public func renew() -> Task<Void, Never>? {
    guard let account = status.accounts.selected else { return nil }
    hide()
    return status.start(.renewingTokens) {
      if await self.window.tokens.silentToken(for: account, forceRefresh: true) != nil {
        self.status.toasts.notify(tr("Tokens renewed"))
      }
    }
  }

  /// *Sign In*.
  @discardableResult
  public func signIn() -> Task<Void, Never>? { window.accounts.signIn() }

  // MARK: - Drawing

  private func draw() {
    var next = state
    let account = status.accounts.selected
    next.loadState = window.storage.loadState
    next.account = workspace.privacy.shown(ifAny: status.accounts.selectedRow?.nameAndUsername)
    next.canReveal = !workspace.privacy.isOn
    if !next.canReveal { next.revealed = nil }
    next.canStart = status.canStart
    next.isRenewing = status.work == .renewingTokens
    let id = status.accounts.selectedID
    let found = account.flatMap {
      workspace.application.keptTokens(of: $0, inTenant: status.accounts.tenantID)
    }
    next.canReadCards = found != nil
    next.hasRefreshToken = found?.hasRefreshToken ?? false
    if found != kept || id != owner {
      (kept, owner, cards) = (found, id, [])
      hiding?.cancel()
      next.revealed = nil
      read(found, of: account)
    }
    next.cards = cards.map { $0.hidden(by: workspace.privacy.hiding) }
    state = next
  }

  private func read(_ kept: KeptTokens?, of account: Account?) {
    reading?.cancel()
    guard let kept, let account else { return reading = nil }
    let connection = workspace.connection
    let owner = TokenOwner(
      username: account.username, clientID: connection.application.clientID,
      apiHost: connection.api.split(separator: "/").dropFirst().first.map(String.init)
        ?? connection.api)
    let (application, tenantID) = (workspace.application, status.accounts.tenantID)
    let now = now
    reading = Task { [weak self] in
      var signature = KeptTokens.Signature.unknown
      if let token = kept.idToken {
        signature = await application.signature(of: token, for: account, inTenant: tenantID)
      }
      let cards = await TokenCard.cards(of: kept, signature, owner: owner, at: now)
      guard !Task.isCancelled, let self else { return }
      self.cards = cards
      draw()
    }
  }
}
