import AuthCore
import Connections
import EntranceKit
import FoundationEssentials
import Gtk
import Localization

/// The form of one connection: draws what a ``ConnectionEditor`` says.
///
/// Who has no client ID yet begins with a page that says how to get one.
@MainActor
final class ConnectionDialog: Presentable {
  /// The pages of the dialog.
  enum Page: String {
    /// How to register an app.
    case register
    /// How an app is created with an account.
    case create
    /// What to ask an administrator for.
    case ask
    /// The fields.
    case form
  }

  private let editor: ConnectionEditor
  private let form: ConnectionFormView
  let window: Window
  private let stack: Stack
  private let toasts: ToastOverlay
  private let nextButton: Button
  private let saveButton: Button
  private let backButton: Button
  private let problemLabel: Label
  private let findingLabel: Label
  private let answerBox: Widget
  /// The form as it was shown at first.
  private let first: ConnectionForm
  private let onAdd: @MainActor (String) -> Void
  private let onCreate: @MainActor (SearchResultID) -> Void
  private weak var presenter: DialogPresenter?
  private let firstStep: ActionRow
  private let createRow: ActionRow
  private let accountList: ListBox
  private let request = HelpRequest()
  private lazy var chooser = FileChooser { [weak self] in self?.toasts.show(Toast($0)) }
  private lazy var saver = FileSaver(over: stack) { [weak self] in self?.toasts.show(Toast($0)) }
  private let spinner: Widget
  private let pages: [Page]
  private var page: Page
  private let field: String
  private var observer: Observer?
  private var announced: String?

  private lazy var check = Action("check") { [weak self] in
    guard let self else { return }
    let known = editor.state.problem
    editor.check(form.content)
    if let problem = editor.state.problem, problem == known { showAgain(problem) }
  }

  /// Makes the dialog; it is not shown yet.
  ///
  /// - Parameters:
  ///   - page: where it begins.
  ///   - field: the field of `apps.json` that gets the keyboard focus; empty for that of a mistake, or
  ///     else the first one that is needed.
  ///   - presenter: asks before what was typed is lost.
  ///   - onAdd: is called with the name of a new connection, after it was saved.
  ///   - onCreate: is called with the account that an app is to be created with, after the dialog
  ///     was closed.
  init(
    _ editor: ConnectionEditor, at page: Page, focusing field: String,
    by presenter: DialogPresenter,
    onAdd: @escaping @MainActor (String) -> Void,
    onCreate: @escaping @MainActor (SearchResultID) -> Void
  ) {
    (self.editor, self.field, self.presenter) = (editor, field, presenter)
    (self.onAdd, self.onCreate) = (onAdd, onCreate)
    let builder = Builder(interface: "connection-dialog")
    window = builder.dialog()
    stack = builder.object("stack")
    toasts = builder.object("toast_overlay")
    nextButton = builder.object("next_button")
    saveButton = builder.object("save_button")
    backButton = builder.object("back_button")
    problemLabel = builder.object("problem_label")
    findingLabel = builder.object("finding_label")
    spinner = builder.object("spinner")
    answerBox = builder.object("answer_box")
    firstStep = builder.object("first_step")
    createRow = builder.object("create_row")
    accountList = builder.object("account_list")
    var filled = editor.form
    // Both pages lead to an app of one organization, whose people can sign in at its own tenant only.
    if page != .form { filled.accounts = .oneOrganization }
    form = ConnectionFormView(builder, filled)
    first = form.content
    if let reason = editor.lockReason {
      let lockBox: Box = builder.object("lock_box")
      let lockLabel: Label = builder.object("lock_label")
      lockBox.isVisible = true
      lockLabel.text = reason
      form.lock()
    }
    pages = page == .form ? [.form] : [page, .form]
    self.page = page
    let redirectRow: ActionRow = builder.object("redirect_row")
    redirectRow.setSubtitle(
      tr(
        "Choose the platform “Public client/native (mobile & desktop)”, and paste {uri}",
        ["uri": EntranceIdentity.redirectURI]))
    let requestLabel: Label = builder.object("request_label")
    requestLabel.text = request.text
    window.insert(
      ActionGroup([
        check,
        Action("next") { [weak self] in self?.goOn() },
        Action("back") { [weak self] in self?.goBack() },
        Action("copy-redirect-uri") { [weak self] in self?.copyRedirectURI() },
        Action("open-portal") { [weak self] in self?.window.open(page: EntranceIdentity.portal) },
        Action("copy-command") { [weak self] in self?.copyCommand() },
        Action("copy-body") { [weak self] in self?.copyBody() },
        Action("save-body") { [weak self] in self?.saveBody() },
        Action("paste-client-id") { [weak self] in self?.pasteClientID() },
        Action("copy-message") { [weak self] in self?.copyMessage() },
        Action("write-email") { [weak self] in self?.writeEmail() },
        chooseFile,
      ]), as: "connection")
    show(page)
    show(editor.state)
    // It has no animation before it is on the screen.
    form.unfold(field)
    form.onChange { [weak self] in self?.edited($0) }
    form.onEnter { [weak self] in self?.goOn() }
    createRow.onActivate { [weak self] in self?.open(.create) }
    if page == .register { findAccounts() }
    observer = editor.changes.add { [weak self] in self?.show($0) }
  }

  func begin() { focus() }

  func end() { editor.close() }

  var hasChanges: Bool {
    !editor.isLocked && !editor.state.isDone && form.content != first
  }

  private func edited(_ fields: Set<String>?) {
    editor.edited(fields)
    // Also when it is another service no more, whose client ID can be any text.
    guard fields?.contains("clientID") != false else { return }
    // GTK still sets the place of the cursor in the text that it reports.
    Task { [weak self] in
      guard let self else { return }
      editor.fillFromClientID(of: form.content) { form.show($0) }
    }
  }

  // MARK: Pages

  private func goOn() {
    guard page == .form else { return move(by: 1) }
    let known = editor.state.problem
    editor.save(form.content)
    if let problem = editor.state.problem, problem == known { showAgain(problem) }
  }

  private func goBack() {
    if page == .create { open(.register) } else { move(by: -1) }
  }

  private func move(by step: Int) {
    let index = (pages.firstIndex(of: page) ?? 0) + step
    if pages.indices ~= index { open(pages[index]) }
  }

  private func open(_ page: Page) {
    show(page)
    focus()
  }

  /// Moves the focus to what is next to do; a screen reader says what is on a page without fields.
  private func focus() {
    guard page != .form else {
      return form.focus(field.isEmpty ? editor.state.problem?.field ?? "" : field)
    }
    let texts = stack.visibleChild?.visibleTexts ?? []
    // The rows of the steps say what they are about when they have the focus.
    if page == .register, firstStep.grabFocus() { return window.announce(texts.first ?? "") }
    if page == .create { accountList.row(at: 0)?.grabFocus() } else { nextButton.grabFocus() }
    window.announce(texts.joined(separator: "\n"))
  }

  private func show(_ page: Page) {
    self.page = page
    stack.show(name: page.rawValue)
    backButton.isVisible = page != pages.first
    answerBox.isVisible = page == .form
    nextButton.isVisible = page != .form && page != .create
    saveButton.isVisible = page == .form && !editor.isLocked
    window.title =
      switch page {
      case .register: tr("Register an App")
      case .create: tr("Create With an Account")
      case .ask: tr("Ask for an App")
      case .form:
        editor.isNew
          ? tr("New App")
          : editor.isLocked ? tr("App") : tr("Edit App")
      }
  }

  /// Offers the accounts that are signed in, once they are read.
  private func findAccounts() {
    Task { [weak self, editor] in
      let accounts = await editor.accountsForCreation()
      guard let self, !accounts.isEmpty, !editor.isLocked else { return }
      accountList.show(accounts.map { self.row($0) })
      createRow.setSubtitle(tr("Entrance sends the request for an account that is signed in."))
      createRow.isSensitive = true
    }
  }

  private func row(_ account: CreatingAccount) -> Widget {
    let row = ActionRow(title: account.title, subtitle: account.details, subtitleLines: 1)
    row.setAccessibleDescription(account.details)
    row.onActivate { [weak self] in self?.create(with: account) }
    return row
  }

  /// Leaves the form to an app that is created; asks before what was typed in it is lost.
  private func create(with account: CreatingAccount) {
    let leave: @MainActor () -> Void = { [window, onCreate] in
      window.destroy()
      onCreate(account.find)
    }
    if hasChanges, let presenter {
      presenter.askToDiscard(over: window, leave)
    } else {
      leave()
    }
  }

  private func copyRedirectURI() {
    window.copyToClipboard(EntranceIdentity.redirectURI, isSecret: false)
    toasts.show(Toast(tr("Redirect URI copied")))
  }

  private func copyCommand() {
    window.copyToClipboard(AppRegistration.azureCLI, isSecret: false)
    toasts.show(Toast(tr("Command copied")))
  }

  private func copyBody() {
    window.copyToClipboard(AppRegistration.resource.prettyText, isSecret: false)
    toasts.show(Toast(tr("Request body copied")))
  }

  private func saveBody() {
    let text = AppRegistration.resource.prettyText + "\n"
    saver.save(tr("Save Request Body"), "application.json", saying: { _ in tr("Saved") }) {
      Data(text.utf8)
    }
  }

  private func copyMessage() {
    window.copyToClipboard(request.copiedText, isSecret: false)
    toasts.show(Toast(tr("Message copied, with a command for Azure CLI")))
  }

  private func writeEmail() {
    window.open(
      request.mailto(subject: tr("App registration for Entrance")),
      orSay: tr("No mail program was found. Use “Copy Message”."))
  }

  /// Fills the form in with what was copied from the portal, and goes on to it.
  private func pasteClientID() {
    Task { [weak self] in
      guard let text = await self?.window.clipboardText(), let self else { return }
      do throws(ConnectionFileError) {
        try editor.paste(text, into: form.content) { form.show($0) }
        goOn()
      } catch {
        ConnectionFileImport.tell(error, over: window)
      }
    }
  }

  private lazy var chooseFile = Action("choose-ca-file") { [weak self] in
    self?.chooser.ask(over: self?.window) {
      FileDialog(over: $0, title: tr("Choose CA File"))
    } whenChosen: {
      self?.form.setCAFile($0)
    }
  }

  // MARK: Drawing

  /// Has a screen reader say a new problem or finding, unless it says the alert with the problem.
  private func announce(_ state: ConnectionEditor.State, isSaid: Bool) {
    let text = state.problem?.text ?? (state.isChecking ? nil : state.finding?.text)
    if let text, text != announced, !isSaid { window.announce(text) }
    announced = text
  }

  /// Answers another attempt that met the same problem.
  private func showAgain(_ problem: ConnectionEditor.Problem) {
    form.mark(problem, isAnswer: true)
    window.announce(problem.text)
  }

  private func show(_ state: ConnectionEditor.State) {
    if let name = state.savedName {
      window.close()
      if editor.isNew { onAdd(name) }
      return
    }
    let problem = state.problem ?? state.finding?.problem
    let (wasInForm, wasBelow) = (form.showsMistake, problemLabel.isVisible)
    form.mark(problem, isAnswer: state.problem != nil)
    // What is in no field of the form is said below it.
    problemLabel.show(ifAny: form.showsMistake ? nil : problem?.text)
    problemLabel.color(as: problem)
    check.isEnabled = !state.isChecking
    chooseFile.isEnabled = !editor.isLocked
    spinner.isVisible = state.isChecking
    findingLabel.show(
      ifAny: state.isChecking
        ? tr("Asking the sign-in service…") : problem == nil ? state.finding?.text : nil)
    findingLabel.set(styleClass: "success", to: state.finding?.isGood == true)
    findingLabel.set(styleClass: "error", to: state.finding?.isGood == false)
    let isNew = problem != nil && !(form.showsMistake ? wasInForm : wasBelow)
    announce(state, isSaid: isNew && ScreenReader.saysNewAlerts)
  }
}
