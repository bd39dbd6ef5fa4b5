package import Glibc

/// A value that is only reached under a lock.
///
/// What `Synchronization.Mutex` does, with a POSIX mutex: ThreadSanitizer knows those, but reports
/// races that are none when two threads contend for a `Mutex`.
///
/// Unchecked, because the lock is what makes the value safe to share.
package final class LockedValue<Value: Sendable>: @unchecked Sendable {
  @usableFromInline let mutex: UnsafeMutablePointer<pthread_mutex_t>
  @usableFromInline var value: Value

  /// Keeps `value`.
  package init(_ value: Value) {
    self.value = value
    mutex = .allocate(capacity: 1)
    pthread_mutex_init(mutex, nil)
  }

  deinit {
    pthread_mutex_destroy(mutex)
    mutex.deallocate()
  }

  /// Gives `body` the value to read or change, while all others wait.
  @inlinable
  package func withLock<Result>(_ body: (inout Value) -> Result) -> Result {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    return body(&value)
  }
}

extension LockedValue: CustomReflectable {
  /// Nothing: what prints a value does not take its lock.
  package var customMirror: Mirror { Mirror(self, children: []) }
}
