import CGtk

/// The desktop's dialog for the name and the place of a new file.
@MainActor
public final class SaveDialog {
  // It exists only as long as it is retained.
  private let dialog: Object

  /// Creates a dialog over `parent` with a suggested name.
  public init(over parent: Window, title: String, name: String) {
    dialog = Object(
      owning: gtk_file_chooser_native_new(
        title, parent.ptr(), GTK_FILE_CHOOSER_ACTION_SAVE, nil, nil))
    gtk_file_chooser_set_current_name(dialog.opaque, name)
    gtk_native_dialog_set_modal(dialog.ptr(), 1)
  }

  /// Shows it, and calls `handler` with the path of the chosen file; nil when it was canceled.
  public func present(_ handler: @escaping @MainActor (String?) -> Void) {
    // The handler belongs to the dialog, so the pointer outlives it.
    let chooser = dialog.opaque
    dialog.connect("response") { (arguments: SignalArguments) in
      guard arguments.int(0) == Int(GTK_RESPONSE_ACCEPT.rawValue),
        let file = gtk_file_chooser_get_file(chooser)
      else { return handler(nil) }
      defer { g_object_unref(UnsafeMutableRawPointer(file)) }
      let path = g_file_get_path(file)
      defer { g_free(path) }
      handler(path.map { String(cString: $0) })
    }
    gtk_native_dialog_show(dialog.ptr())
  }
}
