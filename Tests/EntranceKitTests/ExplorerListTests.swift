import AuthCore
import CurlHTTP
import EntranceKit
import FoundationEssentials
import HTTPTypes
import TestSupport
import Testing

@MainActor @Suite("Samples and history of the Explorer page")
struct ExplorerListTests {
  private func signedIn(
    _ files: TemporaryDirectory? = nil, history: ExplorerHistory? = nil
  ) async throws -> (Page, ExplorerModel) {
    let page = try Page(files: files, history: history)
    await page.model.callGraph()?.value
    return (page, ExplorerModel(page.window))
  }

  private func history(in files: TemporaryDirectory) -> ExplorerHistory {
    ExplorerHistory(in: "\(files.path)/explorer", of: "Test")
  }

  @Test("About sixty samples name permissions, kind of account, and method and risk of a change")
  func samples() async throws {
    let (_, model) = try await signedIn()
    let list = model.list
    #expect(list.samples.count >= 55)
    #expect(Set(list.samples.map(\.title)).count == list.samples.count)
    while list.samples.first?.details.isEmpty == true { await Task.yield() }
    func details(_ title: String) -> String? { list.samples.first { $0.title == title }?.details }
    #expect(details("My profile") == "User.Read")
    #expect(details("Latest mail") == "Mail.ReadBasic")
    #expect(details("Delete a message") == "DELETE · Mail.ReadWrite · Deletes data")
    #expect(details("Send mail") == "POST · Mail.Send · Changes data")
    // A batch needs what its requests need, and changes what they change: nothing.
    #expect(
      details("Several requests at once")
        == "POST · User.Read, Mail.ReadBasic, Calendars.ReadBasic")
    #expect(details("My manager")?.hasSuffix("Work or school account") == true)
    let withoutPermission = list.samples.filter { !$0.details.contains(".") }
    #expect(withoutPermission.map(\.title) == [])
  }

  @Test("Samples are listed below their subjects, of which a search leaves those with samples")
  func subjects() async throws {
    let (_, model) = try await signedIn()
    func headings() -> [String] {
      model.list.sampleLines.compactMap { line -> String? in
        guard case .heading(let title) = line else { return nil }
        return title
      }
    }
    #expect(
      headings() == [
        "Profile", "Mail", "Calendar", "Files", "People", "Tasks and Notebooks", "Organization",
        "Teams", "Batches",
      ])
    #expect(model.list.sampleLines.first == .heading("Profile"))
    #expect(model.list.sampleLines.compactMap(\.row) == model.list.samples)
    model.list.search = "search"
    #expect(headings() == ["Mail", "Files", "Organization"])
    model.list.search = "nothing like this"
    #expect(model.list.sampleLines.isEmpty)
  }

  @Test("A file without requests says so, and a search that finds nothing leaves no line")
  func emptyFile() async throws {
    let files = try TemporaryDirectory()
    let (_, model) = try await signedIn()
    try files.write("empty.http", "# Nothing yet\n")
    model.files.open("\(files.path)/empty.http")
    await model.files.finishReading()
    #expect(model.files.rows.map(\.details) == ["No requests in this file"])
    #expect(model.files.rows.allSatisfy { !$0.hasProblem })
    model.files.search = "users"
    #expect(model.files.rows.isEmpty && model.files.paths.count == 1)
  }

  @Test("Another API than Microsoft Graph is called by its host, and has no samples")
  func otherAPI() async throws {
    let (_, graph) = try await signedIn()
    #expect(graph.state.service == "Microsoft Graph" && graph.list.hasSamples)
    let page = try Page(api: "https://api.contoso.example/profile")
    let model = ExplorerModel(page.window)
    #expect(model.state.service == "api.contoso.example")
    #expect(!model.list.hasSamples && model.list.samples.isEmpty)
  }

  @Test("Each sample can be sent as it is, but for its placeholders")
  func validity() async throws {
    let (_, model) = try await signedIn()
    for sample in model.list.samples {
      model.request = sample.request
      let placeholder =
        sample.request.address.contains("{id}") ? "Replace “{id}” with a value." : nil
      #expect(model.state.problem == placeholder, "\(sample.title)")
      let place = sample.request.placeholderPlace
      #expect(
        place.map { Array(sample.request.address.unicodeScalars)[$0] }
          == placeholder.map { _ in Array("{id}".unicodeScalars)[...] })
      #expect(model.state.canSend == (placeholder == nil) && model.state.fieldProblem == nil)
      guard sample.request.body.hasPrefix("{") else { continue }
      #expect((try? JSON(parsing: sample.request.body.utf8)) != nil, "\(sample.title)")
    }
  }

  @Test("A search lets through what has all of its words")
  func search() async throws {
    let (_, model) = try await signedIn()
    model.list.search = "MAIL search"
    #expect(model.list.samples.map(\.title) == ["Search mail for a word"])
    model.list.search = "directReports"
    #expect(model.list.samples.count == 1)
    model.list.search = ""
    #expect(model.list.samples.count > 30)
  }

  @Test("A request that was sent is in the history, with its status, without body and secrets")
  func remembers() async throws {
    let files = try TemporaryDirectory()
    let history = history(in: files)
    let (page, model) = try await signedIn(history: history)
    model.request = ExplorerRequest(
      .post, "/me/messages?x", fields: "Prefer: kept-field\nX-Api-Key: secret-field",
      body: "{\"a\":\"secret-body\"}")
    page.authority.next(.api, status: 201, "{\"secret\":\"secret-answer\"}")
    await model.send()?.value
    model.request = ExplorerRequest(.get, "/me")
    page.authority.next(.api, status: 404, "{}")
    await model.send()?.value
    #expect(model.list.history.map(\.title) == ["GET /me", "POST /me/messages?x"])
    let lacking = "201 Created · Some header fields were not kept"
    #expect(model.list.history.map(\.details) == ["404 Not Found", lacking])
    // The same request again is no other line.
    await model.send()?.value
    #expect(model.list.history.map(\.details) == ["200 OK · Before: 404 Not Found", lacking])
    await history.finishWriting()
    let again = self.history(in: files)
    await again.load()
    #expect(again.entries == history.entries)
    let directory = "\(files.path)/explorer"
    for name in try FileManager.default.contentsOfDirectory(atPath: directory) {
      let path = "\(directory)/\(name)"
      let text = String(decoding: try Data(contentsOf: URL(filePath: path)), as: UTF8.self)
      #expect(text.contains("messages") && text.contains("Prefer: kept-field"))
      for secret in ["secret", "canary", "adele@contoso.example"] {
        #expect(!text.contains(secret))
      }
      let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
      #expect(mode == 0o600)
    }
  }

  @Test(
    "A request that is sent again moves up with its latest status and the one before",
    arguments: [(403, 200), (200, 403)])
  func movesUp(_ first: Int, _ second: Int) async throws {
    let (page, model) = try await signedIn()
    let requests = ["/me/messages", "/me/events", "/me"].map { ExplorerRequest(.get, $0) }
    for request in requests {
      model.request = request
      page.authority.next(.api, status: first, "{}")
      await model.send()?.value
    }
    #expect(model.list.history.map(\.request) == [requests[2], requests[1], requests[0]])
    page.clock.advance(by: 60)
    model.request = requests[0]
    page.authority.next(.api, status: second, "{}")
    await model.send()?.value
    // No other one has left, or another status.
    #expect(model.list.history.map(\.request) == [requests[0], requests[2], requests[1]])
    var texts = [second, first, first].map { $0 == 200 ? "200 OK" : "403 Forbidden" }
    texts[0] += " · Before: \(texts[1])"
    #expect(model.list.history.map(\.details) == texts)
    // The same status again does not hide the other one.
    page.authority.next(.api, status: second, "{}")
    await model.send()?.value
    #expect(model.list.history.first?.details == texts[0])
    #expect(model.list.history.first?.date == page.clock.now)
    // Each outcome stays in the activity.
    let events = ActivityModel(page.window.status.activity).events
    #expect(events.count { $0.kind == .failure } == (first == 403 ? 3 : 2))
  }

  @Test("What was sent with header fields can be sent again")
  func fields() async throws {
    let (page, model) = try await signedIn()
    let sample = try #require(model.list.samples.first { $0.title == "Search people by name" })
    model.choose(sample.request)
    await model.send()?.value
    model.choose(ExplorerRequest(.get, "/me"))
    model.choose(try #require(model.list.history.first).request)
    #expect(model.request == sample.request)
    await model.send()?.value
    // https://learn.microsoft.com/graph/aad-advanced-queries
    let level = try #require(HTTPField.Name("ConsistencyLevel"))
    let call = page.authority.calls.last { $0.endpoint == .api }
    #expect(call?.request.headerFields[level] == "eventual")
    // The same address without them is another request.
    model.request.fields = ""
    await model.send()?.value
    #expect(model.list.history.map(\.request.fields) == ["", sample.request.fields])
  }

  @Test("The history says that very long header fields were not kept")
  func longFields() async throws {
    let (_, model) = try await signedIn()
    let short = "Prefer: " + String(repeating: "a", count: 100)
    let long = "Prefer: " + String(repeating: "a", count: 9000)
    for fields in [short, long] {
      model.request = ExplorerRequest(.get, "/me", fields: fields)
      await model.send()?.value
    }
    #expect(model.list.history.map(\.request.fields) == ["", short])
    #expect(
      model.list.history.map { $0.details.contains("Some header fields were not kept") }
        == [true, false])
  }

  @Test("Bodies are kept only while the person wants that")
  func bodies() async throws {
    let files = try TemporaryDirectory()
    let preferences = Preferences(MemorySettings())
    preferences.keepsBodies = true
    let page = try Page(history: history(in: files), preferences: preferences)
    await page.model.callGraph()?.value
    let model = ExplorerModel(page.window)
    let first = ExplorerRequest(.post, "/me/messages", body: "{}")
    let sent = ExplorerRequest(.post, "/me/messages", body: "{\"a\":\"kept-body\"}")
    for request in [first, sent] {
      model.request = request
      await model.send()?.value
    }
    #expect(model.list.history.map(\.request) == [sent, first] && model.list.keepsBodies)
    // What is typed is kept in any case.
    model.request = ExplorerRequest(.get, "/me")
    page.window.close()
    func isInFile() -> Bool {
      let name = files.names(in: "explorer").first { $0.hasSuffix(".json") }
      let text = name.flatMap { try? files.read("explorer/\($0)") }
      return text.map { String(decoding: $0, as: UTF8.self).contains("kept-body") } ?? false
    }
    while !isInFile() { await Task.yield() }
    preferences.keepsBodies = false
    while isInFile() { await Task.yield() }
    // What differed in the body alone is one line now.
    let left = try #require(model.list.history.first?.request)
    #expect(model.list.history.map(\.title) == ["POST /me/messages"])
    #expect(left.body.isEmpty && left.isBodyMissing)
    #expect(!model.list.keepsBodies)
  }

  @Test("A request whose body was not kept says so, and is sent without it only after a question")
  func missingBody() async throws {
    let files = try TemporaryDirectory()
    let first = history(in: files)
    let (page, model) = try await signedIn(history: first)
    model.request = ExplorerRequest(.post, "/me/messages", body: "{}")
    await model.send()?.value
    model.request = ExplorerRequest(.post, "/me/revokeSignInSessions")
    await model.send()?.value
    await first.finishWriting()
    // The file has it, too.
    let again = history(in: files)
    await again.load()
    let next = try Page(store: page.store, history: again)
    await next.model.callGraph()?.value
    let opened = ExplorerModel(next.window)
    let asked = Questions(of: opened)
    #expect(opened.list.history.map(\.request.isBodyMissing) == [false, true])
    opened.choose(try #require(opened.list.history.last?.request))
    #expect(opened.state.bodyProblem?.hasPrefix("The body of this request was not kept.") == true)
    next.authority.forget()
    #expect(opened.send() == nil)
    await opened.finish()
    #expect(!next.authority.calls.contains { $0.endpoint == .api })
    #expect(asked.all.map(\.0.title) == ["Send Without Body?"])
    opened.request.body = "{}"
    #expect(opened.state.bodyProblem == nil)
    await opened.send()?.value
    #expect(asked.all.count == 1)
    #expect(next.authority.calls.count { $0.endpoint == .api } == 1)
    // One that never had a body is sent as it was.
    opened.choose(ExplorerRequest(.post, "/me/revokeSignInSessions"))
    await opened.send()?.value
    #expect(asked.all.count == 1)
    #expect(next.authority.calls.count { $0.endpoint == .api } == 2)
  }

  @Test("At most a hundred requests are kept")
  func limit() async throws {
    let files = try TemporaryDirectory()
    let (page, first) = try await signedIn()
    let key = try #require(page.model.state.rows.first?.id.account)
    let lines = (0..<105).map {
      #"{"method":"GET","address":"/users/\#($0)","status":200,"time":\#($0),"#
        + #""account":"\#(key.homeAccountID)","cloud":"\#(key.cloud)"}"#
    }
    let directory = "\(files.path)/explorer"
    try FileManager.default.createDirectory(
      atPath: directory, withIntermediateDirectories: false,
      attributes: [.posixPermissions: 0o700])
    let path = "\(directory)/\(HashedFileName.of("Test")).json"
    let text = "{\"requests\":[\(lines.joined(separator: ","))]}"
    try Data(text.utf8).write(to: URL(filePath: path))
    try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
    let history = history(in: files)
    await history.load()
    #expect(history.entries.count == SentRequests.limit)
    let second = try Page(store: page.store, history: history)
    await second.model.callGraph()?.value
    let model = ExplorerModel(second.window)
    model.request.address = "/users/new"
    await model.send()?.value
    #expect(model.list.history.count == SentRequests.limit)
    #expect(model.list.history.first?.title == "GET /users/new")
    #expect(model.list.history.last?.title == "GET /users/98")
    #expect(first.list.isHistoryEmpty)
  }

  @Test("Clear History leaves nothing, also in the file")
  func clear() async throws {
    let files = try TemporaryDirectory()
    let history = history(in: files)
    let (_, model) = try await signedIn(history: history)
    await model.send()?.value
    await history.finishWriting()
    #expect(files.names(in: "explorer").count == 1)
    model.clearHistory()
    #expect(model.list.isHistoryEmpty)
    await history.finishWriting()
    #expect(files.names(in: "explorer").isEmpty)
  }

  @Test("Undo restores a cleared history, except for accounts that were signed out since")
  func clearIsUndone() async throws {
    let (page, model) = try await signedIn()
    var undos: [@MainActor () -> Void] = []
    let observer = model.undos.add { undos.append($0.1) }
    defer { withExtendedLifetime(observer) {} }
    await model.send()?.value
    model.clearHistory()
    model.request.address = "/me/messages"
    await model.send()?.value
    undos.first?()
    #expect(model.list.history.map(\.title) == ["GET /me/messages", "GET /v1.0/me"])
    model.clearHistory()
    await page.model.signOut.signOut()?.value
    undos.last?()
    #expect(undos.count == 2 && model.list.isHistoryEmpty)
  }

  @Test("Undo restores the history before accounts are read, and after the page is closed")
  func clearIsUndoneElsewhere() async throws {
    let files = try TemporaryDirectory()
    let first = history(in: files)
    let (page, model) = try await signedIn(history: first)
    await model.send()?.value
    await first.finishWriting()
    let again = history(in: files)
    await again.load()
    let unread = try Page(store: page.store, history: again)
    let next = ExplorerModel(unread.window)
    var undo: (@MainActor () -> Void)?
    let observer = next.undos.add { undo = $0.1 }
    next.clearHistory()
    #expect(again.entries.isEmpty)
    next.close()
    let bringBack = try #require(undo)
    bringBack()
    #expect(again.entries.map(\.address) == ["/v1.0/me"])
    withExtendedLifetime(observer) {}
  }

  @Test("Undo restores no bodies that are not to be kept any more")
  func clearIsUndoneWithoutBodies() async throws {
    let preferences = Preferences(MemorySettings())
    preferences.keepsBodies = true
    let page = try Page(preferences: preferences)
    await page.model.callGraph()?.value
    let model = ExplorerModel(page.window)
    var undo: (@MainActor () -> Void)?
    let observer = model.undos.add { undo = $0.1 }
    model.request = ExplorerRequest(.post, "/me/messages", body: "{}")
    await model.send()?.value
    #expect(model.list.history.map(\.request.body) == ["{}"])
    model.clearHistory()
    preferences.keepsBodies = false
    let bringBack = try #require(undo)
    bringBack()
    #expect(model.list.history.map(\.request.body) == [""])
    withExtendedLifetime(observer) {}
  }

  @Test("A history that was not read yet is cleared, too")
  func clearUnread() async throws {
    let files = try TemporaryDirectory()
    let first = history(in: files)
    let (_, model) = try await signedIn(history: first)
    await model.send()?.value
    await first.finishWriting()
    let unread = history(in: files)
    unread.clear()
    await unread.finishWriting()
    #expect(unread.entries.isEmpty && files.names(in: "explorer").isEmpty)
  }

  @Test("Signing out of an account removes its requests and its answer")
  func signOut() async throws {
    let (page, model) = try await signedIn()
    await model.send()?.value
    #expect(!model.list.isHistoryEmpty && model.answer != nil)
    await page.model.signOut.signOut()?.value
    while !model.list.isHistoryEmpty { await Task.yield() }
    #expect(model.answer == nil)
  }

  @Test(
    "A damaged file is no history",
    arguments: ["", "[]", "{\"requests\":[1,{\"time\":1e99}]}"])
  func damaged(text: String) async throws {
    let files = try TemporaryDirectory()
    let first = history(in: files)
    let (_, model) = try await signedIn(history: first)
    await model.send()?.value
    await first.finishWriting()
    let directory = "\(files.path)/explorer"
    let name = try #require(try FileManager.default.contentsOfDirectory(atPath: directory).first)
    try Data(text.utf8).write(to: URL(filePath: "\(directory)/\(name)"))
    let second = history(in: files)
    await second.load()
    #expect(second.entries.isEmpty)
  }
}
