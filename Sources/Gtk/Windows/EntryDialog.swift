/// A dialog that asks for one thing, such as a passphrase: explains it, has rows to type it in, and
/// says what is wrong with it.
@MainActor
open class EntryDialog {
  /// Its window.
  public let window: Window
  /// Where it is typed.
  public let rows: [EntryRow]
  private let spinner: Widget
  private let problemLabel: Label
  private let description: String
  private lazy var action = Action("submit") { [weak self] in self?.submit() }

  /// Makes the dialog; it is not shown yet.
  ///
  /// - Parameters:
  ///   - rule: what it must be like; nil when it is known already.
  ///   - button: the label of the default button, in which an underscore precedes the mnemonic.
  ///   - rows: at least one.
  public init(
    title: String, explanation: String, rule: String? = nil, button: String, rows: [EntryRow]
  ) {
    let builder = Builder(interface: "entry-dialog")
    window = builder.dialog()
    self.rows = rows
    spinner = builder.object("spinner")
    problemLabel = builder.object("problem_label")
    description = rule ?? explanation
    window.title = title
    let explanationLabel: Label = builder.object("explanation_label")
    explanationLabel.text = explanation
    let ruleLabel: Label = builder.object("rule_label")
    ruleLabel.show(ifAny: rule)
    let submitButton: Button = builder.object("submit_button")
    submitButton.setLabel(mnemonic: button)
    let list: ListBox = builder.object("rows")
    list.show(rows)
    window.insert(ActionGroup([action]), as: "entry")
    for (row, next) in zip(rows, rows.dropFirst()) { row.onEnter { next.grabFocus() } }
    rows.last?.onEnter { [weak self] in self?.action.activate() }
    show(problem: nil)
  }

  /// Takes what was typed, after Enter in the last row or the default button.
  open func submit() {}

  /// Gives the focus to the first row, after it is on the screen.
  public func begin() { rows[0].grabFocus() }

  /// Forgets what was typed, after it was closed.
  public func end() {
    for row in rows { row.text = "" }
  }

  /// Whether what was typed can be taken.
  public var canSubmit: Bool {
    get { action.isEnabled }
    set { action.isEnabled = newValue }
  }

  /// Whether what was typed is being tried.
  public var isBusy = false {
    didSet {
      canSubmit = !isBusy
      spinner.isVisible = isBusy
      for row in rows { row.isSensitive = !isBusy }
    }
  }

  /// Lets what is wrong be copied, where it has a command; then it can have the focus, too.
  public func makeProblemSelectable() { problemLabel.makeSelectable() }

  /// Says what is wrong with what was typed; nil for nothing.
  public func show(problem: String?) {
    let wasShown = problemLabel.isVisible
    problemLabel.show(ifAny: problem)
    // A screen reader reads it with the row, which gets the focus.
    rows[0].setAccessibleDescription(problem ?? description)
    guard let problem else { return }
    // A rejected password is useless, and a screen reader would read the selection.
    for row in rows where row.isPassword { row.text = "" }
    // Fit the content's height.
    window.defaultSize.height = -1
    let focused = window.focusedWidget
    // What is typed or pasted next replaces what was rejected.
    rows[0].grabFocusSelecting()
    // Announce it, unless it appears as an alert or, before GTK 4.14, the focus moves to the row.
    let isSaid = ScreenReader.saysNewAlerts ? !wasShown : window.focusedWidget != focused
    if !isSaid { window.announce(problem) }
  }
}
