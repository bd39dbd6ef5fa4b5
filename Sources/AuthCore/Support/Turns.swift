import CurlHTTP

/// Lets callers that are about the same have their turn one after the other, in the order in which they came.
final class Turns<Key: Hashable & Sendable>: Sendable {
  /// Those who wait behind the one that has its turn.
  private let waiting = LockedValue<[Key: [CheckedContinuation<Void, Never>]]>([:])

  /// Waits for the caller's turn, which lasts until ``end(_:)``.
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

  /// Begins the caller's turn if it need not wait.
  func beginNow(_ key: Key) -> Bool {
    waiting.withLock { waiting in
      guard waiting[key] == nil else { return false }
      waiting[key] = []
      return true
    }
  }

  /// Lets the next one have its turn.
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
