import CGio
public import Gio

extension Settings {
  /// Calls `handler` whenever `key` changes, whether in this program or another.
  public func whenChanged(_ key: String, _ handler: @escaping @MainActor () -> Void) {
    // GSettings reports changes only of keys that were read after the handler was connected.
    guard let settings = settings(for: key) else { return }
    Object(borrowing: settings).connect("changed::\(key)", handler)
    g_variant_unref(g_settings_get_value(settings, key))
  }
}
