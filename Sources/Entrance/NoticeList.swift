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
    gtk_info_bar_add_child(infoBar, label)
    return bar
  }
}
