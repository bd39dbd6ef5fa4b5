import AuthCore
import CurlHTTP
import FoundationEssentials
import HTTPTypes
import IdentityEmulator
import MicrosoftGraph
import Testing

@Suite("The examples of 'Calling Microsoft Graph'")
struct GraphExamples {
  struct User: Decodable {
    var id: String
    var displayName: String
  }

  /// A client of an emulator's Graph.
  func withGraph(_ example: (Emulator, GraphClient) async throws -> Void) async throws {
    let emulator = Emulator()
    let running = try await emulator.start()
    let authority = try Authority(running.authority)
    let app = PublicClientApplication(
      configuration: try PublicClientApplicationConfiguration(
        clientID: ClientRegistration.demo.clientID, redirectURI: RedirectURI("http://localhost"),
        authority: authority, knownAuthorities: [authority], caFile: running.caFile))
    let session = EmulatorSession(emulator: emulator, username: "adele@contoso.example")
    let scopes = ["User.Read", "User.Read.All", "Files.ReadWrite"]
    let account = try await app.acquireToken(
      InteractiveTokenParameters(scopes: scopes, session: session)
    ).account
    let host = String(running.baseURL.dropFirst("https://".count))
    try await example(
      emulator,
      GraphClient(
        app: app, account: account, scopes: scopes, cloud: GraphCloud(host: host),
        runtime: Runtime(transport: CurlClient(.init(caFile: running.caFile)))))
    await emulator.stop()
  }

  /// Compiled only: it needs the real Graph.
  func reading(app: PublicClientApplication, account: Account) async throws {
    let graph = GraphClient(app: app, account: account, scopes: ["User.Read"])
    let me = try await graph.get("/me", as: User.self)

    print(me.displayName)
  }

  /// Compiled only: it needs the real Graph.
  func sharingPauses(app: PublicClientApplication, account: Account) async throws {
    var graph = GraphClient(app: app, account: account, scopes: ["User.Read"])
    graph.pauses = GraphPauses(app: app, account: account)

    _ = try await graph.get("/me")
  }

  /// Compiled only: it needs the real Graph.
  func recording(app: PublicClientApplication, account: Account) async throws {
    let cassette = try Cassette(recordingTo: "session.har", over: CurlClient())
    let graph = GraphClient(
      app: app, account: account, scopes: ["User.Read"], runtime: Runtime(transport: cassette))
    let me = try await graph.get("/me")
    try cassette.save()

    print(me.status)
  }

  @Test func paths() {
    let (id, subject, name) = ("adele@contoso.example", "It's done", "Megan")

    let path: GraphPath = "/users/\(id)/messages?$filter=subject eq '\(subject)'"

    #expect(
      path.description
        == "/users/adele%40contoso.example/messages?$filter=subject%20eq%20'It%27%27s%20done'")

    let request = GraphRequest(.get, "/me/messages", .select("id"), .filter("id eq '\(name)'"))

    #expect(request.query.map(\.value) == ["id", "id eq 'Megan'"])

    let guests = GraphRequest(.get, "/users", .filter("userType ne 'Member'")).advancedQuery

    #expect(guests.query.map(\.name) == ["$filter", "$count"])
  }

  @Test func pages() async throws {
    try await withGraph { _, graph in
      for try await user in graph.items("/users?$select=id,displayName", of: User.self) {
        print(user.displayName)
      }
    }
  }

  @Test func changes() async throws {
    try await withGraph { emulator, graph in
      var names: [String: String] = [:]
      var token: GraphDeltaToken?
      func update() async throws {
        for try await page in graph.delta("/users/delta", of: User.self, since: token) {
          if page.startsOver { names = [:] }
          for change in page.changes {
            switch change {
            case .changed(let user): names[user.id] = user.displayName
            case .removed(let id, reason: _): names[id] = nil
            }
          }
          token = page.token ?? token
        }
      }
      try await update()
      let count = names.count
      try await emulator.deleteUser("bram@contoso.example")
      try await update()
      #expect(count > 2 && names.count == count - 1)
    }
  }

  /// Compiled only: it needs the real Graph.
  func changing(_ graph: GraphClient, _ request: GraphRequest) async throws {
    let message: JSON = ["subject": "Hello", "importance": "high"]
    let draft = try await graph.send(
      GraphRequest(.post, "/me/messages", body: .json(message)))

    let copy = try await graph.send(request)
    let done = try await graph.completion(of: copy) { print("\($0) %") }

    print(draft.status, done.status)
  }

  @Test func batches() async throws {
    try await withGraph { _, graph in
      let results = try await graph.batch(["/me", "/users", "/me/photo/$value"])
      for result in results {
        switch result {
        case .success(let response): print(response.status)
        case .failure(let error): print(error)
        }
      }

      #expect(results.count == 3)
      #expect(try results.map { try $0.get().status } == [200, 200, 200])
    }
  }

  @Test func files() async throws {
    try await withGraph { emulator, graph in
      let folder = FileManager.default.temporaryDirectory.appending(path: "examples-\(UUID())").path
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
      defer { try? FileManager.default.removeItem(atPath: folder) }
      let (name, file, copy) = ("A report.txt", folder + "/file", folder + "/copy")
      try Data("Content".utf8).write(to: URL(filePath: file))

      try await graph.upload(file, to: "/me/drive/root:/\(name):", conflictBehavior: .replace)
      try await graph.download("/me/drive/root:/\(name):/content").write(to: copy) { progress in
        print("\(progress.completed) of \(progress.total ?? 0) bytes")
      }

      #expect(try Data(contentsOf: URL(filePath: copy)) == Data("Content".utf8))

      try await graph.send(
        GraphRequest(.put, "/me/drive/root:/\(name):/content"), content: .file(file))

      #expect(await emulator.file(name) == Data("Content".utf8))
    }
  }

  @Test func errors() {
    func advice(for error: GraphError) -> String {
      switch error.code {
      case .interactionRequired: "Sign in again, with the claims of the error if it has some."
      case .forbidden: "Ask for the permission, or for another account."
      case .conflict: "Read it again: someone else has changed it."
      case .throttled, .serverUnavailable:
        "Wait \(error.retryAfter ?? .seconds(10)), then try again."
      default: error.message
      }
    }

    var throttled = GraphError(.throttled, "Too many requests.")
    #expect(advice(for: throttled) == "Wait 10.0 seconds, then try again.")
    throttled.retryAfter = .seconds(3)
    #expect(advice(for: throttled) == "Wait 3.0 seconds, then try again.")
    #expect(advice(for: GraphError(.notFound, "No such user.")) == "No such user.")
  }

  @Test func permissions() {
    let permissions = GraphPermissions.least(for: .get, "/me/messages")
    let missing = permissions?.missing(from: ["User.Read", "Mail.Send"])  // ["Mail.ReadBasic"]
    #expect(missing == ["Mail.ReadBasic"])
  }

  /// Compiled only: there is no such API.
  func otherAPI(_ result: AuthenticationResult) async throws {
    let api = try GraphClient(api: "https://api.contoso.example/orders")
    let orders = try await api.authorized(by: result.authorizationHeader)
      .get("https://api.contoso.example/orders")

    print(orders.status)
  }
}
