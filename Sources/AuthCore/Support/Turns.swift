import CurlHTTP

/// Lets callers with the same key take turns, in the order in which they came.
final class Turns<Key: Hashable & Sendable>: Sendable {
  /// The callers that wait behind the one that has the turn.
  private let waiting = LockedValue<[Key: [CheckedContinuation<Void, Never>]]>([:])

  /// Waits for the turn, which lasts until ``end(_:)``.
  func begin(_ key: Key) async {
    await withCheckedContinuation { caller in
      let isFree = waiting.withLock { waiting in
        waiting[key]?.append(caller)
        guard waiting[key] == nil else { return false }
        waiting[key] = []
        return true
      }
      if isFree { caller.resume() }
    }
  }

  /// Takes the turn if it is free; returns whether it was.
  func beginNow(_ key: Key) -> Bool {
    waiting.withLock { waiting in
      guard waiting[key] == nil else { return false }
      waiting[key] = []
      return true
    }
  }

  /// Passes the turn to the next caller.
  func end(_ key: Key) {
    let next = waiting.withLock { waiting in
      guard waiting[key]?.isEmpty == false else {
        waiting[key] = nil
        return nil as CheckedContinuation<Void, Never>?
      }
      return waiting[key]?.removeFirst()
    }
    next?.resume()
  }
}
