package import Glibc

/// A value protected by a lock.
///
/// Like `Synchronization.Mutex`, but with a POSIX mutex: ThreadSanitizer knows POSIX mutexes, and
/// reports false races when two threads contend for a `Mutex`.
///
/// Unchecked, because the lock makes the value safe to share.
package final class LockedValue<Value: Sendable>: @unchecked Sendable {
  @usableFromInline let mutex: UnsafeMutablePointer<pthread_mutex_t>
  @usableFromInline var value: Value

  /// Creates a lock around `value`.
  package init(_ value: Value) {
    self.value = value
    mutex = .allocate(capacity: 1)
    pthread_mutex_init(mutex, nil)
  }

  deinit {
    pthread_mutex_destroy(mutex)
    mutex.deallocate()
  }

  /// Calls `body` with exclusive access to the value.
  @inlinable
  package func withLock<Result>(_ body: (inout Value) -> Result) -> Result {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    return body(&value)
  }
}

extension LockedValue: CustomReflectable {
  /// Empty, because printing must not take the lock.
  package var customMirror: Mirror { Mirror(self, children: []) }
}
