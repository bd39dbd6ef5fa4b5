import CGtk

/// Whether the program is light or dark, and how text is dimmed.
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

  /// Dims text less than libadwaita, whose opacity gives it a contrast of 3.2:1.
  ///
  /// Where the desktop's contrast is high, libadwaita's opacity is higher than this one, and stays.
  static func dimTextLess() {
    guard let display = gdk_display_get_default(), let manager = adw_style_manager_get_default()
    else { return }
    let provider = Object(owning: gtk_css_provider_new())
    gtk_css_provider_load_from_data(provider.ptr(), dimmedText, -1)
    let follow: @MainActor () -> Void = {
      if adw_style_manager_get_high_contrast(manager) != 0 {
        gtk_style_context_remove_provider_for_display(display, provider.opaque)
      } else {
        gtk_style_context_add_provider_for_display(
          display, provider.opaque, guint(GTK_STYLE_PROVIDER_PRIORITY_APPLICATION))
      }
    }
    Object(borrowing: manager).connect("notify::high-contrast", follow)
    follow()
  }

  /// The title of a row with an error or the like keeps its full color, as in libadwaita.
  private static let dimmedText = """
    .dim-label, .subtitle { opacity: 0.75; }
    row.entry.error .dim-label, row.entry.error .subtitle,
    row.entry.warning .dim-label, row.entry.warning .subtitle,
    row.entry.success .dim-label, row.entry.success .subtitle { opacity: 1; }
    """
}
