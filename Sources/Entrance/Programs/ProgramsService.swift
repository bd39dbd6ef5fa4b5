import AuthCore
import Clients
import Connections
import EntranceKit
import FoundationEssentials
import Gio
import Gtk
import Localization
import Sentences

/// Gives programs tokens over D-Bus, and asks the person about new ones:
/// `io.github.entrance.Entrance.Programs`.
@MainActor
final class ProgramsService {
  private static let interface = "\(EntranceIdentity.applicationID).Programs"

  private let application: Application
  private let tokens: ProgramTokens
  private let questions: ConsentQuestions
  private let notification: ConsentNotification
  private let showWindow: @MainActor () -> Void
  private var object: BusObject?
  private var observer: Observer?

  /// - Parameters:
  ///   - window: the window to ask in; nil when there is none.
  ///   - showWindow: brings a window to the foreground, and opens one if there is none.
  init(
    preferences: Preferences, workspaces: Workspaces, application: Application,
    window: @escaping @MainActor () -> Window?, showWindow: @escaping @MainActor () -> Void
  ) {
    self.application = application
    self.showWindow = showWindow
    let dialog = ConsentDialog(preferences, over: window)
    notification = ConsentNotification(preferences, of: application)
    let questions = ConsentQuestions(window: dialog, notification: notification) {
      application.isInForeground
    }
    self.questions = questions
    dialog.onAnswer = { [weak questions] in questions?.answer($0, $1) }
    observer = preferences.changes.add { [weak questions] key in
      if key == .hidesPersonalDetails { questions?.renewNotification() }
    }
    let list = ProgramList(path: EntranceIdentity.programsPath)
    let consent = ProgramConsent(list: list, policy: { preferences.programPolicy }) {
      await questions.ask($0)
    }
    tokens = ProgramTokens(
      list: list, consent: consent,
      connections: { (try? ConnectionFiles.standard.load()) ?? [] }
    ) { connection in
      if let client = workspaces.client(of: connection) { return client.application }
      var connection = connection
      connection.application.isSharedDevice = preferences.isSharedDevice
      return Client(connection, asksPerson: false).application
    }
  }

  /// Makes it available to programs; before the application has its name on the bus, because it is
  /// called as soon as it has.
  func export() {
    notification.addActions(
      answer: { [unowned self] in questions.answer($0, $1) },
      show: { [unowned self] id in if questions.isOpen(id) { showWindow() } })
    // A notification would stay, and nothing would happen at its buttons.
    application.onShutdown { [unowned self] in questions.close() }
    object = BusObject(
      "\(Program.path)/Programs", interface: "\(Program.path)/\(Self.interface).xml",
      of: application
    ) { [unowned self] call in await answer(call) }
  }

  /// Asks in the window what is only asked by a notification.
  func windowCameToFront() { questions.windowCameToFront() }

  private func answer(_ call: BusObject.Call) async -> BusObject.Answer {
    guard let program = await call.caller() else {
      return Self.error(.denied, Sentence("Entrance cannot tell which program is asking."))
    }
    let app = call.arguments[0]?.text() ?? ""
    let account = call.arguments[1]?.text() ?? ""
    let scopes = call.arguments[2]?.texts ?? []
    do throws(ProgramTokens.Failure) {
      guard call.method == "GetToken" else {
        try await tokens.requestAccess(program, app: app, account: account, scopes: scopes)
        return .results([])
      }
      let (token, expiresOn) = try await tokens.token(
        for: program, app: app, account: account, scopes: scopes)
      let seconds = Int64(exactly: expiresOn.timeIntervalSince1970.rounded(.down)) ?? 0
      return .results([Variant(token.exposed), Variant(seconds)])
    } catch {
      return Self.error(error.code, error.sentence)
    }
  }

  private static func error(
    _ code: ProgramTokens.Failure.Code, _ sentence: Sentence
  ) -> BusObject.Answer {
    .error("\(interface).Error.\(code.rawValue)", tr(sentence))
  }
}
