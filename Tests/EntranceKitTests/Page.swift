import AuthCore
import Connections
import EntranceKit
import FoundationEssentials
import MicrosoftGraph
import TestSupport

/// The account page's model with a real app, a scripted network and scripted pages.
@MainActor
final class Page {
  let authority: ScriptedAuthority
  let clock = SetClock()
  let store: SwitchedStore
  let model: AccountModel
  var states: [AccountState] = []
  var log: [String] = []
  var toasts: [String] = []
  private var observers: [Observer] = []

  /// Creates a page for the tests' connection, or for the demo.
  init(
    host: String = "login.microsoftonline.com", store: SwitchedStore = SwitchedStore(),
    authority: ScriptedAuthority? = nil, pages: ScriptedPages? = nil, isShared: Bool = false,
    broker: (any TokenBroker)? = nil, api: String = "https://graph.microsoft.com/v1.0/me",
    tenant: String = "common", connection: Connection? = nil, preferences: Preferences? = nil,
    libraryLog: LibraryLog? = nil
  ) throws {
    let authority = authority ?? ScriptedAuthority(host: host)
    self.authority = authority
    self.store = store
    var configuration =
      try connection?.application
      ?? TestApplication.configuration(
        authority: "https://\(host)/\(tenant)", known: ["https://\(host)/\(tenant)"])
    configuration.isSharedDevice = isShared
    configuration.isBrokerRedirectURIRegistered = broker != nil
    let clock = clock
    var runtime = Runtime(now: { clock.now }, sleep: { _ in }, transport: authority)
    if let libraryLog {
      runtime.logger = libraryLog.logger
      runtime.currentLogMaskingLevel = libraryLog.masking
    }
    let application = PublicClientApplication(
      configuration: configuration, store: store, broker: broker, runtime: runtime)
    let connection =
      connection
      ?? Connection(name: "Test", application: configuration, scopes: ["User.Read"], api: api)
    model = AccountModel(
      application: application,
      graph: try GraphClient(api: connection.api, transport: authority), connection: connection,
      preferences: preferences, libraryLog: libraryLog,
      makeSession: { pages ?? authority.pages }, now: { clock.now })
    observers = [
      model.toasts.add { [weak self] in self?.toasts.append($0) },
      model.changes.add { [weak self] in self?.states.append($0) },
      model.logChanges.add { [weak self] in self?.take($0) },
    ]
  }

  private func take(_ change: LogChange) {
    switch change {
    case .added(let entry): log.append(entry.text)
    case .replaced(let entries): log = entries.map(\.text)
    }
  }

  /// The log entries since the last call.
  func takeLog() -> [String] {
    defer { log = [] }
    return log
  }
}
