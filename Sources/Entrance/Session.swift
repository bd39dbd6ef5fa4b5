import CGtk
import EntranceKit
import FoundationEssentials
import Glibc
import Gtk

/// Which connection the person asked for.
enum ConnectionChoice {
  /// The identity service that comes with the program.
  case demo
  /// The first one of `connections.json`.
  case first
  /// The one of this name in `connections.json`.
  case named(String)
}

/// Brings a connection's account page onto the window, or the reason why there is none.
@MainActor
final class Session {
  private let window: Window
  private var choice: ConnectionChoice
  private var model: AccountModel?
  private var demo: Demo?
  /// Redirects that came before the connection was there.
  private var unsolicited: [String] = []

  /// Shows what is known at once; ``start()`` does the rest.
  init(_ choice: ConnectionChoice, window: Window) throws(GLibError) {
    self.choice = choice
    self.window = window
    window.onForeground { [weak self] in self?.model?.activate() }
    if case .demo = choice {
      try window.showAccount(of: nil)
    } else if access(Self.connectionsPath, F_OK) == 0 {
      try window.showAccount(of: nil)
    } else {
      showNoConnection()
    }
  }

  /// Opens the connection. Called when the window is on the screen.
  func start() {
    switch choice {
    case .demo: Task { await startDemo() }
    case .first, .named: openConnection()
    }
  }

  /// Hands a redirect that nothing waits for to the log, and to nothing else.
  func handleUnsolicited(uri: String) {
    if let model { model.handleUnsolicited(uri: uri) } else { unsolicited.append(uri) }
  }

  // MARK: Connections

  /// The file with the person's connections.
  private static var connectionsPath: String {
    let directory = g_get_user_config_dir().map { String(cString: $0) } ?? "."
    return "\(directory)/entrance/connections.json"
  }

  private func openConnection() {
    guard access(Self.connectionsPath, F_OK) == 0 else { return showNoConnection() }
    show(AccountModel())
  }

  private func startDemo() async {
    do throws(Demo.Failure) {
      let demo = try await Demo.start()
      self.demo = demo
      show(AccountModel())
    } catch {
      let reason = error.description
      show { () throws(GLibError) in
        try .demoFailed(reason) { [weak self] in self?.restart(.demo) }
      }
    }
  }

  /// Opens another connection, or the same one again.
  private func restart(_ choice: ConnectionChoice) {
    self.choice = choice
    show(nil)
    start()
  }

  private func showNoConnection() {
    show { () throws(GLibError) in
      try .noConnection(path: Self.connectionsPath) { [weak self] in
        self?.restart(.demo)
      } openInstructions: { [weak self] in
        guard let self else { return }
        gtk_show_uri(window.object.ptr(), Self.instructions, 0)
      }
    }
  }

  // MARK: Pages

  /// How to register an app, by Microsoft.
  private static let instructions =
    "https://learn.microsoft.com/entra/identity-platform/quickstart-register-app"

  private func show(_ page: () throws(GLibError) -> StatusPage) {
    do {
      window.show(try page())
    } catch {
      report(error)
    }
  }

  private func show(_ model: AccountModel?) {
    self.model = model
    do {
      try window.showAccount(of: model)
    } catch {
      report(error)
    }
    guard let model else { return }
    model.activate()
    for uri in unsolicited { model.handleUnsolicited(uri: uri) }
    unsolicited = []
  }

  /// The interface files are broken: nothing that a window could say.
  private func report(_ error: GLibError) {
    printError("\(error)")
  }
}
