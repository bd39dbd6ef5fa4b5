public import AuthCore
import Connections
import Localization

/// Reads the accounts of a window, and says where they are stored and why they cannot be read.
@MainActor
public final class AccountStorage {
  /// Whether the accounts have been read.
  public enum LoadState: Sendable, Equatable {
    /// Accounts are being read for the first time.
    case loading
    /// They were read; there may be none.
    case known
    /// They are in a keyring that is locked.
    case locked
    /// Accounts could not be read.
    case unavailable

    /// Whether there can be accounts that were not read.
    public var isFailure: Bool { self == .locked || self == .unavailable }
  }

  /// Why accounts are read.
  enum ReadReason {
    /// They may have changed.
    case any
    /// This window has changed them.
    case change
    /// Another window has changed them, or found them changed. It keeps files up to date.
    case otherWindow
  }

  /// The observers of each reading.
  let changes = Observers<Void>()
  /// Why the accounts could not be read; nil if they were.
  private var failure: AuthenticationError?
  /// Whether the user can unlock the keyring, which keeps the accounts from being read or stored.
  private var isLocked = false
  /// Whether the keyring has stayed locked although the user wanted to unlock it.
  private var hasStayedLocked = false
  private var hasRead = false
  private var hasLoaded = false
  /// The reading in progress, unless it is a part of other work.
  private(set) var loading: Task<Void, Never>?
  /// Says that reading takes long, until the accounts are read.
  private var waiting: Task<Void, Never>?

  private let status: WindowStatus
  private var workspace: Workspace { status.workspace }
  private var application: PublicClientApplication { workspace.application }
  private var store: ChosenStore? { workspace.store }
  private var accounts: AccountList { status.accounts }

  init(_ status: WindowStatus) {
    self.status = status
  }

  /// Whether the accounts have been read.
  var loadState: LoadState {
    guard hasRead else { return .loading }
    guard let failure else { return .known }
    return isLocked && failure.reasonForMemory != nil ? .locked : .unavailable
  }
}

// MARK: - Reading

extension AccountStorage {
  /// Reads the accounts, unless other work is in progress, and logs what is new.
  @discardableResult
  func load(_ reason: ReadReason = .any) -> Task<Void, Never>? {
    let task = status.start(nil) {
      self.announceWaiting()
      await self.readAndLog(reason)
      self.accounts.readBrokerAccounts()
      self.loading = nil
    }
    if let task { loading = task }
    return task
  }

  private func readAndLog(_ reason: ReadReason = .any) async {
    let (before, failureBefore) = (accounts.selected, failure)
    let previous = await read(reason)
    let isFirst = !hasLoaded
    hasLoaded = true
    guard isFirst || accounts.selected != before || failure != failureBefore else { return }
    // *Try Again* must not repeat the work of one account for another.
    if before != nil, accounts.selected != before { status.dismissFailure() }
    if let failure {
      return status.log(
        tr(
          "Couldn't query current account with error: {error}",
          ["error": notice(of: failure).text]),
        failure.details.map { tr($0) }, .failure, isInNotice: true)
    }
    let username = accounts.selected?.username.shownName
    status.show(
      outcome:
        username.map { tr("Signed in as {username}.", ["username": $0]) } ?? tr("Signed out"))
    if let previous {
      status.conclude(
        tr("The account with username {username} has been signed out.", ["username": previous]))
    }
    status.log(
      username.map {
        tr(
          "Found a signed in account {username}. Updating data for that account...",
          ["username": $0])
      } ?? tr("Account signed out. Updating UX"))
  }

  /// Reads the accounts, and shows a notice when they cannot be read or kept.
  ///
  /// It informs the other windows of the connection about changes.
  ///
  /// - Returns: the user name of the previous account, when it was a different one.
  @discardableResult
  func read(_ reason: ReadReason = .any) async -> String? {
    let (loadStateBefore, before) = (loadState, accounts.known)
    let found = await application.currentAccount()
    await accounts.read(current: found.current)
    await readFailure()
    let previous = failure == nil ? accounts.takeAccountOfLastRun() : nil
    let isReadable = await application.storageFailure?.code != .storageUnavailable
    let isInMemory = await store?.choice.kind == .memory
    accounts.keepNoFiles(!isReadable && isInMemory)
    // The selection of the window in use is remembered, not that of one that follows it.
    await accounts.remember(
      isComplete: application.knowsAllAccounts, isReadable: isReadable,
      selects: reason != .otherWindow)
    changes.notify(())
    let isNew =
      loadState == .known && loadStateBefore != .loading
      && (loadStateBefore != .known || accounts.known != before)
    if reason == .change || reason == .any && isNew {
      workspace.accountChanges.notify(self)
    }
    // An account that is still there was not signed out, but is no longer the last to sign in.
    let gone = found.previous.flatMap { accounts.all.contains($0) ? nil : $0 }
    return gone?.username.shownName ?? previous
  }

  /// Shows why accounts cannot be read or stored.
  func check() async {
    await readFailure()
    changes.notify(())
  }

  /// Shows why accounts cannot be read or stored if that is what has failed, so that the status line
  /// need not say it, too.
  func check(after error: AuthenticationError) async {
    if error.failureKind == .storage { await check() }
  }

  private func readFailure() async {
    let failure = await application.storageFailure
    let passphrase = await store?.choice.passphrase ?? .notNeeded
    let isLocked = failure == nil ? false : await store?.isKeyringLocked ?? false
    self.isLocked = isLocked
    if !isLocked { hasStayedLocked = false }
    // Before a passphrase is set, nothing is stored, so memory is complete.
    let isUnread =
      accounts.selected == nil && passphrase != .new && failure?.code == .storageUnavailable
    self.failure = isUnread ? failure : nil
    hasRead = true
    // What follows, such as reading photos, does not wait for the keyring.
    waiting?.cancel()
    switch passphrase {
    case .new: status.put(.newPassphrase(isChosen: workspace.connection.storage != nil))
    case .known: status.put(.passphrase)
    case .notNeeded:
      if let failure {
        status.put(notice(of: failure))
      } else {
        status.remove(Notice.storageID)
      }
    }
  }

  private func notice(of failure: AuthenticationError) -> Notice {
    .storage(
      failure, isLocked: isLocked, hasStayedLocked: hasStayedLocked,
      isSignedIn: accounts.selected != nil)
  }

  /// *Unlock* and *Try Again*: reads the accounts again; may ask the user to unlock the store.
  @discardableResult
  public func unlock() -> Task<Void, Never>? {
    status.start(nil) {
      self.announceWaiting()
      let wasLocked = self.isLocked
      await self.application.unlockStorage()
      self.hasStayedLocked = wasLocked
      await self.readAndLog()
      // A desktop that cannot ask for the password shows nothing.
      if self.hasStayedLocked, await self.application.storageFailure?.reasonForMemory != nil {
        self.status.toasts.notify(tr("The keyring could not be unlocked"))
      }
    }
  }

  /// The model of the passphrase dialog for encrypted files; nil when no passphrase is needed.
  public func makePassphraseModel() async -> PassphraseModel? {
    guard let store else { return nil }
    let passphrase = await store.choice.passphrase
    guard passphrase != .notNeeded else { return nil }
    return PassphraseModel(store: store, isNew: passphrase == .new) { [weak self] in
      self?.storeWasUnlocked()
    }
  }

  /// Shows the stored accounts, after the current work has ended.
  private func storeWasUnlocked() {
    Task {
      await status.finishWork()
      load()
    }
  }

  /// Shows a notice when reading accounts takes long: a locked keyring asks the user, who may not
  /// have noticed.
  private func announceWaiting() {
    waiting?.cancel()
    waiting = Task {
      try? await Task.sleep(for: .seconds(1))
      guard !Task.isCancelled else { return }
      self.status.put(.waiting)
    }
  }

  /// Says why an account could not be stored, before the user signs in with it in vain.
  ///
  /// - Returns: whether the user was just told; the next sign-in continues without storing the
  ///   account.
  func warnsBeforeSignIn() async -> Bool {
    // Accounts that are only in memory have a notice of their own.
    if let choice = await store?.choice, choice.kind == .memory || choice.passphrase != .notNeeded {
      return false
    }
    do throws(AuthenticationError) {
      try await application.checkStorage()
      return false
    } catch {
      guard status.notices[Notice.storageID] == nil else {
        return false
      }
      let notice = Notice.storage(error, isLocked: false)
      status.put(notice)
      status.log(
        tr(
          "{error} Sign in again to continue: the account is then remembered until this window is closed.",
          ["error": notice.text]))
      return true
    }
  }
}

// MARK: - Location

extension AccountStorage {
  /// Where the accounts of this connection are kept.
  public struct Location: Sendable, Equatable {
    /// In words.
    public var text: String
    /// Whether they can be moved into the keyring.
    public var keyringMove: Move

    /// Whether accounts can be moved into the keyring.
    public typealias Move = ChosenStore.KeyringMove
  }

  /// Where the accounts of this connection are kept, and whether they can be moved.
  public func location() async -> Location {
    guard let store else {
      return Location(
        text: tr("Accounts are kept in a cache that other programs use, too."),
        keyringMove: .notPossible)
    }
    let sentence = tr(await store.choice.sentence)
    return Location(
      text: tr("{sentence}.", ["sentence": sentence]), keyringMove: await store.keyringMove)
  }

  /// *Move to Keyring*: moves the accounts from the encrypted files.
  ///
  /// - Parameter list: where a setting that demands encrypted files is removed.
  /// - Returns: why they were not moved; nil if they were.
  public func moveToKeyring(_ list: ConnectionList) async -> String? {
    guard let store else { return nil }
    var failure: String?
    let work = status.startConfirmed(.movingAccounts) {
      do throws(AuthenticationError) {
        try await self.move(store, nil, list)
        self.status.log(tr("The accounts are in the keyring now."))
        self.status.toasts.notify(tr("Accounts moved to the keyring"))
      } catch {
        failure = tr(error.sentence)
        // The preferences show it where it was asked for.
        self.status.log(tr(error.sentence), error, isInNotice: true)
      }
      await self.read()
    }
    guard let work else { return status.obstacle }
    await work.value
    return failure
  }

  /// The model of the dialog for the passphrase of files that are moved into the keyring.
  public func makeMovePassphraseModel(_ list: ConnectionList) -> PassphraseModel? {
    guard let store else { return nil }
    return PassphraseModel(isNew: false) { passphrase throws(AuthenticationError) in
      try await self.move(store, passphrase, list)
    } whenDone: { [weak self] in
      self?.status.log(tr("The accounts are in the keyring now."))
      self?.status.toasts.notify(tr("Accounts moved to the keyring"))
      self?.storeWasUnlocked()
    }
  }

  private func move(
    _ store: ChosenStore, _ passphrase: Secret<String>?, _ list: ConnectionList
  ) async throws(AuthenticationError) {
    let unfinished = UnfinishedWork()
    defer { withExtendedLifetime(unfinished) {} }
    let isDemanded = workspace.connection.storage == .encryptedFile
    try await store.moveToKeyring(passphrase: passphrase) { () throws(AuthenticationError) in
      if isDemanded { try await list.useAutomaticStorage() }
    }
  }
}

// MARK: - Clearing

extension AccountStorage {
  /// *Clear All Data*: removes all accounts that this program keeps, of any connection, and the log.
  ///
  /// Of a cache that other programs use too, the accounts of connections that are open are removed.
  /// Work that only reads is canceled.
  /// - Parameters:
  ///   - others: the open connections, whose accounts may be only in memory.
  ///   - kept: where the accounts of all other connections are kept.
  ///   - clearOthers: clears what other parts of the program keep, and returns what failed.
  /// - Returns: the task; nil when other work prevents it, and the user was told.
  @discardableResult
  public func clearAllData(
    of others: [Workspace] = [], kept: ChosenStore? = nil,
    _ clearOthers: @escaping @MainActor () async -> [AuthenticationError] = { [] }
  ) -> Task<Void, Never>? {
    status.startConfirmed(.clearingData) {
      self.status.remove(Notice.clearingID)
      var failures: [AuthenticationError] = []
      do throws(AuthenticationError) {
        let workspaces = [self.workspace] + others.filter { $0 !== self.workspace }
        try await Self.removeAllAccounts(of: workspaces, kept: kept, in: self.workspace)
      } catch {
        failures.append(error)
      }
      failures += await clearOthers()
      self.status.remove(Notice.signOutID)
      self.status.activity.clear()
      await self.read(.change)
      for failure in failures { self.status.log(notCleared: failure) }
      guard failures.isEmpty else { return self.status.put(.remainingData(failures)) }
      self.status.log(tr("All data was cleared."))
      self.status.toasts.notify(tr("All data cleared"))
    }
  }

  /// Whether there is a notice that *Clear All Data* left something.
  public var hasRemainingData: Bool { status.notices[Notice.clearingID] != nil }

  /// Where accounts are stored, in words.
  static func text(_ kind: StorageKind) -> String {
    switch kind.known {
    case .secretService: tr("Accounts are kept in the keyring")
    case .encryptedFile: tr("Accounts are kept in encrypted files")
    case .plainFile: tr("Accounts are kept in a file that is not encrypted")
    case .memory: tr("Accounts are remembered until this window is closed")
    }
  }
}
