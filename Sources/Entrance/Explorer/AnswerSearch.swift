import EntranceKit
import Gtk
import Localization

/// The row in which a text of the Explorer's answer is looked for.
@MainActor
final class AnswerSearch {
  /// The text in view, in which it looks; nil for none.
  var shownView: @MainActor () -> LongTextView? = { nil }
  private let row: Widget
  private let entry: SearchEntry
  private let resultLabel: Label
  private let announce: @MainActor (String) -> Void
  private let announcer: TypingAnnouncer

  /// Takes its widgets from the file of the answer.
  ///
  /// - Parameter announce: has a screen reader say a text.
  init(_ builder: Builder, announce: @escaping @MainActor (String) -> Void) {
    row = builder.object("search_row")
    entry = builder.object("search_entry")
    resultLabel = builder.object("match_label")
    self.announce = announce
    announcer = TypingAnnouncer(announce)
    entry.onChange { [weak self] in self?.search(isTyped: true) }
    entry.onEnter { [weak self] in self?.search() }
    entry.onStop { [weak self] in
      self?.row.isVisible = false
      self?.shownView()?.focus()
    }
  }

  /// The actions of its buttons.
  var actions: [Action] { [next, previous] }

  private lazy var next = Action("find-next") { [weak self] in self?.search() }
  private lazy var previous = Action("find-previous") { [weak self] in
    self?.search(isBackwards: true)
  }

  /// Sets whether there is something to look in.
  func enable(_ isEnabled: Bool) { for action in actions { action.isEnabled = isEnabled } }

  /// Opens the row.
  func open() {
    row.isVisible = true
    entry.grabFocusSelecting()
  }

  /// Closes the row, if it is open.
  ///
  /// - Returns: whether it had the keyboard focus.
  func close() -> Bool {
    let hadFocus = row.isVisible && row.holdsFocus
    row.isVisible = false
    return hadFocus
  }

  /// Removes a text that `condition` is true for.
  func clear(if condition: (String) -> Bool) { if condition(entry.text) { entry.text = "" } }

  /// Says nothing of what was found any more, because another text is shown.
  func forget() {
    announcer.say("")
    show("", isFound: true)
  }

  private func search(isBackwards: Bool = false, isTyped: Bool = false) {
    let text = entry.text
    guard !text.isEmpty, let view = shownView() else { return forget() }
    view.select(text, isBackwards: isBackwards, isTyped: isTyped) { [weak self, weak view] in
      // Another view may be shown by now, or something else be looked for.
      guard let self, view === shownView(), text == entry.text else { return }
      let result = $0?.text ?? tr("No Results Found")
      show(result, isFound: $0 != nil)
      announcer.say(isTyped ? result : "")
      if !isTyped { announce(result) }
    }
  }

  private func show(_ result: String, isFound: Bool) {
    entry.set(styleClass: "error", to: !isFound)
    resultLabel.set(styleClass: "error", to: !isFound)
    resultLabel.set(styleClass: "dim-label", to: isFound)
    resultLabel.show(ifAny: result)
  }
}
