import AuthCore
import Connections
import FoundationEssentials

/// The last answer on the page for each app that its window has left, until the window comes back to it.
///
/// Nothing of an answer is shown meanwhile, and nothing keeps it in step with the accounts. So it is
/// forgotten when another window, or *Clear All Data*, changes them, and is kept neither on a shared
/// device nor of the demo, which is another one at each start. When the app has got another API
/// meanwhile, the page says so in place of the answer.
@MainActor
public final class LeftAnswers {
  /// An answer, and the account that it was sent for.
  struct Left {
    let answer: ExplorerAnswer
    let sender: AccountRow.ID
  }

  private struct Entry {
    weak var workspace: Workspace?
    let left: Left
    let observer: Observer
  }

  private var entries: [Entry] = []
  private let mostBytes: Int

  /// Keeps nothing yet.
  ///
  /// - Parameter mostBytes: how large all bodies together can be; their texts take several times as much.
  public init(mostBytes: Int = 16 << 20) {
    self.mostBytes = mostBytes
  }

  /// Keeps the last answer of `model`, which is closed next; the oldest ones leave when there is no
  /// room for all.
  public func leave(_ model: ExplorerModel) {
    let workspace = model.window.workspace
    forget(workspace)
    guard Self.keeps(workspace), let left = model.leftAnswer else { return }
    let observer = workspace.accountChanges.add { [weak self, weak workspace] _ in
      self?.forget(workspace)
    }
    entries.append(Entry(workspace: workspace, left: left, observer: observer))
    while size > mostBytes { entries.removeFirst() }
  }

  /// The answer that is kept for `window`, which has it from now on; nil when there is none.
  func take(for window: WindowModel) -> Left? {
    let workspace = window.workspace
    defer { forget(workspace) }
    return Self.keeps(workspace) ? entries.first { $0.workspace === workspace }?.left : nil
  }

  private var size: Int { entries.reduce(0) { $0 + $1.left.answer.original.count } }

  private static func keeps(_ workspace: Workspace) -> Bool {
    let connection = workspace.connection
    return !connection.isDemo && !connection.application.isSharedDevice
  }

  /// Forgets the answer of a workspace, and those of workspaces that are gone.
  private func forget(_ workspace: Workspace?) {
    entries.removeAll { $0.workspace == nil || $0.workspace === workspace }
  }
}

extension ExplorerModel {
  /// What is kept of the page when its window goes to another app; nil without an answer of the API.
  var leftAnswer: LeftAnswers.Left? {
    if let left { return left }
    guard let answer = self.answer ?? renewal?.answer, let answerSender else { return nil }
    return LeftAnswers.Left(answer: answer, sender: answerSender)
  }
}
