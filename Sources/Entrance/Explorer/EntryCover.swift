import Gtk

/// Stands for an entry whose text has personal details that are hidden: a button with what of it is
/// shown, until the person wants to read or change the text, which stays as it is.
@MainActor
final class EntryCover {
  private let entry: Entry
  private let button: Button
  private let label: Label
  /// What is shown in place of the text; nil when there is nothing to hide.
  private var text: String?
  /// Whether the person reads or changes the text.
  private var isOpen = false

  /// Creates a cover that is not there yet.
  init(over entry: Entry, _ button: Button, _ label: Label) {
    (self.entry, self.button, self.label) = (entry, button, label)
    label.isRightToLeft = false
    button.onClick { [weak self] in self?.open() }
    entry.onFocusLoss { [weak self] in
      guard self?.isOpen == true else { return }
      // Not before the focus is where it goes.
      MainLoop.whenIdle { self?.closeWithoutFocus() }
    }
  }

  /// Shows `text` in place of the entry's own one from now on; nil for the entry.
  func show(_ text: String?) {
    guard text != self.text else { return }
    self.text = text
    label.text = text ?? ""
    button.setAccessibleDescription(text ?? "")
    draw()
  }

  /// Stays away, because the person types in the entry.
  func stayAway() { isOpen = true }

  /// Gives way to the entry, which gets the focus.
  func open() {
    isOpen = true
    draw()
    entry.grabFocusSelecting()
  }

  /// Covers the entry again.
  func close() {
    isOpen = false
    draw()
  }

  /// Takes the focus, or gives it to the entry.
  func focus() { if !entry.grabFocus() { button.grabFocus() } }

  private func closeWithoutFocus() { if !entry.holdsFocus { close() } }

  private func draw() {
    let covers = text != nil && !isOpen
    guard entry.isVisible == covers else { return }
    let hadFocus = entry.holdsFocus || button.hasFocus
    button.isVisible = covers
    entry.isVisible = !covers
    if hadFocus { focus() }
  }
}
