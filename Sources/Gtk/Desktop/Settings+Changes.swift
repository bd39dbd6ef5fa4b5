import CGio
import CGtk
public import Gio

extension Settings {
  /// Calls `handler` whenever `key` changes, whether in this program or another.
  public func onChange(of key: String, _ handler: @escaping @MainActor () -> Void) {
    // GSettings reports changes only of keys that were read after the handler was connected.
    guard let settings = settings(for: key) else { return }
    Object(borrowing: settings).connect("changed::\(key)", handler)
    g_variant_unref(g_settings_get_value(settings, key))
  }
}

/// Whether the program is light or dark.
@MainActor
public enum StyleManager {
  /// Follows the desktop.
  public static func followDesktop() { set(ADW_COLOR_SCHEME_DEFAULT) }

  /// Is always light.
  public static func useLight() { set(ADW_COLOR_SCHEME_FORCE_LIGHT) }

  /// Is always dark.
  public static func useDark() { set(ADW_COLOR_SCHEME_FORCE_DARK) }

  private static func set(_ scheme: AdwColorScheme) {
    adw_style_manager_set_color_scheme(adw_style_manager_get_default(), scheme)
  }
}
