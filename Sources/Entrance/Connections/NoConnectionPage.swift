import Gtk

/// A page that explains why there is no account page, and what to do.
@MainActor
final class NoConnectionPage {
  /// A button with its label and action.
  struct Choice {
    /// The label, with a mnemonic.
    var label: String
    /// What it leads to, if the label does not say it.
    var explanation = ""
    /// Called on a click.
    var action: @MainActor () -> Void
  }

  /// The page.
  let widget: StatusPage
  /// All of its text, for a screen reader.
  let text: String

  private let detailsLabel: Label
  /// The suggested button or row.
  private var first: Widget?
  /// The lists of choices: the arrow keys lead from one to the other as long as both are kept.
  private var lists: [ListBox] = []

  /// Creates a page with up to three buttons; the first is the suggested action.
  ///
  /// - Parameter details: text that the user may want to copy: URLs, paths, error messages.
  convenience init(
    icon: String, title: String, description: String, details: String, first: Choice,
    second: Choice? = nil, third: Choice? = nil
  ) {
    self.init(
      icon: icon, title: title, description: description, details: details,
      buttons: [first, second, third])
  }

  /// Creates a page with a list of choices, each with its explanation, and the demo in a list of its
  /// own.
  convenience init(
    icon: String, title: String, description: String, choices: [Choice], demo: Choice
  ) {
    self.init(
      icon: icon, title: title, description: description, details: "",
      buttons: [nil, nil, nil])
    let list: ListBox = builder.object("choices")
    let rows = choices.map { Self.row($0) }
    list.show(rows)
    let demoList: ListBox = builder.object("demo_list")
    demoList.show([Self.row(demo)])
    list.leadKeys(to: demoList)
    lists = [list, demoList]
    let clamp: Widget = builder.object("choices_clamp")
    clamp.isVisible = true
    first = rows.first
  }

  private static func row(_ choice: Choice) -> ActionRow {
    let row = ActionRow(title: "", subtitle: choice.explanation, subtitleLines: 0)
    row.setTitle(mnemonic: choice.label)
    row.wrapTitle()
    row.add(Image(icon: "go-next-symbolic"))
    row.onActivate(choice.action)
    return row
  }

  private let builder: Builder

  private init(
    icon: String, title: String, description: String, details: String, buttons: [Choice?]
  ) {
    builder = Builder(interface: "status-page")
    widget = builder.object("page")
    text = [title, description, details].joined(separator: "\n")
    widget.show(icon: icon, title: title, description: description)
    detailsLabel = builder.object("details_label")
    detailsLabel.show(ifAny: details)
    for (name, choice) in zip(["first_button", "second_button", "third_button"], buttons) {
      let button: Button = builder.object(name)
      Self.set(button, to: choice)
      if choice != nil, first == nil { first = button }
    }
  }

  /// Moves the keyboard focus to the suggested button.
  func focus() {
    widget.window?.focusedWidget = first
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
