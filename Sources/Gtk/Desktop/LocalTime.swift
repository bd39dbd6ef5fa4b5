import CGtk

/// The local time of day.
@MainActor
public final class LocalTime {
  private let zone = g_time_zone_new_local()

  /// Reads the computer's time zone.
  public init() {}

  isolated deinit {
    g_time_zone_unref(zone)
  }

  /// Hours, minutes and seconds; empty for a time outside of GLib's calendar.
  ///
  /// - Parameter time: in seconds since 1970.
  public func timeOfDay(at time: Int64) -> String { text(of: time, "%H:%M:%S") }

  /// The day and time as the user's language writes them; empty for a time outside of GLib's calendar.
  ///
  /// - Parameter time: in seconds since 1970.
  public func dayAndTime(at time: Int64) -> String { text(of: time, "%x %H:%M") }

  private func text(of time: Int64, _ format: String) -> String {
    guard let utc = g_date_time_new_from_unix_utc(gint64(time)) else { return "" }
    defer { g_date_time_unref(utc) }
    guard let local = g_date_time_to_timezone(utc, zone) else { return "" }
    defer { g_date_time_unref(local) }
    guard let text = g_date_time_format(local, format) else { return "" }
    defer { g_free(text) }
    return String(cString: text)
  }
}
