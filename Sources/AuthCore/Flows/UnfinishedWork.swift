import CurlHTTP

/// Work that is finished before the process ends, while this object exists.
///
/// It is a token request that was sent and whose answer is not stored yet: it uses up a refresh
/// token or a code, so it is not given up with its caller. Or it is what a person has confirmed,
/// such as a sign-out. See ``PublicClientApplication/finishTokenRequests()``.
package final class UnfinishedWork: Sendable {
  /// How long the answer to a canceled request is waited for, also by a program that is about to
  /// end: a service answers in less than a second, and nobody should wait long for a network that
  /// fails.
  static let timeout = Duration.seconds(5)

  private struct State {
    var count = 0
    var waiting: [Int: CheckedContinuation<Void, Never>] = [:]
    var lastID = 0
  }

  /// All work of the process, because a process that ends takes all of it with it.
  private static let state = LockedValue(State())

  /// Begins work.
  package init() {
    Self.state.withLock { $0.count += 1 }
  }

  deinit {
    let waiting = Self.state.withLock { state in
      state.count -= 1
      guard state.count == 0 else { return [CheckedContinuation<Void, Never>]() }
      defer { state.waiting = [:] }
      return Array(state.waiting.values)
    }
    for caller in waiting { caller.resume() }
  }

  /// Whether anything is in progress.
  package static var isInProgress: Bool { state.withLock { $0.count > 0 } }

  /// Waits until nothing is in progress, or the task is canceled.
  package static func finish() async {
    let id = state.withLock { state in
      state.lastID += 1
      return state.lastID
    }
    await withTaskCancellationHandler {
      await withCheckedContinuation { caller in
        let isOver = state.withLock { state in
          guard state.count > 0, !Task.isCancelled else { return true }
          state.waiting[id] = caller
          return false
        }
        if isOver { caller.resume() }
      }
    } onCancel: {
      state.withLock { $0.waiting.removeValue(forKey: id) }?.resume()
    }
  }

  /// Waits until nothing is in progress, for ``timeout`` at most.
  static func finishInTime() async {
    await withTaskGroup(of: Void.self) { group in
      group.addTask { await finish() }
      group.addTask { try? await Task.sleep(for: timeout) }
      await group.next()
      group.cancelAll()
    }
  }
}

extension PublicClientApplication {
  /// Waits until the answers to all token requests of this process have arrived and are stored, and
  /// accounts that are signed out are removed from their store, five seconds at most.
  ///
  /// Call it before the process ends, also after a signal. A service may accept each refresh token
  /// only once: if the process ends between a request and its answer, the account is lost. A
  /// canceled task does not stop such a request either.
  public static func finishTokenRequests() async { await UnfinishedWork.finishInTime() }
}
