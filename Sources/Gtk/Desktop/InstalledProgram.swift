import CGio
import CGtk
import Glibc
public import Gio

/// A program that the desktop can start.
@MainActor
public final class InstalledProgram {
  private let info: Object

  /// Finds a program by its ID, such as `org.example.App.desktop`; nil when it is not installed.
  public static func find(id: String) -> InstalledProgram? { all().first { $0.id == id } }

  /// All programs.
  public static func all() -> [InstalledProgram] {
    let all = g_app_info_get_all()
    defer { g_list_free_full(all) { g_object_unref($0) } }
    return pointers(in: all).map { InstalledProgram(info: Object(borrowing: $0)) }
  }

  private init(info: Object) { self.info = info }

  /// Its ID, such as `org.example.App.desktop`.
  public var id: String { g_app_info_get_id(info.opaque).map { String(cString: $0) } ?? "" }

  /// The path of the file that starts it, without links; nil when that is not installed.
  public var executable: String? {
    guard let name = g_app_info_get_executable(info.opaque),
      let found = String(owning: g_find_program_in_path(name)),
      let real = realpath(found, nil)
    else { return nil }
    defer { free(real) }
    return String(cString: real)
  }

  /// Its name, in the user's language.
  public var name: String {
    g_app_info_get_display_name(info.opaque).map { String(cString: $0) } ?? ""
  }

  /// Its icon, of this size in pixels; nil when it has none.
  public func icon(size: Int) -> Image? {
    g_app_info_get_icon(info.opaque).map { Image(gIcon: UnsafeMutableRawPointer($0), size: size) }
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
