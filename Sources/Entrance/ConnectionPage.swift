import Gtk

/// A page that says why there is no account page, and what can be done.
@MainActor
final class ConnectionPage {
  /// A button: its label, and what it does.
  struct Choice {
    /// The label, with a mnemonic.
    var label: String
    /// Runs when it is clicked.
    var action: @MainActor () -> Void
  }

  /// The page.
  let widget: StatusPage

  private let detailsLabel: Label
  private let firstButton: Button

  /// Creates a page with up to three buttons, the first of which is the suggested one.
  ///
  /// - Parameter details: what a person may want to copy: addresses, paths, the words of an error.
  init(
    icon: String, title: String, description: String, details: String, first: Choice,
    second: Choice? = nil, third: Choice? = nil
  ) throws(GLibError) {
    let builder = try Builder(interface: "status-page")
    widget = builder.object("page")
    widget.show(icon: icon, title: title, description: description)
    detailsLabel = builder.object("details_label")
    detailsLabel.text = details
    detailsLabel.isVisible = !details.isEmpty
    firstButton = builder.object("first_button")
    Self.set(firstButton, to: first)
    Self.set(builder.object("second_button"), to: second)
    Self.set(builder.object("third_button"), to: third)
  }

  /// Gives the keyboard focus to the suggested button.
  func focus() {
    widget.window?.focusedWidget = firstButton
    // The label was focused before, which selects all of it.
    detailsLabel.deselect()
  }

  private static func set(_ button: Button, to choice: Choice?) {
    button.isVisible = choice != nil
    guard let choice else { return }
    button.setLabel(mnemonic: choice.label)
    button.onClick(choice.action)
  }
}
