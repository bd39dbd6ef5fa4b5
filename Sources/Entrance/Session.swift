import AuthCore
import Clients
import Connections
import CurlHTTP
import EntranceKit
import Glibc
import Gtk
import MicrosoftGraph
import Sentences
import WebSignIn
import Localization

/// One connection and its window, which come and go together: the account page, or why there is none.
@MainActor
final class Session {
  /// The window.
  let window: MainWindow
  private let settings: Settings
  private var choice: ConnectionChoice
  /// Whether the window says why there is no account page.
  private var showsConnectionPage = false
  private var model: AccountModel?
  private var connectionName: String?
  private var demo: Demo?
  private let opening = OneAtATime()
  /// Whether a redirect came before the connection was there, and was not told of yet.
  private var sawUnsolicited = false
  private var hasPrintedUnsolicited = false

  /// Shows what is known at once; ``start()`` does the rest.
  init(
    _ choice: ConnectionChoice, window: MainWindow, settings: Settings
  ) throws(GLibError) {
    self.choice = choice
    self.window = window
    self.settings = settings
    window.root.onForeground { [weak self] in _ = self?.model?.activate() }
    if case .demo = choice {
      try window.showAccount(of: nil)
    } else if access(EntranceIdentity.connectionsPath, F_OK) == 0 {
      try window.showAccount(of: nil)
    } else {
      showNoConnection()
    }
  }

  /// Opens the connection, once the window is on the screen.
  func start() {
    if !showsConnectionPage { open(choice) }
  }

  /// Whether this is what `choice` asks for.
  func shows(_ choice: ConnectionChoice) -> Bool {
    switch choice {
    case self.choice: true
    // Whatever there is: the person only started the program again.
    case .first: true
    case .named(let name): name == connectionName && self.choice != .demo
    case .demo: false
    }
  }

  /// Works by the settings as they are now: begins anew, unless there is nothing to begin with yet.
  func followSettings() {
    if model != nil { restart(choice) }
  }

  /// Lets go of all that was opened: the window is gone.
  func close() {
    opening.cancel()
    model?.close()
    (model, demo, connectionName) = (nil, nil, nil)
  }

  /// Hands a redirect that nothing waits for to the log, and to nothing else.
  func handleUnsolicited() {
    if let model {
      model.handleUnsolicited()
    } else {
      sawUnsolicited = true
      if showsConnectionPage { printUnsolicited() }
    }
  }

  // MARK: Connections

  private func open(_ choice: ConnectionChoice) {
    switch choice {
    case .demo: opening.start { [weak self] in await self?.openDemo() }
    case .first, .named: openConnection()
    }
  }

  private func openConnection() {
    let connections: [Connection]
    do throws(ConnectionFileError) {
      connections = try ConnectionFile.load(EntranceIdentity.connectionsPath)
    } catch {
      return showBadConnection(error)
    }
    guard let first = connections.first else { return showNoConnection() }
    guard case .named(let name) = choice else { return open(first) }
    guard let connection = connections.first(where: { $0.name == name }) else {
      return showBadConnection(tr("There is no connection called “{name}”.", ["name": name]))
    }
    open(connection)
  }

  private func openDemo() async {
    do throws(Demo.Failure) {
      let demo = try await Demo.start()
      guard !Task.isCancelled else { return }
      self.demo = demo
      open(demo.connection)
    } catch {
      if !Task.isCancelled { showDemoFailed(error.description) }
    }
  }

  /// Makes the model of `connection` and shows it.
  private func open(_ connection: Connection) {
    if let fault = connection.windowFault { return showBadConnection(tr(fault.sentence)) }
    var connection = connection
    connectionName = connection.name
    connection.application.isSharedDevice = settings.value(of: "shared-device", default: false)
    let client = Client(connection)
    if let problem = client.trust.problem { return showBadConnection(tr(problem)) }
    let graph: GraphClient
    do throws(GraphError) {
      graph = try client.graph()
    } catch {
      return showBadConnection(Self.noContext(tr(error.sentence)))
    }
    show(
      AccountModel(
        application: client.application, graph: graph, connection: connection,
        store: client.ownStore
      ) {
        [weak window] in EmbeddedWebSession(parent: window?.root, trust: client.trust)
      })
  }

  private func show(_ model: AccountModel) {
    self.model = model
    showAccount(of: model)
    if let warning = EmbeddedWebSession.rootWarning { model.log(warning) }
    model.activate()
    if sawUnsolicited { model.handleUnsolicited() }
    sawUnsolicited = false
  }

  /// Opens a connection in place of what there was.
  private func restart(_ choice: ConnectionChoice) {
    close()
    self.choice = choice
    showAccount(of: nil)
    open(choice)
  }

  // MARK: Pages

  /// How to register an app, by Microsoft.
  private static let instructions =
    "https://learn.microsoft.com/entra/identity-platform/quickstart-register-app"

  private func showAccount(of model: AccountModel?) {
    showsConnectionPage = false
    reportingErrors { () throws(GLibError) in try window.showAccount(of: model) }
  }

  private func showNoConnection() {
    show { () throws(GLibError) in
      try .noConnection(path: EntranceIdentity.connectionsPath) { [weak self] in
        self?.restart(.demo)
      } openInstructions: { [weak self] in
        self?.window.root.open(uri: Self.instructions)
      }
    }
  }

  /// Says it as the tutorials do, with what is wrong in the file.
  private func showBadConnection(_ error: ConnectionFileError) {
    showBadConnection(
      error.isAboutAuthority
        ? "\(tr("Unable to create authority URL"))\n\(tr(error.sentence))"
        : Self.noContext(tr(error.sentence)))
  }

  private static func noContext(_ reason: String) -> String {
    tr("Unable to create Application Context {error}", ["error": reason])
  }

  private func showBadConnection(_ reason: String) {
    show { () throws(GLibError) in
      try .badConnection(reason, path: EntranceIdentity.connectionsPath) { [weak self] in
        guard let self else { return }
        restart(choice)
      } tryDemo: { [weak self] in
        self?.restart(.demo)
      }
    }
  }

  private func showDemoFailed(_ reason: String) {
    show { () throws(GLibError) in
      try .demoFailed(reason) { [weak self] in self?.restart(.demo) }
    }
  }

  private func show(_ page: () throws(GLibError) -> ConnectionPage) {
    showsConnectionPage = true
    reportingErrors { () throws(GLibError) in window.show(try page()) }
    printUnsolicited()
  }

  /// Without an account page there is no log to tell of redirects in.
  private func printUnsolicited() {
    guard sawUnsolicited else { return }
    sawUnsolicited = false
    guard !hasPrintedUnsolicited else { return }
    hasPrintedUnsolicited = true
    printError(Sentence("ignored a sign-in response: there is no connection"))
  }

  /// When the interface files are broken there is nothing that a window could say.
  private func reportingErrors(_ body: () throws(GLibError) -> Void) {
    do throws(GLibError) {
      try body()
    } catch {
      printError(Sentence(verbatim: error.message))
    }
  }
}
