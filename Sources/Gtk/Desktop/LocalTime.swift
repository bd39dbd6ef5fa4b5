import CGtk
import Gio

/// The local time of day.
@MainActor
public enum LocalTime {
  /// Hours, minutes and seconds; empty for a time outside of GLib's calendar.
  ///
  /// - Parameter time: in seconds since 1970.
  public static func timeOfDay(at time: Double) -> String {
    text(of: time, "%H:%M:%S") ?? ""
  }

  /// The day and time as the user's language writes them; nil for a time outside of GLib's calendar.
  ///
  /// - Parameter time: in seconds since 1970.
  public static func dayAndTime(at time: Double) -> String? { text(of: time, "%x %H:%M") }

  private static func text(of time: Double, _ format: String) -> String? {
    guard let seconds = Int64(exactly: time.rounded(.down)),
      let local = g_date_time_new_from_unix_local(gint64(seconds))
    else { return nil }
    defer { g_date_time_unref(local) }
    return String(owning: g_date_time_format(local, format))
  }
}
