import CGtk
import Gio

/// Tells when a file was changed, made, replaced or removed, by whatever program.
@MainActor
public final class FileMonitor {
  private let monitor: Object?

  /// Watches what is at `path`, also when it is not there yet.
  ///
  /// - Parameter handler: runs after each change, once it is done.
  public init(_ path: String, _ handler: @escaping @MainActor () -> Void) {
    let file = Object(owning: g_file_new_for_path(path))
    monitor = g_file_monitor_file(file.opaque, G_FILE_MONITOR_WATCH_MOVES, nil, nil)
      .map { Object(owning: $0) }
    monitor?.connect("changed") { (arguments: SignalArguments) in
      // The hint that a program is done comes after the changes themselves.
      let event = arguments.int(2)
      guard event != Int(G_FILE_MONITOR_EVENT_CHANGED.rawValue) else { return }
      handler()
    }
  }

  isolated deinit {
    if let monitor { g_file_monitor_cancel(monitor.ptr()) }
  }
}
