import AuthCore
import Connections
import FoundationEssentials
import HTTPTypes
import IdentityEmulator
import MicrosoftGraph
import TestSupport
import Testing

@testable import EntranceKit

/// *Create With an Account*, with the emulator in place of Microsoft.
///
/// https://learn.microsoft.com/graph/api/application-post-applications
@MainActor @Suite("An app that is created with an account", .timeLimit(.minutes(5)))
struct AppCreationTests {
  /// A window in which someone has signed in, and the list of apps.
  @MainActor
  private final class Desk {
    let emulator: Emulator
    let desktop: ScriptedDesktop
    let window: WindowModel
    let model: AccountModel
    let list: ConnectionList
    let path: String
    /// The names of apps that were added.
    var added: [String] = []
    var toasts: [String] = []
    private(set) var creation: AppCreationModel?
    private let directory: TemporaryDirectory
    private var observer: Observer?

    init(_ emulator: Emulator, _ running: Emulator.Running, _ username: String) throws {
      self.emulator = emulator
      let authority = try Authority(running.authority)
      let connection = Connection(
        name: "Demo",
        application: try PublicClientApplicationConfiguration(
          clientID: ClientRegistration.demo.clientID,
          redirectURI: RedirectURI(TestApplication.redirectURI), authority: authority,
          knownAuthorities: [authority], caFile: running.caFile),
        scopes: ["User.Read"], api: "\(running.baseURL)/v1.0/me")
      desktop = ScriptedDesktop(EmulatorPages(emulator: emulator, username: username))
      let application = PublicClientApplication(configuration: connection.application)
      let workspace = Workspace(
        application: application,
        graph: try GraphClient(api: connection.api, caFile: running.caFile),
        connection: connection)
      window = WindowModel(workspace, on: desktop)
      model = AccountModel(window)
      directory = try TemporaryDirectory()
      path = "\(directory.path)/apps.json"
      list = ConnectionList(
        files: ConnectionFiles(own: path),
        check: { _ throws(AuthenticationError) in
          throw AuthenticationError(.networkUnavailable, "nobody is asked")
        })
      observer = window.status.toasts.add { [weak self] in self?.toasts.append($0) }
      creation = AppCreationModel(window, list: list) { [weak self] in self?.added.append($0) }
    }

    isolated deinit { window.close() }

    @discardableResult
    func create() -> Task<Void, Never>? { creation?.create() }

    /// The names of apps that were added, when there are so many.
    func added(_ count: Int) async -> [String] {
      while added.count < count, !Task.isCancelled {
        try? await Task.sleep(for: .milliseconds(5))
      }
      return added
    }

    /// How often an app was asked for.
    var requests: Int {
      get async { await emulator.requestCounts["POST /v1.0/applications"] ?? 0 }
    }

    var notice: Notice? { model.state.notices.first { $0.id == Notice.failureID } }
  }

  private func withDesk(
    _ username: String = "adele@contoso.example", _ story: (Desk) async throws -> Void
  ) async throws {
    var configuration = EmulatorConfiguration()
    configuration.colleagueCount = 0
    let emulator = Emulator(configuration: configuration)
    let running = try await emulator.start()
    do {
      let desk = try Desk(emulator, running, username)
      await desk.window.accounts.signIn()?.value
      try #require(desk.model.state.username == username)
      try await story(desk)
    } catch {
      await emulator.stop()
      throw error
    }
    await emulator.stop()
  }

  /// An error of Microsoft Graph.
  private static func reply(
    _ status: Int, _ code: String, retryAfter: String? = nil
  ) -> CannedReply {
    var reply = CannedReply(
      status: status, body: #"{"error": {"code": "\#(code)", "message": "Refused."}}"#)
    reply.headers["Retry-After"] = retryAfter
    return reply
  }

  @Test("The permission is asked for, and people sign in to what was created")
  func creation() async throws {
    try await withDesk { desk in
      #expect(desk.desktop.windows == 1)
      await desk.create()?.value
      #expect(desk.desktop.windows == 2)
      #expect(await desk.added(1) == ["Entrance"])
      let connection = try #require(try ConnectionFile.load(desk.path).first)
      // The organization of Adele, with the certificates and the Graph of the app before.
      let authority = connection.application.authority
      #expect(authority.tenant == "contoso.example")
      #expect(connection.summary == "Entrance · contoso.example")
      #expect(connection.api == desk.window.workspace.connection.api)
      #expect(connection.application.clientID != ClientRegistration.demo.clientID)

      let application = PublicClientApplication(configuration: connection.application)
      let result = try await application.acquireToken(
        InteractiveTokenParameters(
          scopes: connection.scopes,
          session: EmulatorPages(emulator: desk.emulator, username: "bram@contoso.example")))
      #expect(result.account.username == "bram@contoso.example")
    }
  }

  @Test("Another one has another name, and needs no page")
  func another() async throws {
    try await withDesk { desk in
      await desk.create()?.value
      _ = await desk.added(1)
      await desk.create()?.value
      #expect(await desk.added(2) == ["Entrance", "Entrance 2"])
      #expect(desk.desktop.windows == 2)
      let apps = try ConnectionFile.load(desk.path)
      #expect(Set(apps.map(\.application.clientID)).count == 2)
    }
  }

  @Test("A double click creates one")
  func doubleClick() async throws {
    try await withDesk { desk in
      let first = desk.create()
      #expect(desk.create() == nil)
      await first?.value
      #expect(await desk.added(1) == ["Entrance"])
      #expect(await desk.requests == 1)
    }
  }

  @Test("Whoever may not create one is told whom to ask")
  func forbidden() async throws {
    try await withDesk { desk in
      await desk.emulator.prepareGraphReply(
        Self.reply(403, "Authorization_RequestDenied"), for: "/applications")
      await desk.create()?.value
      let notice = try #require(desk.notice)
      #expect(notice.text.hasPrefix("This account may not register apps"))
      #expect(notice.buttons.map(\.action) == [.askForApp])
      #expect(notice.details.contains("Error: Authorization_RequestDenied"))
      #expect(desk.list.state.connections.isEmpty)
    }
  }

  @Test("A personal account is told why, and nothing is sent")
  func personal() async throws {
    try await withDesk("chiara@outlook.example") { desk in
      await desk.create()?.value
      #expect(desk.notice?.text.hasPrefix("A personal account cannot register apps") == true)
      #expect(desk.desktop.windows == 1)
      #expect(await desk.requests == 0)
    }
  }

  @Test("An account that was chosen, and has left meanwhile, creates nothing, which is said")
  func gone() async throws {
    try await withDesk { desk in
      let id = try #require(desk.model.state.rows.first?.id)
      let account = try #require(await desk.window.workspace.application.accounts().first)
      try await desk.window.workspace.application.remove(account)
      await desk.window.activate()?.value
      #expect(desk.creation?.create(with: id) == nil)
      #expect(desk.notice?.title == "The App Was Not Created")
      #expect(desk.notice?.text.contains("no longer signed in") == true)
      #expect(desk.notice?.buttons.map(\.action) == [.useAnotherAccount])
      #expect(await desk.requests == 0)
    }
  }

  @Test("The account that was chosen is selected for it")
  func chosen() async throws {
    try await withDesk { desk in
      let id = try #require(desk.model.state.rows.first?.id)
      await desk.creation?.create(with: id)?.value
      #expect(await desk.added(1) == ["Entrance"])
    }
  }

  @Test(
    "Without a certain answer, the request is not repeated", arguments: [500, 502, 503, 504, 200])
  func uncertain(status: Int) async throws {
    try await withDesk { desk in
      await desk.emulator.prepareGraphReply(
        Self.reply(status, "serviceNotAvailable"), for: "/applications")
      await desk.create()?.value
      #expect(desk.notice?.title == "The App May Have Been Created")
      #expect(desk.notice?.text.contains("App registrations") == true)
      #expect(desk.notice?.buttons.contains { $0.action == .tryAgain } == false)
      #expect(await desk.requests == 1)
    }
  }

  @Test("A service that asks to wait gets its pause")
  func throttled() async throws {
    try await withDesk { desk in
      await desk.emulator.prepareGraphReply(
        Self.reply(429, "TooManyRequests", retryAfter: "600"), for: "/applications")
      await desk.create()?.value
      #expect(desk.notice?.title == "Too Many Requests")
      #expect(desk.notice?.buttons.map(\.action) == [.dismiss])
      #expect(await desk.requests == 1)
    }
  }

  @Test("Without a network, nothing was created")
  func offline() async throws {
    try await withDesk { desk in
      // The permission is granted, and the token in memory.
      await desk.create()?.value
      _ = await desk.added(1)
      await desk.emulator.stop()
      await desk.create()?.value
      #expect(desk.notice?.title == "Server Not Reachable")
      #expect(desk.notice?.buttons.first?.action == .tryAgain)
      #expect(desk.added == ["Entrance"])
    }
  }

  @Test("What was created before a cancellation is kept")
  func cancellation() async throws {
    try await withDesk { desk in
      // Long enough for the slowest computer to cancel it meanwhile.
      await desk.emulator.setDelay(.seconds(3), route: "/v1.0/applications")
      let task = desk.create()
      while await desk.requests == 0 { try await Task.sleep(for: .milliseconds(5)) }
      desk.window.status.cancel()
      await task?.value
      #expect(await desk.added(1) == ["Entrance"])
      #expect(desk.toasts.contains("The request was already sent. Waiting for the response…"))
    }
  }

  @Test("What was canceled before is not sent")
  func canceledBefore() async throws {
    try await withDesk { desk in
      let graph = desk.window.workspace.graph.authorized(by: Secret("token"))
      let task = Task {
        withUnsafeCurrentTask { $0?.cancel() }
        return try await AppRegistrationRequest.create(with: graph)
      }
      let error = await #expect(throws: AppRegistrationRequest.Failure.self) {
        try await task.value
      }
      #expect(error?.error.code == .cancelled && error?.mayExist == false)
      #expect(await desk.requests == 0)
    }
  }

  @Test("What is canceled while its token is renewed is not sent, though the token comes")
  func canceledRenewal() async throws {
    try await withDesk { desk in
      let tokens = SlowTokens()
      let graph = desk.window.workspace.graph.authorized(by: tokens)
      let task = Task { try await AppRegistrationRequest.create(with: graph) }
      for await _ in tokens.questions { break }
      task.cancel()
      tokens.answer.finish()
      let error = await #expect(throws: AppRegistrationRequest.Failure.self) {
        try await task.value
      }
      #expect(error?.error.code == .cancelled && error?.mayExist == false)
      #expect(await desk.requests == 0)
    }
  }

  @Test("The client ID of what cannot be written down can be copied")
  func unwritable() async throws {
    try await withDesk { desk in
      // Somebody writes it meanwhile.
      try Data("{ broken".utf8).write(to: URL(filePath: desk.path))
      await desk.create()?.value
      let notice = try #require(desk.notice)
      #expect(notice.title == "The App Was Created but Not Added")
      let clientID = try #require(notice.buttons.first?.action.copiedText)
      #expect(UUID(uuidString: clientID) != nil && notice.text.contains(clientID))
      #expect(desk.added.isEmpty)
      #expect(try String(contentsOf: URL(filePath: desk.path), encoding: .utf8) == "{ broken")
    }
  }

  @Test("Nothing is created that could not be written down")
  func locked() async throws {
    try await withDesk { desk in
      try Data("{ broken".utf8).write(to: URL(filePath: desk.path))
      desk.list.reload()
      await desk.create()?.value
      #expect(desk.notice?.title == "The App Was Not Created")
      #expect(await desk.requests == 0)
    }
  }
}

extension AppCreationTests {
  @Test("Only members of an organization are offered, of each app, without asking anyone")
  func accounts() async throws {
    try await withDesk { desk in
      let application = desk.window.workspace.application
      let clientID = "11111111-2222-3333-4444-555555555555"
      let text = #"{"version": 1, "apps": [{"name": "Contoso", "clientID": "\#(clientID)"}]}"#
      try Data(text.utf8).write(to: URL(filePath: desk.path))
      let list = ConnectionList(
        files: ConnectionFiles(own: desk.path),
        check: { _ throws(AuthenticationError) in
          throw AuthenticationError(.networkUnavailable, "nobody is asked")
        },
        application: { _ in
          Issue.record("Someone may be asked.")
          return nil
        }, reader: { _ in application })
      let offered = await list.makeEditor().accountsForCreation()
      #expect(offered.map(\.title) == ["adele@contoso.example"])
      #expect(offered.map(\.find.connection) == ["Contoso"])
    }
  }
}

/// Gets a token when it is told to, also for a canceled request: a renewal that was sent is
/// completed.
private final class SlowTokens: GraphTokenSource {
  /// Says that a token was asked for.
  let questions: AsyncStream<Void>
  private let question: AsyncStream<Void>.Continuation
  private let answers: AsyncStream<Void>
  /// Its end brings the token.
  let answer: AsyncStream<Void>.Continuation

  init() {
    (questions, question) = AsyncStream.makeStream()
    (answers, answer) = AsyncStream.makeStream()
  }

  func authorization(
    for request: HTTPRequest, claims: ClaimsRequest?, forceRefresh: Bool
  ) async throws -> Secret<String> {
    question.yield()
    await Task { [answers] in for await _ in answers {} }.value
    return Secret("Bearer token")
  }
}
