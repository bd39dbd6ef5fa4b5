import CGtk
import Gio

/// Tells whether the computer is connected to a network.
@MainActor
public final class NetworkMonitor {
  // The monitor is GIO's own, for the whole process.
  private let monitor = g_network_monitor_get_default().map { Object(borrowing: $0) }
  private var handlers: [SignalHandler] = []

  /// Observes the computer's network.
  public init() {}

  /// Whether there is a network that leads to other computers.
  public var isAvailable: Bool {
    monitor.map { g_network_monitor_get_network_available($0.opaque) != 0 } ?? true
  }

  /// Whether the network lets nobody through before they sign in on its page.
  public var needsSignIn: Bool {
    monitor.map {
      g_network_monitor_get_connectivity($0.opaque) == G_NETWORK_CONNECTIVITY_PORTAL
    } ?? false
  }

  /// Calls `handler` when one of these changes.
  public func onChange(_ handler: @escaping @MainActor () -> Void) {
    // The first is about networks, and the second about what is behind them.
    handlers = ["network-changed", "notify::connectivity"].compactMap {
      monitor?.connect($0, handler)
    }
  }

  isolated deinit {
    for handler in handlers { monitor?.disconnect(handler) }
  }
}
