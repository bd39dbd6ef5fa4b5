import Gtk

/// A page that explains why there is no account page, and what to do.
@MainActor
final class ConnectionPage {
  /// A button with its label and action.
  struct Choice {
    /// The label, with a mnemonic.
    var label: String
    /// Called on a click.
    var action: @MainActor () -> Void
  }

  /// The page.
  let widget: StatusPage
  /// All of its text, for a screen reader.
  let text: String

  private let detailsLabel: Label
  private let firstButton: Button

  /// Creates a page with up to three buttons; the first is the suggested action.
  ///
  /// - Parameter details: text that the user may want to copy: URLs, paths, error messages.
  init(
    icon: String, title: String, description: String, details: String, first: Choice,
    second: Choice? = nil, third: Choice? = nil
  ) {
    let builder = Builder(interface: "status-page")
    widget = builder.object("page")
    text = [title, description, details].joined(separator: "\n")
    widget.show(icon: icon, title: title, description: description)
    detailsLabel = builder.object("details_label")
    detailsLabel.text = details
    detailsLabel.isVisible = !details.isEmpty
    firstButton = builder.object("first_button")
    Self.set(firstButton, to: first)
    Self.set(builder.object("second_button"), to: second)
    Self.set(builder.object("third_button"), to: third)
  }

  /// Moves the keyboard focus to the suggested button.
  func focus() {
    widget.window?.focusedWidget = firstButton
    // The label had the focus before, which selects all its text.
    detailsLabel.deselect()
  }

  private static func set(_ button: Button, to choice: Choice?) {
    button.isVisible = choice != nil
    guard let choice else { return }
    button.setLabel(mnemonic: choice.label)
    button.onClick(choice.action)
  }
}
