import AuthCore
import FoundationEssentials

/// What this app remembers about a connection's accounts from one run to the next: which one was
/// selected, and what the user noted about each.
///
/// The windows of a connection share it, so none overwrites what another one wrote.
@MainActor
public final class AccountBook {
  private let file: SelectionFile?
  private var selection: SelectionFile.Selection?
  private var notes: [AccountKey: AccountNote] = [:]
  private var reading: Task<Void, Never>?
  private var writing: Task<Void, Never>?
  /// Whether something changed after the current write began.
  private var hasChanged = false
  /// Whether what is kept was cleared, and must not come back when it is read.
  private var isCleared = false
  /// The observers of the notes.
  let changes = Observers<Void>()

  /// Creates a book that is kept in `file`, or nowhere.
  public init(_ file: SelectionFile?) {
    self.file = file
  }

  /// The account that was selected last, in any window or in the last run; nil when there is none.
  func lastSelection() async -> SelectionFile.Selection? {
    let reading = reading ?? Task { await read() }
    self.reading = reading
    await reading.value
    return selection
  }

  private func read() async {
    guard let found = await file?.read(), !isCleared else { return }
    // A window may already have noted something.
    notes.merge(found.notes) { written, _ in written }
    if selection == nil { selection = found }
  }

  /// Remembers which account is selected; nil for none.
  func select(_ id: AccountRow.ID?, username: String?) {
    selection = id.map { SelectionFile.Selection(id: $0, username: username) }
    write()
  }

  /// The user's own name of an account, and its last use.
  func note(of account: AccountKey) -> AccountNote? { notes[account] }

  /// Changes what is noted about an account.
  func note(_ account: AccountKey, _ change: (inout AccountNote) -> Void) {
    var note = notes[account] ?? AccountNote()
    change(&note)
    guard note != notes[account] else { return }
    notes[account] = note
    changes.notify(())
    write()
  }

  /// Forgets what is noted about the accounts for which `isKept` is false.
  func keep(where isKept: (AccountKey) -> Bool) {
    let kept = notes.filter { isKept($0.key) }
    guard kept.count < notes.count else { return }
    notes = kept
    write()
  }

  /// Forgets everything.
  public func clear() {
    isCleared = true
    (selection, notes) = (nil, [:])
    changes.notify(())
    write()
  }

  /// Goes on under another name of the connection.
  public func rename(to connection: String) async { await file?.rename(to: connection) }

  /// Returns when all changes are in the file.
  func finishWriting() async { await writing?.value }

  /// Writes one version after the other; what changes meanwhile is in the next one.
  private func write() {
    hasChanged = true
    guard let file, writing == nil else { return }
    writing = Task {
      while hasChanged {
        hasChanged = false
        var selection = selection
        selection?.notes = notes
        await file.write(selection)
      }
      writing = nil
    }
  }
}
