public import AuthCore
public import Connections
public import FoundationEssentials
public import MicrosoftGraph

/// An open connection: what all its windows share.
///
/// An edit of the connection that keeps the accounts also keeps the workspace.
@MainActor
public final class Workspace {
  /// The app registration.
  public private(set) var connection: Connection
  /// The observers of edits of the connection.
  public let changes = Observers<Void>()

  private(set) var application: PublicClientApplication
  private(set) var graph: GraphClient
  let store: ChosenStore?
  let accountNotes: AccountNotesFile
  let history: ExplorerHistory
  /// Keeps what is typed on the Explorer pages.
  let drafts: DraftKeeper
  let photos: PhotoCache?
  let preferences: Preferences
  let now: () -> Date
  /// Hides personal details.
  let privacy: Privacy
  /// Records the requests and responses.
  let recording: Recording
  /// The observers of changes of the accounts; the value is the storage that has read them, if any.
  let accountChanges = Observers<AccountStorage?>()
  /// Accounts whose last silent request needed a sign-in.
  var idsThatNeedSignIn: Set<AccountRow.ID> = [] {
    didSet { if idsThatNeedSignIn != oldValue { signInNeeds.notify(()) } }
  }
  /// The observers of ``idsThatNeedSignIn``.
  let signInNeeds = Observers<Void>()
  /// The observers of new lines in the sign-in library's log.
  let libraryLines = Observers<LibraryLog.Line>()
  private let libraryLog: LibraryLog?
  private var libraryReading: Task<Void, Never>?
  private var preferencesObserver: Observer?
  private var requestsObserver: Observer?
  private var works: [WeakWork] = []

  private struct WeakWork {
    weak var work: OneAtATime?
  }

  /// Opens a connection.
  ///
  /// - Parameters:
  ///   - application: signs people in.
  ///   - graph: calls the connection's API.
  ///   - connection: the app registration.
  ///   - store: the application's store, if it is chosen at run time.
  ///   - accountNotes: remembers the selected account and the user's notes; nil to forget them at the end.
  ///   - history: remembers the Explorer's requests; nil to forget them at the end.
  ///   - photos: keeps profile photos; nil to forget them at the end.
  ///   - preferences: the user's preferences.
  ///   - libraryLog: the log of `application`, if it is shown.
  ///   - transport: the HTTP client of `application` and `graph`, if it can record.
  ///   - now: the computer's clock.
  public init(
    application: PublicClientApplication, graph: GraphClient, connection: Connection,
    store: ChosenStore? = nil, accountNotes: AccountNotesFile? = nil,
    history: ExplorerHistory? = nil, photos: PhotoCache? = nil,
    preferences: Preferences? = nil, libraryLog: LibraryLog? = nil,
    transport: RecordableTransport? = nil, now: @escaping () -> Date = { Date() }
  ) {
    self.application = application
    self.graph = graph
    self.connection = connection
    self.store = store
    self.accountNotes = accountNotes ?? AccountNotesFile()
    let history = history ?? ExplorerHistory()
    self.history = history
    drafts = DraftKeeper(history)
    self.photos = photos
    self.preferences = preferences ?? Preferences(MemorySettings())
    privacy = Privacy(self.preferences)
    recording = Recording(transport, privacy)
    self.now = now
    self.libraryLog = libraryLog
    followLibrary()
    history.rule = { [weak self] requests in
      guard let self else { return requests }
      return self.preferences.requestRule.kept(requests, at: self.now())
    }
    requestsObserver = self.preferences.changes.add { [weak self] key in
      if key == .keepsBodies || key == .requestRetention { self?.forgetRequests() }
    }
    forgetRequests()
  }

  isolated deinit {
    libraryReading?.cancel()
  }

  private func followLibrary() {
    guard let libraryLog else { return }
    applyLogLevel()
    preferencesObserver = preferences.changes.add { [weak self] key in
      if key == .logLevel || key == .logsPersonalData { self?.applyLogLevel() }
    }
    libraryReading = Task { [weak self] in
      for await line in libraryLog.lines { self?.libraryLines.notify(line) }
    }
  }

  /// Forgets the requests, and the bodies of others, that are not to be kept any more.
  func forgetRequests() { Task { [history] in await history.followRule() } }

  private func applyLogLevel() {
    libraryLog?.show(preferences.logLevel, personalData: preferences.logsPersonalData)
  }

  /// Uses an edited connection from now on: accounts, selections and logs stay.
  ///
  /// Call it while no work is in progress: after ``finishWork()``.
  ///
  /// - Parameters:
  ///   - application: signs people in, with the accounts of the one before.
  ///   - transport: the HTTP client of both, if it can record; a recording ends.
  public func use(
    _ connection: Connection, _ application: PublicClientApplication, _ graph: GraphClient,
    transport: RecordableTransport? = nil
  ) {
    recording.use(transport)
    (self.connection, self.application, self.graph) = (connection, application, graph)
    changes.notify(())
  }

  /// Whether a window is busy with work that the user started.
  public var isBusy: Bool { works.contains { $0.work?.isBusy == true } }

  /// Returns when no window is busy.
  public func finishWork() async {
    for work in works.compactMap(\.work) { await work.finish() }
  }

  /// A window's work, for which an edit of the connection waits.
  func makeWork() -> OneAtATime {
    let work = OneAtATime()
    works.removeAll { $0.work == nil }
    works.append(WeakWork(work: work))
    return work
  }
}
