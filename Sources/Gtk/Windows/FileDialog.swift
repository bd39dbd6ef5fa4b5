import CGtk
import Gio

/// The desktop's dialog for a file: the name and the place of a new one, or one that exists.
@MainActor
public final class FileDialog {
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

  /// Creates a dialog over `parent` in which a file is chosen.
  public init(over parent: Window, title: String) {
    dialog = Object(
      owning: gtk_file_chooser_native_new(
        title, parent.ptr(), GTK_FILE_CHOOSER_ACTION_OPEN, nil, nil))
    gtk_native_dialog_set_modal(dialog.ptr(), 1)
  }

  /// Offers only files whose names end like this, such as `http`, at first.
  ///
  /// - Parameter name: what they are.
  public func offer(_ suffixes: [String], called name: String) {
    let filter = Object(owning: gtk_file_filter_new())
    gtk_file_filter_set_name(filter.opaque, name)
    for suffix in suffixes { gtk_file_filter_add_suffix(filter.opaque, suffix) }
    gtk_file_chooser_add_filter(dialog.opaque, filter.opaque)
  }

  /// Offers all files, too.
  public func offerAll(called name: String) {
    let filter = Object(owning: gtk_file_filter_new())
    gtk_file_filter_set_name(filter.opaque, name)
    gtk_file_filter_add_pattern(filter.opaque, "*")
    gtk_file_chooser_add_filter(dialog.opaque, filter.opaque)
  }

  /// What was chosen.
  public enum Choice {
    /// A file, by its path.
    case path(String)
    /// A file that has no path on this computer, such as one of a server.
    case remote
    /// Nothing.
    case canceled
  }

  /// Shows it, and calls `handler` with what was chosen.
  public func present(_ handler: @escaping @MainActor (Choice) -> Void) {
    // The handler belongs to the dialog, so the pointer outlives it.
    let chooser = dialog.opaque
    dialog.connect("response") { (arguments: SignalArguments) in
      guard arguments.int(0) == Int(GTK_RESPONSE_ACCEPT.rawValue),
        let file = gtk_file_chooser_get_file(chooser)
      else { return handler(.canceled) }
      defer { g_object_unref(UnsafeMutableRawPointer(file)) }
      guard let path = String(owning: g_file_get_path(file)) else { return handler(.remote) }
      handler(.path(path))
    }
    gtk_native_dialog_show(dialog.ptr())
  }
}
