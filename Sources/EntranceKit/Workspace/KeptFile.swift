public import AuthCore

/// What a ``KeptFile`` has in its file.
public protocol KeptContents: Sendable, Equatable {
  /// Nothing.
  init()

  /// Reads what is in a file; what is damaged is left out.
  init(_ json: JSON)

  /// What is written; nil when there is nothing to keep.
  var json: JSON? { get }

  /// The accounts that it is about.
  var accounts: Set<AccountKey> { get }

  /// What of it is about `accounts`.
  func only(_ accounts: Set<AccountKey>) -> Self

  /// Adds what was in the file; what is here already is newer.
  mutating func add(older: Self)
}

/// What this app keeps about a connection's accounts from one run to the next, in a file that only this
/// user can read.
///
/// The windows of a connection share it, so none overwrites what another one wrote. Errors are ignored:
/// nothing is in it that has to be there.
@MainActor
public final class KeptFile<Contents: KeptContents> {
  /// What is kept.
  private(set) var contents = Contents()
  /// The observers of what is kept.
  public let changes = Observers<Void>()
  /// What may be kept of the contents now, of all that is read or changed.
  var rule: @MainActor (Contents) -> Contents = { $0 }
  /// Whether accounts are only in memory now: the file gets no new ones.
  private(set) var isOnlyInMemory = false

  private var storage: KeptFileStorage?
  /// The accounts that are in the file.
  private var known: Set<AccountKey> = []
  private var reading: Task<Void, Never>?
  private var writing: Task<Void, Never>?
  /// Whether something changed after the current write began.
  private var hasChanged = false
  /// Whether what is kept was cleared, and must not come back when it is read.
  private var isCleared = false

  /// Keeps it in memory.
  public init() {}

  /// Keeps it in `directory`, for the connection called `connection`.
  public init(in directory: String, of connection: String) {
    storage = KeptFileStorage(directory: directory, connection: connection)
  }

  /// Reads the file, at the first call.
  public func load() async {
    let reading = reading ?? Task { await read() }
    self.reading = reading
    await reading.value
  }

  private func read() async {
    guard let found = await storage?.read(Contents.self), !isCleared else { return }
    known.formUnion(found.accounts)
    let before = contents
    // A window may already have changed something.
    contents.add(older: found)
    contents = rule(contents)
    if contents != before { changes.notify(()) }
    // What may not be kept any more leaves the file, too.
    if rule(found) != found { write() }
  }

  /// Changes what is kept.
  ///
  /// - Parameter notifies: whether to notify the observers, because others show it, too.
  func change(notifies: Bool = true, _ change: (inout Contents) -> Void) {
    var changed = contents
    change(&changed)
    let kept = rule(changed)
    guard kept != contents else { return }
    contents = kept
    if notifies || kept != changed { changes.notify(()) }
    write()
  }

  /// Forgets what may not be kept any more.
  func followRule() async {
    // What is not read yet would stay in the file.
    await load()
    change { _ in }
  }

  /// Forgets what is about the accounts for which `isKept` is false.
  func keep(notifies: Bool = true, where isKept: (AccountKey) -> Bool) async {
    // What is not read yet would come back.
    await load()
    let kept = contents.accounts.filter(isKept)
    change(notifies: notifies) { $0 = $0.only(kept) }
  }

  /// Forgets everything.
  public func clear() {
    isCleared = true
    contents = Contents()
    changes.notify(())
    write()
  }

  /// Sets whether accounts are only in memory now.
  func keepNoFiles(_ isOnlyInMemory: Bool) {
    guard isOnlyInMemory != self.isOnlyInMemory else { return }
    self.isOnlyInMemory = isOnlyInMemory
    write()
  }

  /// Goes on under another name of the connection.
  func rename(to connection: String) async { await storage?.rename(to: connection) }

  /// Leaves the file alone from now on, because it is another connection's.
  func leaveFile() async {
    storage = nil
    await finishWriting()
  }

  /// Returns when all changes are in the file.
  public func finishWriting() async { await writing?.value }

  /// Writes one version after the other; what changes meanwhile is in the next one.
  private func write() {
    hasChanged = true
    guard storage != nil, writing == nil else { return }
    writing = Task {
      // What is in the file must not be lost.
      await load()
      while hasChanged, let storage {
        hasChanged = false
        if !isOnlyInMemory { known = contents.accounts }
        await storage.write(contents.only(known))
      }
      writing = nil
    }
  }
}
