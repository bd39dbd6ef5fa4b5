import AuthCore
import Connections

/// The log of an app that its window has left, until the window comes back to it.
///
/// Nothing of it is shown meanwhile, and nothing keeps it in step with the accounts. So it has no
/// tokens any more, and is forgotten when another window, or *Clear All Data*, changes the accounts.
@MainActor
public final class LeftLog {
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

  private var isOfSharedDevice: Bool { workspace.connection.application.isSharedDevice }

  /// What is kept for a window of `workspace`; nil when there is nothing any more.
  func activity(in workspace: Workspace) -> Activity? {
    guard workspace === self.workspace, !isOfSharedDevice else { return nil }
    // What ended after the window was closed may have added some.
    activity?.forgetTokens()
    return activity
  }
}
