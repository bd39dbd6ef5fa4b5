import CGtk

/// What screen readers can do with this version of GTK.
@MainActor
public enum ScreenReader {
  /// Whether they can read the pages of a web view.
  public static var canReadWebPages: Bool { NewerGtk.hasAccessibleSockets }

  /// Whether they read the texts around a widget that gets the focus: not with GTK 4.8, in which
  /// boxes have no role.
  public static var readsGroups: Bool { gtk_check_version(4, 14, 0) == nil }

  /// Whether they do not notice that an entry row gets the focus.
  static var ignoresEntryRows: Bool { gtk_check_version(4, 14, 0) != nil }
}
