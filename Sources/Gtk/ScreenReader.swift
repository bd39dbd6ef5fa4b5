import CGtk

/// What screen readers can do with this version of GTK.
@MainActor
public enum ScreenReader {
  /// Whether they can read the pages of a web view.
  ///
  /// Since GTK 4.14, WebKit can connect its pages with the window's accessible objects.
  public static var canReadWebPages: Bool { isNew }

  /// Whether they do not notice that an entry row gets the focus.
  static var ignoresEntryRows: Bool { !isNew }

  private static var isNew: Bool { gtk_check_version(4, 14, 0) == nil }
}
