import EntranceKit
import Gtk

/// The row with the JSONPath that the Explorer's answer is filtered with.
@MainActor
final class AnswerFilterRow {
  /// The widget.
  let widget: Box
  /// Called when something else is selected.
  var onChange: @MainActor () -> Void = {}
  /// Called when the row is closed.
  var onClose: @MainActor () -> Void = {}
  private let entry: SearchEntry
  private let resultLabel: Label
  private let announcer: TypingAnnouncer

  private var filter: AnswerFilter?
  private var observer: Observer?

  /// Creates a closed row.
  ///
  /// - Parameter announce: has a screen reader say a text.
  init(announce: @escaping @MainActor (String) -> Void) {
    announcer = TypingAnnouncer(announce)
    let builder = Builder(interface: "explorer-filter")
    widget = builder.object("row")
    entry = builder.object("path_entry")
    resultLabel = builder.object("result_label")
    let closeButton: Button = builder.object("close_button")
    entry.isRightToLeft = false
    entry.onChange { [weak self] in self?.filter?.path = self?.entry.text ?? "" }
    entry.onEnter { [weak self] in self?.filter?.path = self?.entry.text ?? "" }
    entry.onStop { [weak self] in self?.close() }
    closeButton.onClick { [weak self] in self?.close() }
  }

  /// What is selected; nil for the whole answer.
  var selected: FoldedText? {
    if case .values(let text, _) = filter?.state { text } else { nil }
  }

  /// Filters the answers of `model` from now on.
  func follow(_ model: ExplorerModel?) {
    filter = model.map { AnswerFilter($0) }
    filter?.path = widget.isVisible ? entry.text : ""
    observer = filter?.changes.add { [weak self] in self?.draw($0) }
    draw(filter?.state ?? .off)
  }

  /// Opens the row.
  func open() {
    widget.isVisible = true
    entry.grabFocusSelecting()
  }

  /// Removes a path that `condition` is true for.
  func clear(if condition: (String) -> Bool) {
    guard condition(entry.text) else { return }
    entry.text = ""
    filter?.path = ""
  }

  private func close() {
    widget.isVisible = false
    clear { _ in true }
    onClose()
  }

  private func draw(_ state: AnswerFilter.State) {
    var isProblem = false
    if case .problem = state { isProblem = true }
    resultLabel.show(ifAny: state.text)
    resultLabel.set(styleClass: "error", to: isProblem)
    resultLabel.set(styleClass: "dim-label", to: !isProblem)
    entry.set(styleClass: "error", to: isProblem)
    announcer.say(state == .working ? "" : resultLabel.text)
    // What was selected before stays while the next is searched.
    if state != .working { onChange() }
  }
}
