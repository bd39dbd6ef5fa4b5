import AuthCore
import Connections

/// The log of an app that its window has left, until the window comes back to it.
///
/// Nothing of it is shown meanwhile, and nothing keeps it in step with the accounts. So it has no
/// tokens any more, and is forgotten when another window, or *Clear All Data*, changes the accounts.
@MainActor
public final class LeftLog {
  /// How many bytes the logs that a window has left take together.
  public static let limit = 8 << 20

  private let workspace: Workspace
  private var activity: Activity?
  private var observer: Observer?

  /// Keeps the log of `window`, which is closed next; on a shared device, it keeps nothing.
  public init(of window: WindowModel) {
    workspace = window.workspace
    guard !isOfSharedDevice else { return }
    activity = window.status.activity
    activity?.forgetTokens()
    observer = workspace.accountChanges.add { [weak self] _ in self?.activity = nil }
  }

  /// Removes what is too much for all logs that a window has left, in the order in which it left them: of
  /// the first of them first, and there the oldest lines.
  public static func shorten(_ logs: [LeftLog]) {
    var rest = limit
    for log in logs.reversed() {
      log.activity?.shorten(to: rest)
      rest -= log.activity?.size ?? 0
    }
  }

  private var isOfSharedDevice: Bool { workspace.connection.application.isSharedDevice }

  /// What is kept for a window of `workspace`; nil when there is nothing any more.
  func activity(in workspace: Workspace) -> Activity? {
    guard workspace === self.workspace, !isOfSharedDevice else { return nil }
    // What ended after the window was closed may have added some.
    activity?.forgetTokens()
    return activity
  }
}
