import AuthCore
import CurlHTTP

/// The token requests of a command.
enum PendingTokenRequests {
  private static let isWaitOver = LockedValue(false)

  /// Waits for the requests that are in progress: once, and again if that was interrupted by a signal.
  static func finish() async {
    guard !isWaitOver.withLock(\.self) else { return }
    await PublicClientApplication.finishTokenRequests()
    if !Task.isCancelled { isWaitOver.withLock { $0 = true } }
  }
}
