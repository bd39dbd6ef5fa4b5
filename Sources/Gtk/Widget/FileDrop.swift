import CGtk
import Gio

/// Takes files that are dropped on a widget.
@MainActor
public final class FileDrop: Object {
  /// Adds it to `widget`.
  ///
  /// - Parameters:
  ///   - widget: what they are dropped on.
  ///   - beforeChildren: whether what is in `widget` does not get them first, such as a text, which
  ///     would take their names.
  ///   - handler: gets the paths of the files, and returns whether it takes them. Files that have no
  ///     path, such as those of a server, are left out.
  public convenience init(
    on widget: Widget, beforeChildren: Bool = false,
    _ handler: @escaping @MainActor ([String]) -> Bool
  ) {
    self.init(owning: gtk_drop_target_new(gdk_file_list_get_type(), GDK_ACTION_COPY))
    if beforeChildren { gtk_event_controller_set_propagation_phase(opaque, GTK_PHASE_CAPTURE) }
    widget.add(controller: self)
    connectReturningBool("drop") { handler(Self.paths($0.pointer(0))) }
  }

  /// The paths of what was dropped, a `GValue`.
  private static func paths(_ pointer: UnsafeMutableRawPointer?) -> [String] {
    guard let value = pointer?.assumingMemoryBound(to: GValue.self),
      entrance_value_type(value) == gdk_file_list_get_type(), let list = g_value_get_boxed(value)
    else { return [] }
    let files = gdk_file_list_get_files(OpaquePointer(list))
    defer { g_slist_free(files) }
    return pointers(in: files).compactMap { String(owning: g_file_get_path(OpaquePointer($0))) }
  }
}
