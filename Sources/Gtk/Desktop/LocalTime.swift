import CGtk
import Gio

/// The local time of day.
@MainActor
public enum LocalTime {
  /// Hours, minutes and seconds; empty for a time outside of GLib's calendar.
  ///
  /// - Parameter time: in seconds since 1970.
  public static func timeOfDay(at time: Int64) -> String { text(of: time, "%H:%M:%S") }

  /// The day and time as the user's language writes them; empty for a time outside of GLib's calendar.
  ///
  /// - Parameter time: in seconds since 1970.
  public static func dayAndTime(at time: Int64) -> String { text(of: time, "%x %H:%M") }

  private static func text(of time: Int64, _ format: String) -> String {
    guard let local = g_date_time_new_from_unix_local(gint64(time)) else { return "" }
    defer { g_date_time_unref(local) }
    return String(owning: g_date_time_format(local, format)) ?? ""
  }
}
