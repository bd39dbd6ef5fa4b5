import CGio

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
