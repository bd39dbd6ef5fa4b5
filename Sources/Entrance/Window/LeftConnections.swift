import EntranceKit

/// The connections that a window showed before, and their logs, until the window is closed.
///
/// Without a keyring, the accounts of a connection are remembered only as long as it is open.
@MainActor
struct LeftConnections {
  private struct Entry {
    let connection: OpenConnection
    let log: LeftLog
  }

  private var entries: [Entry] = []

  /// Keeps `connection`, whose model is closed next.
  mutating func leave(_ connection: OpenConnection, _ model: WindowModel) {
    entries.removeAll { $0.connection === connection }
    entries.append(Entry(connection: connection, log: LeftLog(of: model)))
    LeftLog.shorten(entries.map(\.log))
  }

  /// The log of `connection` from when the window has left it last; nil if it never did.
  func log(of connection: OpenConnection) -> LeftLog? {
    entries.first { $0.connection === connection }?.log
  }

  /// Forgets all, because the window is closed.
  mutating func clear() { entries = [] }
}
