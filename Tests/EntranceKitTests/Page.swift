import AuthCore
import Connections
import EntranceKit
import FoundationEssentials
import MicrosoftGraph
import HTTPTypes
import TestSupport
import Testing

/// The account page's model with a real app, a scripted network and scripted pages.
@MainActor
final class Page {
  let authority: ScriptedAuthority
  let clock = ManualClock()
  let store: ScriptedStore
  var application: PublicClientApplication
  let graph: GraphClient
  let workspace: Workspace
  let window: WindowModel
  let model: AccountModel
  var states: [AccountState] = []
  var log: [String] = []
  var toasts: [String] = []
  private var observers: [Observer] = []

  /// Creates a page for the tests' connection, or for the demo.
  init(
    host: String = "login.microsoftonline.com", store: ScriptedStore = ScriptedStore(),
    authority: ScriptedAuthority? = nil, pages: ScriptedPages? = nil, isShared: Bool = false,
    broker: (any TokenBroker)? = nil, api: String = "https://graph.microsoft.com/v1.0/me",
    tenant: String = "common", connection: Connection? = nil,
    desktop: ScriptedDesktop? = nil, files: TemporaryDirectory? = nil,
    accountNotes: AccountNotesFile? = nil,
    history: ExplorerHistory? = nil,
    preferences: Preferences? = nil, libraryLog: LibraryLog? = nil
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
    let transport = RecordableTransport(over: authority)
    var runtime = Runtime(now: { clock.now }, sleep: { _ in }, transport: transport)
    if let libraryLog {
      runtime.logger = libraryLog.logger
      runtime.currentLogMaskingLevel = libraryLog.masking
    }
    let application = PublicClientApplication(
      configuration: configuration, store: store, broker: broker, runtime: runtime)
    self.application = application
    let connection =
      connection
      ?? Connection(name: "Test", application: configuration, scopes: ["User.Read"], api: api)
    graph =
      connection.api.isEmpty
      ? GraphClient(withoutAPIOver: transport)
      : try GraphClient(api: connection.api, transport: transport)
    workspace = Workspace(
      application: application, graph: graph, connection: connection,
      accountNotes: accountNotes
        ?? files.map { AccountNotesFile(in: "\($0.path)/selection", of: connection.name) },
      history: history,
      photos: files.map {
        PhotoCache(directory: "\($0.path)/photos", connection: connection.name)
      },
      preferences: preferences, libraryLog: libraryLog, transport: transport,
      now: { clock.now })
    window = WindowModel(workspace, on: desktop ?? ScriptedDesktop(pages ?? authority.pages))
    model = AccountModel(window)
    observers = [
      model.changes.add { [weak self] in self?.states.append($0) },
      model.log.changes.add { [weak self] in self?.take($0) },
      window.status.toasts.add { [weak self] in self?.toasts.append($0) },
    ]
  }

  /// Closes the window: until then, *Try Again* of a failure keeps what it repeats.
  isolated deinit { window.close() }

  private func take(_ change: LogChange) {
    switch change {
    case .added(let entry): log.append(entry.text)
    case .replaced(let entries): log = entries.map(\.text)
    }
  }

  /// Waits until the state meets `condition`.
  func wait(until condition: (AccountState) -> Bool) async throws {
    while !condition(model.state) { try await Task.sleep(for: .milliseconds(5)) }
  }

  /// The row of an account; of its tenant, if given.
  func row(_ person: Person, tenantID: String? = nil) throws -> AccountRow {
    try #require(
      model.state.rows.first {
        $0.id.account.homeAccountID == person.identifier && $0.id.tenantID == tenantID
      })
  }

  /// The `Authorization` of the last call of the API.
  var lastAuthorization: String? {
    authority.calls.last { $0.endpoint == .api }?.request.headerFields[.authorization]
  }

  /// The log entries since the last call.
  func takeLog() -> [String] {
    defer { log = [] }
    return log
  }

  /// The first code that was shown.
  var shownCode: DeviceCode? {
    for state in states {
      if case .code(let code?) = state.signIn { return code }
    }
    return nil
  }

  /// The request that a sign-in in the browser waits for.
  func request() async throws -> WebAuthenticationRequest {
    while true {
      if case .browser(let request, _) = model.state.signIn { return request }
      try await Task.sleep(for: .milliseconds(5))
    }
  }
}

extension Page {
  /// The notice after a sign-in whose pages end with this error code of Microsoft.
  static func notice(after number: Int) async throws -> Notice? {
    let authority = ScriptedAuthority(host: "login.microsoftonline.com")
    let pages = authority.pages {
      "error=server_error&error_description=AADSTS\(number)%3A+refused&state=\($0["state"] ?? "")"
    }
    let page = try Page(authority: authority, pages: pages)
    await page.model.callGraph()?.value
    #expect(page.model.state.work == nil)
    return page.model.state.notices.first
  }
}
