import CGtk
import EntranceKit
import Gtk

/// The notices above the page, each a bar of its own.
@MainActor
final class NoticeList {
  private let box: Object
  private var shown: [AccountState.Notice] = []

  /// Shows notices in `box`.
  init(box: Object) {
    self.box = box
  }

  /// Whether something in them has the keyboard focus.
  var hasFocus: Bool { gtk_widget_get_focus_child(box.widget) != nil }

  /// Shows `notices` in place of those before.
  func show(_ notices: [AccountState.Notice]) {
    guard notices != shown else { return }
    shown = notices
    while let bar = gtk_widget_get_first_child(box.widget) { gtk_box_remove(box.ptr(), bar) }
    for notice in notices { gtk_box_append(box.ptr(), bar(for: notice)) }
  }

  private func bar(for notice: AccountState.Notice) -> UnsafeMutablePointer<GtkWidget>? {
    let label = gtk_label_new(notice.text)
    let text = label.map { OpaquePointer($0) }
    gtk_label_set_wrap(text, 1)
    gtk_label_set_wrap_mode(text, PANGO_WRAP_WORD_CHAR)
    gtk_label_set_justify(text, GTK_JUSTIFY_CENTER)
    gtk_widget_set_hexpand(label, 1)
    let bar = gtk_info_bar_new()
    let infoBar = bar.map { OpaquePointer($0) }
    switch notice.style {
    case .information: gtk_info_bar_set_message_type(infoBar, GTK_MESSAGE_INFO)
    case .warning: gtk_info_bar_set_message_type(infoBar, GTK_MESSAGE_WARNING)
    }
    gtk_info_bar_add_child(infoBar, notice.button.map { column(label, widget($0)) } ?? label)
    return bar
  }

  private func widget(
    _ description: AccountState.Notice.Button
  ) -> UnsafeMutablePointer<GtkWidget>? {
    let button = gtk_button_new_with_mnemonic(description.label)
    // Its text alone is the accessible name, without the mnemonic.
    gtk_accessible_reset_property(button.map { OpaquePointer($0) }, GTK_ACCESSIBLE_PROPERTY_LABEL)
    let action =
      switch description.action {
      case .enterPassphrase: "win.enter-passphrase"
      case .readAgain: "win.read-again"
      }
    gtk_actionable_set_action_name(button.map { OpaquePointer($0) }, action)
    gtk_widget_set_halign(button, GTK_ALIGN_CENTER)
    return button
  }

  /// Puts one widget below the other.
  private func column(
    _ first: UnsafeMutablePointer<GtkWidget>?, _ second: UnsafeMutablePointer<GtkWidget>?
  ) -> UnsafeMutablePointer<GtkWidget>? {
    let column = gtk_box_new(GTK_ORIENTATION_VERTICAL, 6)
    let box = column.map { UnsafeMutableRawPointer($0).assumingMemoryBound(to: GtkBox.self) }
    gtk_box_append(box, first)
    gtk_box_append(box, second)
    return column
  }
}
