import Gtk

/// A bar that says what is recorded or replayed, with a button that ends it; hidden while nothing is.
@MainActor
final class CassetteBar {
  /// The widget.
  let widget: Widget
  private let label = Label("")

  /// - Parameters:
  ///   - title: what the button says.
  ///   - stop: ends it.
  init(_ title: String, stop: @escaping @MainActor () -> Void) {
    label.wrap()
    label.alignToStart()
    label.expandHorizontally()
    let bar = InfoBar(isWarning: true, child: label)
    let button = Button(mnemonic: title)
    button.onClick(stop)
    bar.addAction(button)
    widget = bar
    widget.expandHorizontally()
    widget.isVisible = false
  }

  /// Shows what is recorded or replayed.
  ///
  /// - Returns: whether that was not said before.
  @discardableResult
  func show(_ text: String?) -> Bool {
    let isNew = text != nil && text != label.text
    label.text = text ?? ""
    widget.isVisible = text != nil
    return isNew
  }
}
