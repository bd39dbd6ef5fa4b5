import AuthCore
import CGtk
import EntranceKit
import Gtk

/// Asks for the passphrase of the encrypted files: draws what a ``PassphraseModel`` says.
@MainActor
final class PassphraseDialog {
  private let model: PassphraseModel
  private let window: Object
  private let passphraseRow: Object
  private let repeatRow: Object
  private let ruleLabel: Object
  private let problemLabel: Object
  private let spinner: Object
  private lazy var submit = Action("submit") { [weak self] in self?.handOver() }

  /// Makes the dialog; it is not shown yet.
  init(_ model: PassphraseModel) throws(GLibError) {
    self.model = model
    let builder = try Builder(resource: Window.resourcePath + "ui/passphrase-dialog.ui")
    window = builder.object("window")
    passphraseRow = builder.object("passphrase_row")
    repeatRow = builder.object("repeat_row")
    ruleLabel = builder.object("rule_label")
    problemLabel = builder.object("problem_label")
    spinner = builder.object("spinner")
    gtk_window_set_title(window.ptr(), model.title)
    gtk_label_set_text(builder.object("explanation_label").opaque, model.explanation)
    gtk_label_set_text(ruleLabel.opaque, model.rule ?? "")
    gtk_widget_set_visible(ruleLabel.widget, model.rule == nil ? 0 : 1)
    let button = builder.object("submit_button")
    gtk_button_set_label(button.ptr(), model.button)
    // Its text alone is the accessible name, without the mnemonic.
    gtk_accessible_reset_property(button.opaque, GTK_ACCESSIBLE_PROPERTY_LABEL)
    gtk_widget_set_visible(repeatRow.widget, model.isNew ? 1 : 0)
    let group = Object(owning: g_simple_action_group_new())
    group.add([submit])
    gtk_widget_insert_action_group(window.widget, "passphrase", group.opaque)
    show(model.state)
  }

  /// Shows the dialog over `parent` until it is done or given up.
  func present(over parent: Object, whenClosed: @escaping @MainActor () -> Void) {
    window.belong(to: parent)
    passphraseRow.connect("entry-activated") { [weak self] in self?.goOn() }
    repeatRow.connect("entry-activated") { [weak self] in self?.handOver() }
    model.onChange = { [weak self] in self?.show($0) }
    // However it goes: done, given up, or with its parent.
    window.whenGone { [weak self] in
      self?.model.onChange = nil
      self?.clear()
      whenClosed()
    }
    gtk_window_present(window.ptr())
    gtk_widget_grab_focus(passphraseRow.widget)
  }

  /// What Enter does in the first field.
  private func goOn() {
    if model.isNew { gtk_widget_grab_focus(repeatRow.widget) } else { handOver() }
  }

  private func handOver() {
    model.submit(text(of: passphraseRow), repeated: text(of: repeatRow))
  }

  private func show(_ state: PassphraseModel.State) {
    if state.isDone { return gtk_window_close(window.ptr()) }
    submit.isEnabled = !state.isBusy
    gtk_spinner_set_spinning(spinner.opaque, state.isBusy ? 1 : 0)
    gtk_widget_set_visible(spinner.widget, state.isBusy ? 1 : 0)
    gtk_widget_set_sensitive(passphraseRow.widget, state.isBusy ? 0 : 1)
    gtk_widget_set_sensitive(repeatRow.widget, state.isBusy ? 0 : 1)
    gtk_label_set_text(problemLabel.opaque, state.problem ?? "")
    gtk_widget_set_visible(problemLabel.widget, state.problem == nil ? 0 : 1)
    // A screen reader says it with the field, which has the focus in a moment.
    entrance_set_accessible_description(
      passphraseRow.raw, state.problem ?? model.rule ?? model.explanation)
    if state.problem != nil {
      // What was refused is of no use, and a screen reader would say what is selected.
      clear()
      // As high as it takes now.
      gtk_window_set_default_size(window.ptr(), Int32(window.int("default-width")), -1)
      gtk_widget_grab_focus(passphraseRow.widget)
    }
  }

  private func text(of row: Object) -> Secret<String> {
    Secret(gtk_editable_get_text(row.opaque).map { String(cString: $0) } ?? "")
  }

  /// Leaves no passphrase in a widget.
  private func clear() {
    for row in [passphraseRow, repeatRow] { gtk_editable_set_text(row.opaque, "") }
  }
}
