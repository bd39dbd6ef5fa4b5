import AuthCore
import Connections
import EntranceKit
import Gtk
import Localization

/// The form of one connection: draws what a ``ConnectionEditor`` says.
///
/// For the very first connection, two pages before it tell what is needed, and how to register an app.
@MainActor
final class ConnectionDialog: Presentable {
  /// The pages of the dialog, in order.
  private enum Page: String, CaseIterable {
    case need, register, form
  }

  private let editor: ConnectionEditor
  private let form: ConnectionFormView
  let window: Window
  private let stack: Stack
  private let toasts: ToastOverlay
  private let nextButton: Button
  private let backButton: Button
  private let problemLabel: Label
  private let findingLabel: Label
  private let spinner: Widget
  private let pages: [Page]
  private var page: Page
  private var observer: Observer?
  private var announced: String?

  private lazy var check = Action("check") { [weak self] in
    guard let self else { return }
    editor.check(form.content)
  }

  /// Makes the dialog; it is not shown yet.
  ///
  /// - Parameter isFirst: whether it begins with how to register an app.
  init(_ editor: ConnectionEditor, isFirst: Bool) {
    self.editor = editor
    let builder = Builder(interface: "connection-dialog")
    window = builder.object("window")
    stack = builder.object("stack")
    toasts = builder.object("toast_overlay")
    nextButton = builder.object("next_button")
    backButton = builder.object("back_button")
    problemLabel = builder.object("problem_label")
    findingLabel = builder.object("finding_label")
    spinner = builder.object("spinner")
    form = ConnectionFormView(builder, editor.form)
    if editor.isLocked {
      let lockBox: Box = builder.object("lock_box")
      lockBox.isVisible = true
      form.lock()
    }
    pages = isFirst ? Page.allCases : [.form]
    page = pages[0]
    let redirectRow: ActionRow = builder.object("redirect_row")
    redirectRow.setSubtitle(EntranceIdentity.redirectURI)
    window.insert(
      ActionGroup([
        check,
        Action("next") { [weak self] in self?.goOn() },
        Action("back") { [weak self] in self?.goBack() },
        Action("copy-redirect-uri") { [weak self] in self?.copyRedirectURI() },
        Action("open-portal") { [weak self] in self?.window.open(uri: Self.portal) },
      ]), as: "connection")
    show(page)
    show(editor.state)
    form.onChange { [weak self] in self?.editor.edited() }
    form.onEnter { [weak self] in self?.goOn() }
    observer = editor.changes.add { [weak self] in self?.show($0) }
  }

  func begin() { focus() }

  func end() { editor.close() }

  /// Where apps are registered.
  private static let portal =
    "https://entra.microsoft.com/#view/Microsoft_AAD_RegisteredApps/ApplicationsListBlade"

  // MARK: Pages

  private func goOn() {
    guard page != .form else { return editor.save(form.content) }
    move(by: 1)
  }

  private func goBack() { move(by: -1) }

  private func move(by step: Int) {
    let index = (pages.firstIndex(of: page) ?? 0) + step
    guard pages.indices ~= index else { return }
    // A screen reader would say the new label of the button.
    window.focusedWidget = nil
    show(pages[index])
    focus()
  }

  /// Moves the focus to what is next to do; a screen reader says what is on a page without fields.
  private func focus() {
    guard page != .form else { return form.focus() }
    nextButton.grabFocus()
    window.announce(stack.visibleChild?.visibleTexts.joined(separator: "\n") ?? "")
  }

  private func show(_ page: Page) {
    self.page = page
    stack.show(name: page.rawValue)
    backButton.isVisible = page != pages.first
    nextButton.isVisible = page != .form || !editor.isLocked
    nextButton.setLabel(mnemonic: page == .form ? tr("_Save") : tr("_Next"))
    window.title =
      switch page {
      case .need: tr("Set Up")
      case .register: tr("Register the App")
      case .form:
        editor.isNew
          ? tr("New Connection") : editor.isLocked ? tr("Connection") : tr("Edit Connection")
      }
  }

  private func copyRedirectURI() {
    window.copyToClipboard(EntranceIdentity.redirectURI, isSecret: false)
    toasts.show(Toast(tr("Redirect URI copied")))
  }

  // MARK: Drawing

  /// Has a screen reader say a new problem or finding.
  private func announce(_ state: ConnectionEditor.State) {
    let text = state.problem?.text ?? (state.isChecking ? nil : state.finding?.text)
    if let text, text != announced { window.announce(text) }
    announced = text
  }

  private func show(_ state: ConnectionEditor.State) {
    if state.isDone { return window.close() }
    defer { announce(state) }
    problemLabel.text = state.problem?.text ?? ""
    problemLabel.isVisible = state.problem != nil
    form.mark(state.problem)
    check.isEnabled = !state.isChecking
    spinner.isVisible = state.isChecking
    findingLabel.text =
      state.isChecking ? tr("Asking the sign-in service…") : state.finding?.text ?? ""
    findingLabel.set(styleClass: "error", to: state.finding?.isGood == false)
  }
}
