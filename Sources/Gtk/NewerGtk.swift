import CGtk
import Glibc

/// What newer versions of GTK and libadwaita offer.
///
/// It is looked up while the program runs, because the program is built with GTK 4.8. A function is
/// nil where GTK does not have it.
enum NewerGtk {
  /// Has a screen reader say a text, wherever the keyboard focus is.
  ///
  /// Its parameters are an accessible object of the window, the text and the priority. Since GTK
  /// 4.14.
  static let announce = function(
    "gtk_accessible_announce",
    as: (@convention(c) (OpaquePointer, UnsafePointer<CChar>, CInt) -> Void).self)

  /// The priority of an announcement that follows what is being said.
  static let mediumPriority: CInt = 1

  /// Sets through what Tab goes in a list.
  ///
  /// Its parameters are the list and the behavior. Since GTK 4.12.
  static let setTabBehavior = function(
    "gtk_list_view_set_tab_behavior",
    as: (@convention(c) (OpaquePointer, CInt) -> Void).self)

  /// Only through what is in one row.
  static let tabInItem: CInt = 1

  /// Whether the accessible objects of another process, such as a web page, can be part of a window.
  ///
  /// Since GTK 4.14.
  static let hasAccessibleSockets = symbol("gtk_at_spi_socket_new") != nil

  /// Whether GTK warns when a widget is measured for less than its minimum.
  ///
  /// Since GTK 4.18.
  static let warnsOfSizes = gtk_check_version(4, 18, 0) == nil

  /// Whether toasts are announced by themselves.
  ///
  /// Since libadwaita 1.6.
  static let announcesToasts = adw_get_minor_version() >= 6

  private static func function<Function>(_ name: String, as type: Function.Type) -> Function? {
    symbol(name).map { unsafeBitCast($0, to: type) }
  }

  private static func symbol(_ name: String) -> UnsafeMutableRawPointer? { dlsym(nil, name) }
}
