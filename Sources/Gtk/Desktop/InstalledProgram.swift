import CGio
import CGtk
public import Gio

/// A program that the desktop can start.
@MainActor
public final class InstalledProgram {
  private let info: Object

  /// Finds a program by its ID, such as `org.example.App.desktop`; nil when it is not installed.
  public init?(id: String) {
    let all = g_app_info_get_all()
    defer { g_list_free_full(all) { g_object_unref($0) } }
    var entry = all
    while let current = entry, let program = current.pointee.data {
      if g_app_info_get_id(OpaquePointer(program)).map({ String(cString: $0) }) == id {
        info = Object(borrowing: program)
        return
      }
      entry = current.pointee.next
    }
    return nil
  }

  /// Starts it, in front of the window of `widget`.
  public func start(from widget: Widget) throws(GLibError) {
    let context = Object(
      owning: gdk_display_get_app_launch_context(gtk_widget_get_display(widget.widget)))
    var error: UnsafeMutablePointer<GError>?
    if g_app_info_launch(info.opaque, nil, context.ptr(), &error) == 0, let error {
      throw GLibError(taking: error)
    }
  }
}

/// The programs that the desktop opens URLs with.
public enum DefaultApplication {
  /// The ID of the program for URLs of this scheme, such as `org.example.App.desktop`; nil when there
  /// is none.
  public static func id(forScheme scheme: String) -> String? {
    guard let program = g_app_info_get_default_for_uri_scheme(scheme) else { return nil }
    defer { g_object_unref(UnsafeMutableRawPointer(program)) }
    return g_app_info_get_id(program).map { String(cString: $0) }
  }
}
