public import AuthCore
public import Connections
import Localization

/// The connections of `apps.json`, as a list that can be changed: everything is written down at once,
/// as a person would write it.
@MainActor
public final class ConnectionList {
  /// All that the list shows.
  public struct State: Sendable, Equatable {
    /// The connections, in the order of the file.
    public var connections: [Row] = []
    /// Why the file cannot be used; nil when it can.
    public var problem: String?
    /// Whether a form can correct it: see ``ConnectionList/makeEditorOfFault()``.
    public var canCorrect = false
    /// Why the file may only be read, in a sentence; nil when it may be changed.
    public var lockReason: String?
    /// Whether the file may only be read.
    public var isLocked: Bool { lockReason != nil }
  }

  /// A connection in the list.
  public struct Row: Sendable, Equatable {
    /// What it is called.
    public var name: String
    /// Who signs people in.
    public var authority: String
    /// Who signs people in, and for which app.
    public var details: String
    /// Whether it may only be read: as the file, or because an administrator has set it up for everyone
    /// of this computer.
    public var isLocked: Bool
  }

  /// What the list shows now.
  public private(set) var state = State() {
    didSet { changes.notify(state) }
  }
  /// Those who are told of each new state, and whenever the file was read: a field that the list does not
  /// show may have changed.
  public let changes = Observers<State>()
  /// The path of the user's own file.
  public var path: String { files.own }

  private let files: ConnectionFiles
  let preferences: Preferences
  private var observer: Observer?
  private let check: @Sendable (Connection) async throws(AuthenticationError) -> RegistrationCheck
  private let application: @MainActor (Connection) -> PublicClientApplication?
  private let reader: @MainActor (Connection) async -> PublicClientApplication?
  private let store: @MainActor (Connection) -> ChosenStore?
  private let onRename: @MainActor (_ old: String, _ new: String) -> Void

  /// Makes the model, and reads the files.
  ///
  /// - Parameters:
  ///   - preferences: say whether identifiers are hidden.
  ///   - check: asks the sign-in service of a connection; see
  ///     ``AuthCore/PublicClientApplication/checkRegistration()``.
  ///   - onRename: is called after a connection got another name, whether it is open or not, and before
  ///     the list tells of it.
  ///   - application: has the accounts of a connection; nil when they are not known.
  ///   - reader: reads the accounts of a connection, without asking anyone; nil when that is not
  ///     possible. By default, `application` does.
  ///   - store: keeps the accounts of a connection; nil when it is not chosen at run time.
  public init(
    files: ConnectionFiles, preferences: Preferences? = nil,
    check: @escaping @Sendable (Connection) async throws(AuthenticationError) -> RegistrationCheck,
    onRename: @escaping @MainActor (_ old: String, _ new: String) -> Void = { _, _ in },
    application: @escaping @MainActor (Connection) -> PublicClientApplication? = { _ in nil },
    reader: (@MainActor (Connection) async -> PublicClientApplication?)? = nil,
    store: @escaping @MainActor (Connection) -> ChosenStore? = { _ in nil }
  ) {
    self.application = application
    if let reader { self.reader = reader } else { self.reader = { application($0) } }
    self.store = store
    self.onRename = onRename
    self.files = files
    self.check = check
    self.preferences = preferences ?? Preferences(MemorySettings())
    observer = self.preferences.changes.add { [weak self] key in
      if key == .hidesPersonalDetails { self?.reload() }
    }
    reload()
  }

  /// Reads the file once more: somebody has changed it.
  public func reload() {
    let lockReason = lockReasonOfFile
    let isLocked = lockReason != nil
    do throws(ConnectionFileError) {
      let own = try ConnectionFile.load(path)
      let system = files.systemConnections(except: own.map(\.name))
      state = State(
        connections: own.map { row($0, isLocked: isLocked) }
          + system.map { row($0, isLocked: true) }, lockReason: lockReason)
    } catch {
      var next = state
      (next.problem, next.lockReason) = (tr(error.sentence), lockReason)
      next.canCorrect = !isLocked && error.isInForm
      state = next
    }
  }

  private func row(_ connection: Connection, isLocked: Bool) -> Row {
    var row = Row(connection, isLocked: isLocked)
    if hidesForms { (row.authority, row.details) = (PersonalDetails.mark, PersonalDetails.mark) }
    return row
  }

  // MARK: Forms

  /// Whether a form is shown only if the person says so, because it has identifiers and addresses.
  public var hidesForms: Bool { preferences.hidesPersonalDetails }

  /// The form of a new connection: an empty one, or with what was imported.
  public func makeEditor(_ draft: ConnectionDraft = ConnectionDraft()) -> ConnectionEditor {
    var draft = draft
    let standard = draft.name.isEmpty ? tr("My App") : draft.name
    draft.name = freeName(like: standard)
    return ConnectionEditor(draft, name: nil, list: self, check: check)
  }

  /// The form of the connection called `name`; nil when there is none any more.
  public func makeEditor(of name: String) -> ConnectionEditor? {
    draft(of: name).map { ConnectionEditor($0, name: name, list: self, check: check) }
  }

  /// The form of the entry that the file has a fault in; nil when there is none.
  public func makeEditorOfFault() -> ConnectionEditor? {
    ConnectionFile.fault(in: path).map {
      ConnectionEditor($0.draft, name: nil, correcting: $0, list: self, check: check)
    }
  }

  /// Where the accounts of all connections are kept; nil for where it fits.
  public var storage: StorageKind? { (try? ConnectionFile.document(path))?.storage }

  /// The form of a connection like the one called `name`; nil when there is none any more.
  public func makeEditor(copying name: String) -> ConnectionEditor? {
    draft(of: name).map { makeEditor($0) }
  }

  /// What `text` describes: the configuration of another program, or what was copied from the portal;
  /// of several apps the first one, which the form says.
  ///
  /// - Throws: ``ConnectionFileError`` when no client ID is found in it.
  public func `import`(_ text: String) throws(ConnectionFileError) -> ConnectionEditor {
    makeEditor(try ConnectionImport.firstDraft(from: text))
  }

  // MARK: Changes

  /// Adds a connection, and says where the accounts of all connections are kept.
  func add(_ draft: ConnectionDraft, storage: StorageKind?) throws(ConnectionFileError) {
    try change { (document) throws(ConnectionFileError) in
      try document.add(draft)
      try files.check(newName: draft.name)
      if document.storage != storage { try document.setStorage(storage) }
    }
  }

  /// Changes the connection called `name`, and says where the accounts of all connections are kept.
  ///
  /// - Returns: whether there is such a connection; if not, nothing is changed.
  func replace(
    _ name: String, with draft: ConnectionDraft, storage: StorageKind?
  ) throws(ConnectionFileError) -> Bool {
    let isThere = try ConnectionFile.change(path) {
      (document) throws(ConnectionFileError) -> Bool in
      guard document.draft(of: name) != nil else { return false }
      try document.replace(name, with: draft)
      try files.check(newName: draft.name, of: name)
      if document.storage != storage { try document.setStorage(storage) }
      return true
    }
    if isThere, draft.name != name { onRename(name, draft.name) }
    reload()
    return isThere
  }

  /// Changes the entry with a fault, and says where the accounts of all connections are kept.
  func correct(
    _ fault: FaultyConnection, by draft: ConnectionDraft, storage: StorageKind?
  ) throws(ConnectionFileError) {
    try files.check(newName: draft.name, of: fault.draft.name)
    try ConnectionFile.correct(fault, in: path, by: draft, storage: storage)
    let name = fault.draft.name
    // Where the name was the fault, it may be that of another connection.
    let isItsOwn = !name.isEmpty && fault.error.fieldName != ConnectionFields.shared.name.name
    if isItsOwn, draft.name != name { onRename(name, draft.name) }
    reload()
  }

  /// Changes the permissions that the connection called `name` asks for.
  ///
  /// - Returns: whether there is such a connection; if not, nothing is changed.
  func setScopes(_ scopes: [String], of name: String) throws(ConnectionFileError) -> Bool {
    try change { (document) throws(ConnectionFileError) -> Bool in
      guard var draft = document.draft(of: name) else { return false }
      draft.scopes = scopes
      try document.replace(name, with: draft)
      return true
    }
  }

  /// Says that there is no connection called `name` any more.
  static func absence(of name: String) -> String {
    tr("There is no app called “{name}”.", ["name": name])
  }

  /// Removes the setting that accounts are kept in encrypted files.
  func useAutomaticStorage() throws(AuthenticationError) {
    do throws(ConnectionFileError) {
      try change { (document) throws(ConnectionFileError) in try document.setStorage(nil) }
    } catch {
      throw AuthenticationError(.storageUnavailable, error.sentence, step: .storage)
    }
  }

  /// *Remove*: takes the connection called `name` out of the file.
  ///
  /// Its accounts stay where they are kept.
  /// - Returns: what ``restore(_:)`` puts back; nil when nothing was removed.
  public func remove(_ name: String) -> ConnectionDocument.Removed? {
    reporting { () throws(ConnectionFileError) in
      try change { (document) throws(ConnectionFileError) in try document.remove(name) }
    } ?? nil
  }

  /// *Undo*: puts a connection back where it was.
  public func restore(_ removed: ConnectionDocument.Removed) {
    reporting { () throws(ConnectionFileError) in
      try change { (document) throws(ConnectionFileError) in try document.restore(removed) }
    }
  }

  // MARK: Accounts of a connection

  /// What to say before the connection called `name` is removed: once it is, nobody could sign out the
  /// accounts that only it has.
  ///
  /// - Returns: who is signed in, as far as that can be read without asking anyone; nil when nobody is.
  public func warning(beforeRemoving name: String) async -> String? {
    guard let (connection, application) = withOwnAccounts(name) else { return nil }
    let accounts = await ownAccounts(of: connection, application)
    var isComplete = true
    if await hasPlace(connection) { isComplete = await application.knowsAllAccounts }
    if isComplete, accounts.isEmpty { return nil }
    return warning(about: isComplete ? accounts : [])
  }

  /// The accounts that an app can be created with: those of all apps that call Microsoft Graph, as
  /// far as they can be read without asking anyone.
  func accountsForCreation() async -> [CreatingAccount] {
    var found: [CreatingAccount] = []
    for connection in all {
      guard let application = await reader(connection) else { continue }
      for account in await application.ownAccounts() where application.isAccount(account) {
        guard AppRegistrationRequest.obstacle(to: account, of: application, at: connection) == nil
        else { continue }
        found.append(
          CreatingAccount(
            find: SearchResultID(
              connection: connection.name,
              account: AccountRow.ID(account: AccountKey(account), tenantID: nil)),
            title: hidesForms ? PersonalDetails.mark : account.username.shownName,
            details: connection.name.plain))
      }
    }
    return found
  }

  /// Signs the accounts out that only the connection called `name` has.
  ///
  /// - Returns: whether all of them are gone; if not, the state has the problem.
  public func signOut(of name: String) async -> Bool {
    guard let (connection, application) = withOwnAccounts(name) else { return true }
    let unfinished = UnfinishedWork()
    defer { withExtendedLifetime(unfinished) {} }
    do throws(AuthenticationError) {
      for account in await ownAccounts(of: connection, application) {
        try await application.remove(account)
      }
      guard await hasPlace(connection) else { return true }
      if let failure = await application.storageFailure, failure.code == .storageUnavailable {
        throw failure
      }
      // Those of another app with the same client ID can still be signed out there.
      let isShared = all.contains {
        $0.name != name && connection.application.hasClientID(of: $0.application)
      }
      if !isShared { try await application.forgetLostAccounts() }
      return true
    } catch {
      report(error.sentence)
      return false
    }
  }

  private var all: [Connection] { (try? files.load()) ?? [] }

  /// The connection called `name`, unless its accounts are in a cache of other programs, whose they are.
  private func withOwnAccounts(_ name: String) -> (Connection, PublicClientApplication)? {
    guard let connection = all.first(where: { $0.name == name }), connection.cache == nil else {
      return nil
    }
    return application(connection).map { (connection, $0) }
  }

  private func ownAccounts(
    of connection: Connection, _ application: PublicClientApplication
  ) async -> [Account] {
    let others = all.filter { $0.name != connection.name }
    return await application.ownAccounts().filter { account in
      application.isAccount(account)
        && !others.contains { connection.shares(account, with: $0) }
    }
  }

  /// Whether there is a place for the accounts of a connection: before a passphrase is set, there is none.
  private func hasPlace(_ connection: Connection) async -> Bool {
    await store(connection)?.choice.passphrase != .new
  }

  private func change<Outcome>(
    _ change: (inout ConnectionDocument) throws(ConnectionFileError) -> Outcome
  ) throws(ConnectionFileError) -> Outcome {
    let outcome = try ConnectionFile.change(path, change)
    reload()
    return outcome
  }

  @discardableResult
  private func reporting<Outcome>(
    _ body: () throws(ConnectionFileError) -> Outcome
  ) -> Outcome? {
    do throws(ConnectionFileError) {
      return try body()
    } catch {
      report(error.sentence)
      return nil
    }
  }

  /// Says what is wrong, also when it is the same again.
  private func report(_ sentence: Sentence) {
    state.problem = nil
    state.problem = tr(sentence)
  }

  private func draft(of name: String) -> ConnectionDraft? {
    let own = reporting { () throws(ConnectionFileError) in
      try ConnectionFile.document(path).draft(of: name)
    }
    if let own, let own { return own }
    return files.system.lazy.compactMap { try? ConnectionFile.document($0).draft(of: name) }.first
  }

  private func freeName(like name: String) -> String {
    (try? ConnectionFile.document(path))?.freeName(like: name, besides: files.systemNames) ?? name
  }

  /// Why the connection called `name` may only be read; nil when it may be changed.
  func lockReason(of name: String) -> String? {
    guard state.connections.contains(where: { $0.name == name && $0.isLocked }),
      (try? ConnectionFile.load(path))?.contains(where: { $0.name == name }) != true
    else { return state.lockReason }
    return Self.setByAdministrator
  }

  /// Why the file may only be read; nil when it may be changed.
  private var lockReasonOfFile: String? {
    guard !ConnectionFile.isEditable(path) else { return nil }
    return ConnectionFile.isOfAdministrator(path)
      ? Self.setByAdministrator
      : tr("The apps cannot be changed, because you may not write to their file.")
  }

  private static var setByAdministrator: String {
    tr("The apps were set by your administrator and cannot be changed.")
  }
}

extension ConnectionList.Row {
  init(_ connection: Connection, isLocked: Bool) {
    self.isLocked = isLocked
    name = connection.name
    authority = connection.application.authority.description
    details = "\(authority)\n\(connection.application.clientID)"
  }
}
