import Synchronization

/// Whether the user may be asked to unlock a keyring: until they decline.
///
/// A prompt that was not waited for does not count as declined.
final class UnlockPrompt: Sendable {
  private let isDeclined = Atomic(false)

  var mayBeAsked: Bool { !isDeclined.load(ordering: .relaxed) }

  /// Records that the user declined or did not answer.
  func decline() { isDeclined.store(true, ordering: .relaxed) }

  /// Allows asking again.
  func allow() { isDeclined.store(false, ordering: .relaxed) }
}
