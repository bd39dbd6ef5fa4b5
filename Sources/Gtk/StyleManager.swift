import CGtk

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
