import AuthCore
import CurlHTTP
import FoundationEssentials

/// Holds requests back, so that no mailbox gets more than four at a time: Graph refuses the fifth.
///
/// All copies of a client share it, with whatever tokens. A mailbox that is addressed by different
/// names counts as several.
final class MailboxQueue: Sendable {
  /// Graph's limit of concurrent requests, for an app and a mailbox.
  static let limit = 4

  /// A mailbox, as one sender addresses it.
  struct Address: Hashable {
    /// Whose tokens are used: each person's `/me` is another mailbox.
    var sender: Int
    var name: String
  }

  private struct Mailbox {
    var running = 0
    var waiting: [(id: Int, turn: CheckedContinuation<Bool, Never>)] = []
  }

  private struct State {
    var mailboxes: [Address: Mailbox] = [:]
    var lastID = 0
  }

  private let state = LockedValue(State())

  /// How many requests wait for their turn.
  var waitingCount: Int {
    state.withLock { $0.mailboxes.values.reduce(0) { $0 + $1.waiting.count } }
  }

  /// Does `work` when it is its turn; at once for a request that is to no mailbox.
  ///
  /// - Throws: `CancellationError` when the task was canceled before.
  func whenFree<Value>(
    _ mailbox: Address?, _ work: () async throws -> Value
  ) async throws -> Value {
    guard let mailbox else { return try await work() }
    guard await enter(mailbox) else { throw CancellationError() }
    defer { leave(mailbox) }
    return try await work()
  }

  /// Waits for a turn, on the caller's actor; false when the task was canceled before it came.
  private func enter(
    _ mailbox: Address, isolation: isolated (any Actor)? = #isolation
  ) async -> Bool {
    let id = state.withLock { state in
      state.lastID += 1
      return state.lastID
    }
    return await withTaskCancellationHandler {
      _ = isolation
      return await withCheckedContinuation { turn in
        let isNow = state.withLock { state -> Bool? in
          if Task.isCancelled { return false }
          var queue = state.mailboxes[mailbox] ?? Mailbox()
          defer { state.mailboxes[mailbox] = queue }
          guard queue.running >= Self.limit else {
            queue.running += 1
            return true
          }
          queue.waiting.append((id, turn))
          return nil
        }
        if let isNow { turn.resume(returning: isNow) }
      }
    } onCancel: {
      let turn = state.withLock { state in
        let index = state.mailboxes[mailbox]?.waiting.firstIndex { $0.id == id }
        return index.flatMap { state.mailboxes[mailbox]?.waiting.remove(at: $0).turn }
      }
      turn?.resume(returning: false)
    }
  }

  /// Gives the turn to the next one.
  private func leave(_ mailbox: Address) {
    let next = state.withLock { state -> CheckedContinuation<Bool, Never>? in
      guard var queue = state.mailboxes[mailbox] else { return nil }
      defer { state.mailboxes[mailbox] = queue.running == 0 ? nil : queue }
      guard queue.waiting.isEmpty else { return queue.waiting.removeFirst().turn }
      queue.running -= 1
      return nil
    }
    next?.resume(returning: true)
  }

  /// The mailbox that a request is for, by its path with the version; nil for none.
  static func mailbox(of path: String) -> String? {
    // /v1.0/me/messages, or /v1.0/users/ID/messages
    var rest = path.utf8.prefix { $0 != UInt8(ascii: "?") }
    func next() -> Substring? {
      rest = rest.drop { $0 == UInt8(ascii: "/") }
      guard !rest.isEmpty else { return nil }
      let segment = rest.prefix { $0 != UInt8(ascii: "/") }
      rest = rest[segment.endIndex...]
      return Substring(segment)
    }
    var first = next()
    if let segment = first, GraphClient.Version.isVersion(segment) { first = next() }
    let root = first?.lowercased()
    guard root == "me" || root == "users", let user = root == "users" ? next() : first,
      let resource = next()
    else { return nil }
    return resources.contains(resource.prefix { $0 != "(" }.lowercased())
      ? user.lowercased() : nil
  }

  /// What is in a mailbox.
  private static let resources: Set<String> = [
    "calendar", "calendargroups", "calendars", "calendarview", "contactfolders", "contacts",
    "events", "findmeetingtimes", "getmailtips", "inferenceclassification", "mailboxsettings",
    "mailfolders", "messages", "microsoft.graph.findmeetingtimes", "microsoft.graph.getmailtips",
    "microsoft.graph.sendmail", "outlook", "people", "sendmail",
  ]
}
