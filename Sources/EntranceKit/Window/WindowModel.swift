public import AuthCore
import Connections
import Localization
import Sentences

/// A window of a connection: what its pages share.
@MainActor
public final class WindowModel {
  /// What it is doing, and what it says.
  public let status: WindowStatus
  /// Reads the accounts.
  public let storage: AccountStorage
  /// Gets tokens for its pages.
  public let tokens: TokenSource
  /// Selects, adds and renames accounts.
  public let accounts: AccountsModel
  /// Whether the computer's network can be used.
  public var network = NetworkStatus.available {
    didSet { if network != oldValue { showNetwork() } }
  }

  /// Where it is, and where else it can go.
  public private(set) var heading: WindowHeading {
    didSet { if heading != oldValue { headings.notify(heading) } }
  }
  /// The observers of its heading.
  public let headings = Observers<WindowHeading>()

  /// Records what the windows of the connection exchange.
  public var recording: Recording { workspace.recording }

  /// What the windows of the connection share.
  let workspace: Workspace
  let desktop: any SignInDesktop
  /// The names of the apps when the window's own was last among them.
  var connectionNames: Set<String>
  private let clock: ClockCheck
  private var observers: [Observer] = []
  private var hasReportedUnsolicited = false
  /// Whether it waits until it can read the accounts that another window has changed.
  private var isFollowing = false

  /// Creates the model of a window of `workspace`.
  ///
  /// - Parameters:
  ///   - desktop: shows the sign-in pages.
  ///   - log: what its log begins with, if the window was there before.
  public init(
    _ workspace: Workspace, on desktop: any SignInDesktop, continuing log: LeftLog? = nil
  ) {
    self.workspace = workspace
    self.desktop = desktop
    connectionNames = Set(desktop.connections.map(\.name))
    heading = WindowHeading(workspace.connection)
    status = WindowStatus(workspace, log?.activity(in: workspace))
    storage = AccountStorage(status)
    clock = ClockCheck(status, desktop)
    tokens = TokenSource(status, storage, clock, desktop)
    accounts = AccountsModel(status, storage, tokens)
    if workspace.connection.isDemo { status.put(.demo) }
    showSharedDevice()
    let (status, storage) = (status, storage)
    observers = [
      workspace.changes.add { [weak self] in self?.followConnection() },
      workspace.libraryLines.add {
        status.log($0.text, $0.isProblem ? .failure : .library)
      },
      // The log must not keep tokens of an account that is no longer signed in.
      status.accounts.removals.add { [weak self] in self?.forgetActivity() },
      storage.changes.add {
        if storage.loadState == .known, status.accounts.selected == nil {
          status.activity.forgetTokens()
        }
      },
      workspace.accountChanges.add { [weak self] in
        if $0 !== storage { self?.followAccounts() }
      },
      status.changes.add { [weak self] in self?.drawHeading() },
      status.accounts.changes.add { [weak self] in self?.drawHeading() },
      storage.changes.add { [weak self] in self?.drawHeading() },
    ]
    drawHeading()
  }

  /// Loads the current account: at startup, and whenever the window comes to the foreground.
  ///
  /// - Returns: the task that reads the accounts; nil when other work is in progress.
  @discardableResult
  public func activate() -> Task<Void, Never>? {
    clock.checkAgain()
    // Some may have become too old while the window was in the background.
    workspace.forgetRequests()
    return storage.load() ?? storage.loading
  }

  /// Reads the accounts that another window, or the list of connections, has changed: now, or when
  /// the work in progress ends.
  public func followAccounts() {
    guard !isFollowing, storage.load(.otherWindow) == nil else { return }
    isFollowing = true
    Task { [weak self, status] in
      await status.finishWork()
      guard let self else { return }
      isFollowing = false
      if !status.isClosed { followAccounts() }
    }
  }

  /// Whether it does something that ends when the window goes to another connection.
  public var isWorking: Bool { !status.isIdle }

  /// Cancels the work in progress, unless the user has confirmed it, and removes all observers,
  /// because the window is closed.
  public func close() {
    observers = []
    headings.removeAll()
    recording.stop(with: self)
    storage.changes.removeAll()
    status.close()
  }

  /// A text as it is shown: without personal details while these are hidden.
  public func shown(_ text: String) -> String { workspace.privacy.shown(text) }

  /// Says in a notice what could not be deleted.
  public func report(notCleared failures: [AuthenticationError]) {
    log(notCleared: failures)
    if !failures.isEmpty { status.put(.remainingData(failures)) }
  }

  /// Logs what could not be deleted, where something else than this window shows it.
  public func log(notCleared failures: [AuthenticationError]) {
    for failure in failures { status.log(notCleared: failure) }
  }

  /// Logs that another program opened a redirect URI, only once: a web page can do so any number of
  /// times.
  ///
  /// Only ``TokenSource/resumeSignIn(with:)`` accepts one: the one that a sign-in in the browser
  /// waits for.
  public func handleUnsolicited() {
    guard !hasReportedUnsolicited else { return }
    hasReportedUnsolicited = true
    status.conclude(tr("Ignored a sign-in response from outside this window"))
  }

  /// Forgets what the log has of accounts that are gone: all of it on a shared device, where the next person
  /// would read it.
  private func forgetActivity() {
    if workspace.connection.application.isSharedDevice {
      status.activity.clear()
    } else {
      status.activity.forgetTokens()
    }
  }

  private func drawHeading() {
    var next = WindowHeading(workspace.connection)
    let privacy = workspace.privacy
    next.accounts = status.accounts.rows.map { privacy.shown($0) }
    next.connection = privacy.shown(next.connection)
    next.canSwitch = status.canStart
    heading = next
  }

  /// Shows an edited connection: accounts, selection and log stay.
  private func followConnection() {
    status.dismissFailure()
    showSharedDevice()
    status.changes.notify(())
    status.log(tr("The app was changed."))
    activate()
  }

  private func showSharedDevice() {
    if workspace.connection.application.isSharedDevice {
      status.put(.sharedDevice)
    } else {
      status.remove(Notice.sharedDeviceID)
    }
  }

  private func showNetwork() {
    // A service on this computer needs no network.
    let host = workspace.connection.application.authority.environment.prefix { $0 != ":" }
    guard host != "localhost", host != "127.0.0.1", let notice = network.notice else {
      return status.remove(Notice.networkID)
    }
    status.put(notice)
  }
}
