import EntranceKit
import Gtk
import Localization
import MicrosoftGraph

/// The Explorer page: a request to the app's API, and its answer, of an ``ExplorerModel``.
@MainActor
final class ExplorerPage: Page {
  let widget: Widget
  let actions = ActionGroup([])

  private let stack: Stack
  private let signedOut: SignedOutView
  private let methodChoice: DropDown
  private let addressEntry: Entry
  private let addressCover: EntryCover
  private let completion: CompletionView
  private let sendButton: Button
  private let versionChoice: DropDown
  private let sender: SenderChooser
  private let remarks: RequestRemarks
  private let moreExpander: Expander
  private let fieldsView: TextView
  private let fieldCompletion: CompletionView
  private let fieldProblemLabel: Label
  private let body: BodyView
  private let savedPlace: Box
  private let queryTable = QueryTable()
  private let answerView: AnswerView
  private let list: RequestList
  private let cassettes: CassetteActions
  private let presenter: DialogPresenter
  private let showUndo: @MainActor (String, @escaping @MainActor () -> Void) -> Void
  private let announce: @MainActor (String) -> Void

  private var model: ExplorerModel?
  /// What was written for the window's last app, while there is no other one yet.
  private var draft: ExplorerDraft?
  private let leftAnswers = LeftAnswers()
  private var observers: [Observer?] = []
  private var state = ExplorerState()
  /// Shows what the page does, if it still does it.
  private var delay: Task<Void, Never>?
  /// Whether it shows what it does.
  private var isWorkShown = false
  /// Whether the page shows what the model says, which is no wish of the user's.
  private var isDrawing = false

  /// Creates the page, which is empty until it is bound to a model.
  ///
  /// - Parameters:
  ///   - secrets: copies requests with secrets.
  ///   - presenter: shows its dialogs.
  ///   - showToast: shows a short message.
  ///   - showUndo: shows one with *Undo*.
  ///   - announce: has a screen reader say a text.
  init(
    preferences: Preferences, secrets: SecretClipboard, presenter: DialogPresenter,
    showToast: @escaping @MainActor (String) -> Void,
    showUndo: @escaping @MainActor (String, @escaping @MainActor () -> Void) -> Void,
    announce: @escaping @MainActor (String) -> Void
  ) {
    let builder = Builder(interface: "explorer-page")
    widget = builder.object("page")
    stack = builder.object("stack")
    signedOut = SignedOutView(builder)
    methodChoice = builder.object("method_choice")
    methodChoice.nameList(tr("Method"))
    addressEntry = builder.object("address_entry")
    addressCover = EntryCover(
      over: addressEntry, builder.object("address_cover"), builder.object("address_cover_label"))
    completion = CompletionView(
      of: addressEntry, below: builder.object("address_place"), announce: announce)
    sendButton = builder.object("send_button")
    versionChoice = builder.object("version_choice")
    versionChoice.nameList(tr("Version of Microsoft Graph"))
    sender = SenderChooser(builder)
    remarks = RequestRemarks(builder)
    moreExpander = builder.object("more_expander")
    fieldsView = builder.object("fields_view")
    fieldCompletion = CompletionView(
      of: fieldsView, below: builder.object("fields_place"), announce: announce)
    fieldProblemLabel = builder.object("field_problem_label")
    body = BodyView(showToast: showToast, announce: announce)
    let bodyPlace: Box = builder.object("body_place")
    bodyPlace.append(body.widget)
    list = RequestList(builder, SavedList(showToast: showToast))
    cassettes = CassetteActions(over: widget, showToast: showToast)
    let cassettePlace: Box = builder.object("cassette_place")
    cassettePlace.append(cassettes.bar.widget)
    savedPlace = builder.object("saved_place")
    savedPlace.append(list.saved.stateBox)
    let queryPlace: Box = builder.object("query_place")
    queryPlace.append(queryTable.widget)
    answerView = AnswerView(
      preferences: preferences, secrets: secrets, showToast: showToast, announce: announce)
    self.presenter = presenter
    self.showUndo = showUndo
    self.announce = announce
    let answerBox: Box = builder.object("answer_box")
    answerBox.append(answerView.widget)
    // URLs and header fields are written left to right in every language.
    for widget in [addressEntry, fieldsView] as [Widget] { widget.isRightToLeft = false }
    fieldsView.setAccessibleLabel(tr("Header fields"))
    moreExpander.setAccessibleLabel(tr("Header fields and body"))
    methodChoice.setChoices(ExplorerRequest.Method.allCases.map(\.rawValue))
    versionChoice.setChoices([GraphClient.Version.v1, .beta].map(\.rawValue))
    actions.add([send, sendAnyway, cancel, bringBack, sender.action, body.useFile])
    actions.add(list.actions + list.saved.actions + answerView.actions + cassettes.actions)
    sender.choose = { [weak self] in self?.model?.setSender($0) }
    let focus: @MainActor () -> Void = { [weak self] in self?.focus() }
    (sender.focus, list.focusRequest, cassettes.focus) = (focus, focus, focus)
    queryTable.take = { [weak self] in self?.take($0) }
    list.saved.takeDrops(on: widget)
    answerView.focusRequest = focus
    followWidgets()
    followKeys()
    draw()
  }

  /// Adds the keys of the page.
  ///
  /// That of *Cancel* is in its file, too: a toast would take it before the window does.
  private func followKeys() {
    let shortcuts = Shortcut.all.filter(\.isOfExplorer)
    var pairs = shortcuts.flatMap { shortcut in
      (shortcut.keys + shortcut.otherKeys).map { ($0, shortcut.action ?? "") }
    }
    pairs.append(("Escape", "explorer.cancel"))
    _ = ShortcutController(on: widget, Dictionary(pairs) { first, _ in first })
    // The entry would undo the address alone.
    _ = ShortcutController(before: addressEntry, ["<Control>z": "explorer.bring-back"])
  }

  private func followWidgets() {
    addressEntry.onEnter { [weak self] in self?.sendRequest() }
    addressEntry.onChange { [weak self] in
      guard let self, !isDrawing else { return }
      addressCover.stayAway()
      take()
      completion.follow()
    }
    completion.find = { [weak self] in await self?.model?.completion(after: $0) }
    methodChoice.onChange { [weak self] in self?.take() }
    versionChoice.onChange { [weak self] in self?.takeVersion() }
    fieldsView.buffer.onChange { [weak self] in
      guard let self, !isDrawing else { return }
      take()
      fieldCompletion.follow()
    }
    fieldCompletion.find = { [weak self] in self?.model?.fieldCompletion(after: $0) }
    body.onChange = { [weak self] in self?.take() }
  }

  func bind(to window: WindowModel?) {
    if let model {
      draft = model.draft
      leftAnswers.leave(model)
    }
    model?.close()
    model = window.map { ExplorerModel($0, continuing: draft, after: leftAnswers) }
    answerView.follow(model)
    list.follow(model)
    cassettes.follow(model)
    body.follow(model)
    observers = [
      model?.changes.add { [weak self] in self?.show($0) },
      model?.questions.add { [weak self] in self?.ask($0.0, $0.1) },
      model?.replacements.add { [weak self] in self?.takeReplacement(isChosen: $0) },
      model?.undos.add { [weak self] in self?.showUndo($0.0, $0.1) },
    ]
    drawRequest()
    show(model?.state ?? ExplorerState())
    closeHiddenDetails()
  }

  func focus() {
    if state.account != nil {
      addressCover.focus()
    } else if state.loadState == .loading {
      awaitFocus()
    } else if !signedOut.focus() {
      widget.window?.focusFirst()
    }
  }

  // MARK: Actions

  private lazy var send = Action("send") { [weak self] in self?.sendRequest() }
  private lazy var sendAnyway = Action("send-anyway") { [weak self] in self?.model?.sendAnyway() }
  private lazy var cancel = Action("cancel") { [weak self] in self?.model?.cancel() }
  private lazy var bringBack = Action("bring-back") { [weak self] in self?.model?.bringBack() }

  private func sendRequest() {
    for completion in [completion, fieldCompletion] { completion.hide() }
    model?.send()
  }

  func perform(_ command: PageCommand) -> Bool {
    switch command {
    case .perform: sendRequest()
    case .goTo:
      if state.account != nil { addressCover.open() } else { focus() }
    case .copy: answerView.copyAnswer()
    }
    return true
  }

  private func ask(_ question: ExplorerQuestion, _ proceed: @escaping @MainActor () -> Void) {
    if question.isOfEdits, let unsavedEdits, let window = widget.window {
      return presenter.askToDiscard(unsavedEdits, over: window, proceed)
    }
    presenter.present(QuestionDialog(question, proceed: proceed), over: widget.window)
  }

  /// Takes what was typed or chosen.
  private func take() {
    guard !isDrawing, let model else { return }
    if model.paste(addressEntry.text) != nil { return }
    var request = model.request
    let method = ExplorerRequest.Method.allCases[methodChoice.selected]
    let opens = method != request.method && method.hasBody && !model.hasHiddenDetails
    if opens { moreExpander.isExpanded = true }
    request.method = method
    request.address = addressEntry.text
    request.fields = fieldsView.buffer.text
    request.body = body.text
    model.request = request
    queryTable.show(request.queryOptions)
  }

  /// Shows a request that was chosen, or changed in its file, which is sent only when the person
  /// says so.
  private func takeReplacement(isChosen: Bool) {
    guard let request = model?.request else { return }
    if isChosen, !request.hasContent, !request.method.hasBody {
      moreExpander.isExpanded = false
    }
    drawRequest()
    closeHiddenDetails()
    guard isChosen else { return }
    addressEntry.forgetEdits()
    addressCover.focus()
    // What is typed next replaces it.
    if let place = request.placeholderPlace {
      addressEntry.select(place)
    } else {
      addressEntry.selectAll()
    }
  }

  /// Closes what has personal details that are hidden: only who opens it, or types there, sees them.
  private func closeHiddenDetails() {
    addressCover.close()
    guard model?.hasHiddenDetails == true else { return }
    moreExpander.isExpanded = false
    queryTable.close()
    takeLostFocus()
  }

  var unsaved: UnsavedChanges? {
    guard let download = model?.downloadText else { return unsavedEdits }
    guard var edits = unsavedEdits else { return .download(download) }
    edits.text += "\n" + download
    return edits
  }

  private var unsavedEdits: UnsavedChanges? {
    guard let model, let text = model.unsavedText else { return nil }
    var changes = UnsavedChanges(text: text)
    if model.hasAddress { changes.save = { [weak model] in model?.save(then: $0) } }
    return changes
  }

  private func take(_ options: [QueryOption]) {
    model?.request.queryOptions = options
    drawRequest()
  }

  private func takeVersion() {
    guard !isDrawing, let model else { return }
    model.request.version = versionChoice.selected == 0 ? .v1 : .beta
    drawRequest()
  }

  // MARK: Drawing

  /// Shows the request of the model, which the person did not type.
  private func drawRequest() {
    isDrawing = true
    defer { isDrawing = false }
    let request = model?.request ?? ExplorerRequest()
    methodChoice.selected = ExplorerRequest.Method.allCases.firstIndex(of: request.method) ?? 0
    if addressEntry.text != request.address {
      addressEntry.text = request.address
      addressEntry.position = -1
    }
    queryTable.show(request.queryOptions)
    if fieldsView.buffer.text != request.fields { fieldsView.buffer.set(request.fields) }
    body.show(request.body)
    let opens = request.hasContent || request.isBodyMissing
    if opens, model?.hasHiddenDetails != true { moreExpander.isExpanded = true }
  }

  private func show(_ newState: ExplorerState) {
    let old = state
    state = newState
    let hadFocus = sendButton.hasFocus
    draw()
    if state.hidesDetails, !old.hidesDetails {
      closeHiddenDetails()
      list.clearSearch { [model] in model?.hides(in: $0) == true }
    }
    if hadFocus, !sendButton.hasFocus { sendButton.grabFocus() }
    // A button for more pages may be gone, or for the correction of the app; while accounts were read,
    // there was none to sign in.
    if old.work != nil && state.work == nil || old.loadState != state.loadState
      || old.correction != state.correction || old.canSendAnyway != state.canSendAnyway
    {
      takeLostFocus()
    }
    if state.account != nil, old.account == nil, signedOut.hasFocus { addressCover.focus() }
    for (text, before) in [
      (state.problem, old.problem), (state.fieldProblem, old.fieldProblem),
      (state.bodyProblem, old.bodyProblem), (state.accountNote, old.accountNote),
      (state.permissions?.warning, old.permissions?.warning),
    ] where text != before {
      if let text { announce(text) }
    }
    if cassettes.show(state), let text = state.replay {
      list.showHistory()
      announce(text)
    }
    if old.work != nil, state.work == nil { answerView.speak() }
    if state.wait == .over, old.wait != .over, let text = state.wait?.text { announce(text) }
  }

  /// The state without work that has just begun.
  ///
  /// Most requests are answered in a moment; until then, GTK would lay out the page several times
  /// for what nobody can read.
  private var drawnState: ExplorerState {
    guard state.work != nil else {
      delay?.cancel()
      (delay, isWorkShown) = (nil, false)
      return state
    }
    if isWorkShown { return state }
    if delay == nil {
      delay = Task { [weak self] in
        try? await Task.sleep(for: Self.moment)
        guard let self, !Task.isCancelled else { return }
        isWorkShown = true
        draw()
      }
    }
    var drawn = state
    (drawn.work, drawn.isWindowBusy) = (nil, false)
    return drawn
  }

  /// How long work takes that is shown.
  private static let moment = Duration.milliseconds(100)

  private func draw() {
    cancel.isEnabled = state.work != nil
    bringBack.isEnabled = state.canBringBack
    let state = drawnState
    drawSignIn()
    sender.show(state)
    isDrawing = true
    versionChoice.isVisible = state.version != nil
    versionChoice.selected = state.version == .beta ? 1 : 0
    isDrawing = false
    let isWorking = state.work != nil
    sendButton.setLabel(mnemonic: isWorking ? tr("_Cancel") : tr("S_end"))
    sendButton.setAction(isWorking ? "explorer.cancel" : "explorer.send")
    sendButton.set(styleClass: "suggested-action", to: !isWorking)
    send.isEnabled = state.canSend
    // A screen reader would say that of the address at each key.
    sendButton.tooltip = state.shownURL
    addressEntry.set(styleClass: "error", to: state.problem != nil)
    addressCover.show(state.coveredAddress)
    remarks.show(state)
    fieldProblemLabel.show(ifAny: state.fieldProblem)
    body.show(state)
    savedPlace.isVisible = state.saved != nil
    list.saved.show(state.saved)
    answerView.show(state)
  }

  private func drawSignIn() {
    let name = state.account == nil ? "signed-out" : "request"
    if name != stack.visibleName {
      stack.show(name: name)
      takeLostFocus()
    }
    if state.account == nil { signedOut.show(state) }
  }
}
