import CurlHTTP
import EntranceKit
import FoundationEssentials
import HTTPTypes
import TestSupport
import Testing

@MainActor @Suite("Requests of the Explorer page that are kept in files")
struct ExplorerFilesTests {
  private let directory: TemporaryDirectory
  private let page: Page
  private let model: ExplorerModel
  private let asked: Questions
  private let preferences = Preferences(MemorySettings())

  private static let text = """
    @top = 3
    # A comment of the person
    ### Me
    GET https://graph.microsoft.com/v1.0/me
    Authorization: Bearer {{$aadV2Token}}
    Prefer: return=minimal

    ### Change
    # @name change-me
    PATCH https://graph.microsoft.com/v1.0/me
    Authorization: Bearer {{$aadV2Token}}

    { "jobTitle": "{{title}}" }

    ### People
    GET https://graph.microsoft.com/v1.0/users?$top={{top}}&$filter={{$dotenv FILTER}}

    """

  /// The same with another address of the request “Me”.
  private static let changedElsewhere = text.replacing(
    "v1.0/me\nAuthorization: Bearer {{$aadV2Token}}\nPrefer",
    with: "v1.0/me/theirs\nAuthorization: Bearer {{$aadV2Token}}\nPrefer")

  init() async throws {
    directory = try TemporaryDirectory()
    page = try Page(preferences: preferences)
    await page.model.callGraph()?.value
    page.authority.forget()
    model = ExplorerModel(page.window)
    asked = Questions(of: model)
  }

  /// What the page has asked so far.
  private var questions: [Questions.Question] { asked.all }

  private var path: String { "\(directory.path)/tasks.http" }

  private func write(_ text: String) throws {
    try Data(text.utf8).write(to: URL(filePath: path))
  }

  private func read() throws -> String {
    String(decoding: try Data(contentsOf: URL(filePath: path)), as: UTF8.self)
  }

  private func open(_ text: String = Self.text) async throws {
    try write(text)
    model.files.open(path)
    await model.files.finishReading()
  }

  private func choose(_ title: String) throws {
    model.choose(try #require(model.files.rows.first { $0.title == title }))
  }

  private func sent() -> [ScriptedAuthority.Call] {
    page.authority.calls.filter { $0.endpoint == .api }
  }

  /// Waits until `condition` is true.
  private func wait(for condition: () -> Bool) async {
    while !condition() { await Task.yield() }
  }

  @Test("A file's requests are listed by name below it, and a request fills the page")
  func opens() async throws {
    try await open()
    #expect(model.files.rows.map(\.title) == ["tasks.http", "Me", "change-me", "People"])
    #expect(model.files.rows[1].details == "GET https://graph.microsoft.com/v1.0/me")
    try choose("Me")
    // The token is the account's, and the host is the API's.
    #expect(model.request == ExplorerRequest(.get, "/v1.0/me", fields: "Prefer: return=minimal"))
    #expect(model.state.saved?.text == "Me in tasks.http")
    model.files.search = "chan"
    #expect(model.files.rows.map(\.title) == ["tasks.http", "change-me"])
  }

  @Test("Saving changes what was edited, and no other byte of the file")
  func saves() async throws {
    try await open()
    try choose("Me")
    #expect(model.save() == nil)
    model.request.address = "/v1.0/me?$select=mail"
    #expect(model.state.saved?.text == "Me in tasks.http, not saved")
    await model.save()?.value
    #expect(
      try read()
        == Self.text.replacing(
          "v1.0/me\nAuthorization: Bearer {{$aadV2Token}}\nPrefer",
          with:
            "v1.0/me?$select=mail\nAuthorization: Bearer {{$aadV2Token}}\nPrefer"))
    #expect(!model.hasUnsavedEdits)
    #expect(try FileManager.default.contentsOfDirectory(atPath: directory.path) == ["tasks.http"])
  }

  @Test("A request from nowhere is saved in a file, with a place for the token and without one")
  func savesAs() async throws {
    model.request = ExplorerRequest(.post, "me/sendMail", fields: "Prefer: a", body: "{}\n\n")
    #expect(model.save() == nil)
    await model.save(as: path)?.value
    #expect(
      try read() == """
        ### POST me/sendMail
        POST https://graph.microsoft.com/v1.0/me/sendMail
        Authorization: Bearer {{$aadV2Token}}
        Prefer: a

        {}

        """)
    #expect(preferences.requestFiles == [path])
    #expect(model.state.saved?.isEdited == false)
    // What is in a file already stays there.
    model.choose(ExplorerRequest(.get, "/v1.0/me"))
    await model.addRequest(to: path)?.value
    await model.files.finishReading()
    #expect(
      model.files.rows.map(\.title) == ["tasks.http", "POST me/sendMail", "GET /v1.0/me"])
    // “Replace” in the file chooser means that.
    await model.save(as: path)?.value
    await model.files.finishReading()
    #expect(model.files.rows.map(\.title) == ["tasks.http", "GET /v1.0/me"])
    #expect(model.state.saved?.isEdited == false)
    #expect(
      try read() == """
        ### GET /v1.0/me
        GET https://graph.microsoft.com/v1.0/me
        Authorization: Bearer {{$aadV2Token}}

        """)
  }

  @Test("A name that says what is sent follows an edit; one that the person wrote stays")
  func renames() async throws {
    model.request = ExplorerRequest(.get, "/v1.0/me")
    await model.save(as: path)?.value
    model.request.address = "/v1.0/users"
    await model.save()?.value
    #expect(
      try read() == """
        ### GET /v1.0/users
        GET https://graph.microsoft.com/v1.0/users
        Authorization: Bearer {{$aadV2Token}}

        """)
    try await open()
    try choose("Me")
    model.request.address = "/v1.0/users"
    await model.save()?.value
    #expect(try read().contains("### Me\nGET https://graph.microsoft.com/v1.0/users\n"))
  }

  @Test("A header field with a token is never written, and a message says so")
  func secrets() async throws {
    var messages: [String] = []
    let observer = model.messages.add { messages.append($0) }
    defer { withExtendedLifetime(observer) {} }
    model.request = ExplorerRequest(.get, "/me", fields: "Authorization: Bearer eyJsecret")
    #expect(model.save(as: path) == nil)
    #expect(messages.count == 1 && messages[0].contains("Authorization"))
    try await open("GET https://graph.microsoft.com/v1.0/me\nAuthorization: Bearer eyJsecret\n")
    model.request.fields = ""
    model.choose(model.files.rows[1])
    #expect(!model.request.fields.contains("eyJ"))
    await wait { model.state.problem != nil || model.state.fieldProblem != nil }
    #expect(!model.state.canSend)
    #expect(model.state.fieldProblem?.contains("A token does not belong in a file.") == true)
    model.request.address = "/me/messages"
    #expect(model.save() == nil)
    #expect(messages.last?.contains("A token does not belong in a file.") == true)
  }

  @Test("Edits are not lost to another request, unless the person says so")
  func asks() async throws {
    try await open()
    try choose("Me")
    model.request.address = "/v1.0/me/messages"
    try choose("People")
    #expect(model.request.address == "/v1.0/me/messages")
    let (question, proceed) = try #require(questions.first)
    #expect(question.text == "Your changes to “Me” in tasks.http are not saved.")
    proceed()
    #expect(model.state.saved?.title == "People")
    model.choose(ExplorerRequest(.get, "/me"))
    #expect(questions.count == 1 && model.state.saved == nil)
  }

  @Test("Edits can be saved before another request takes their place", arguments: ["Me", "People"])
  func saves(another: String) async throws {
    try await open()
    try choose("Me")
    // What cannot be saved stays.
    model.request.fields = "Authorization: Bearer eyJ0eXAi"
    model.save { Issue.record("nothing was saved") }
    model.request.fields = "Prefer: return=minimal"
    model.request.address = "/v1.0/me/messages"
    try choose(another)
    let (question, proceed) = try #require(questions.first)
    #expect(question.isOfEdits && questions.count == 1)
    var isDone = false
    model.save {
      proceed()
      isDone = true
    }
    await wait { isDone }
    #expect(!model.hasUnsavedEdits && model.state.saved?.title == another)
    #expect(try read().contains("GET https://graph.microsoft.com/v1.0/me/messages\n"))
    // The same one does not undo what was saved.
    #expect(another != "Me" || model.request.address == "/v1.0/me/messages")
    #expect(questions.count == 1)
  }

  @Test("What another program writes is read, but does not replace edits")
  func changesElsewhere() async throws {
    try await open()
    try choose("Me")
    try write(Self.text.replacing("v1.0/me\n", with: "beta/me\n"))
    model.files.reload(path)
    await model.files.finishReading()
    #expect(model.request.address == "/beta/me")
    model.request.address = "/beta/me/messages"
    // Another request is no conflict, and stays changed when this one is saved.
    let moved = "### New\nGET https://example.com\n\n" + (try read())
    try write(moved)
    model.files.reload(path)
    await model.files.finishReading()
    #expect(model.state.saved?.isConflict == false)
    await model.save()?.value
    #expect(try read().contains("### New\nGET https://example.com\n"))
    #expect(try read().contains("GET https://graph.microsoft.com/beta/me/messages\n"))
  }

  @Test("A request that was changed here and elsewhere is replaced only when the person says so")
  func conflict() async throws {
    try await open()
    try choose("Me")
    model.request.address = "/v1.0/me/mine"
    let theirs = Self.changedElsewhere
    try write(theirs)
    model.files.reload(path)
    await model.files.finishReading()
    #expect(model.state.saved?.text == "Me in tasks.http, changed by another program")
    #expect(model.request.address == "/v1.0/me/mine")
    await model.save()?.value
    #expect(try read() == theirs)
    let (question, proceed) = try #require(questions.first)
    #expect(question.title == "Replace the Request?")
    proceed()
    await wait { !model.hasUnsavedEdits }
    #expect(try read() == theirs.replacing("me/theirs", with: "me/mine"))
  }

  @Test("What waits until edits are saved goes on after the request of another program is replaced")
  func conflictBeforeLeaving() async throws {
    try await open()
    try choose("Me")
    model.request.address = "/v1.0/me/mine"
    try write(Self.changedElsewhere)
    model.files.reload(path)
    await model.files.finishReading()
    var isDone = false
    model.save { isDone = true }
    await wait { !questions.isEmpty }
    #expect(!isDone && model.hasUnsavedEdits)
    let (_, replace) = try #require(questions.first)
    replace()
    await wait { isDone }
    #expect(!model.hasUnsavedEdits && questions.count == 1)
    #expect(try read() == Self.changedElsewhere.replacing("me/theirs", with: "me/mine"))
  }

  @Test("A broken file is in the list with the line that is wrong; others can be used")
  func broken() async throws {
    try Data([0x47, 0x45, 0x54, 0x0A, 0xFF]).write(to: URL(filePath: path))
    model.files.open(path)
    await model.files.finishReading()
    #expect(model.files.rows.map(\.title) == ["tasks.http"])
    #expect(model.files.rows[0].details.hasPrefix("Line 2: The text is not UTF-8."))
    #expect(model.files.rows[0].hasProblem)
    model.files.open("\(directory.path)/missing.http")
    await model.files.finishReading()
    #expect(model.files.rows[0].details.hasPrefix("The file cannot be read: "))
    try write("### A\nGET https://graph.microsoft.com/v1.0/me\nnonsense\n")
    model.files.reload(path)
    await model.files.finishReading()
    let row = try #require(model.files.rows.first { $0.title == "A" })
    #expect(row.details.hasPrefix("Line 3: This is not a header field.") && row.hasProblem)
  }

  @Test("Open files are open again with other windows and at the next start, until they are closed")
  func reopens() async throws {
    try await open()
    let other = ExplorerModel(page.window)
    await other.files.finishReading()
    #expect(other.files.rows.count == 4)
    try choose("Me")
    other.files.close(path)
    #expect(model.files.rows.isEmpty && preferences.requestFiles == [])
    // What is in the page stays there, and can be saved.
    model.request.address = "/v1.0/me/messages"
    await model.save()?.value
    #expect(try read().contains("/v1.0/me/messages"))
  }

  @Test("Variables have the values of the file and of the file .env, and the page shows them")
  func variables() async throws {
    try Data("FILTER=\"startsWith(mail,'a')\"\n".utf8)
      .write(to: URL(filePath: "\(directory.path)/.env"))
    try await open()
    try choose("People")
    #expect(model.request.address == "/v1.0/users?$top={{top}}&$filter={{$dotenv FILTER}}")
    await wait { model.state.sentURL != nil }
    let url = "https://graph.microsoft.com/v1.0/users?$top=3&$filter=startsWith(mail,'a')"
    #expect(model.state.difference == url)
    await model.send()?.value
    #expect(sent().map(\.url) == [url])
    #expect(model.answer?.statusText == "200 OK")
    // The values are nobody's business.
    #expect(model.list.history.first?.title.contains("{{top}}") == true)
  }

  @Test("A DELETE whose address changes after the question is asked about again")
  func changedDelete() async throws {
    func setID(_ id: String) throws {
      try Data("ID=\"\(id)\"\n".utf8).write(to: URL(filePath: "\(directory.path)/.env"))
    }
    try setID("1")
    try await open(
      "### Remove\nDELETE https://graph.microsoft.com/v1.0/me/messages/{{$dotenv ID}}\n")
    try choose("Remove")
    await wait { model.state.canSend }
    model.send()
    #expect(questions.last?.0.text.hasSuffix("/me/messages/1") == true)
    try setID("2")
    try #require(questions.last).1()
    await model.finish()
    #expect(sent().isEmpty && questions.count == 2)
    #expect(questions.last?.0.text.hasSuffix("/me/messages/2") == true)
    page.authority.next(.api, status: 204, "")
    try #require(questions.last).1()
    await model.finish()
    #expect(sent().map(\.url) == ["https://graph.microsoft.com/v1.0/me/messages/2"])
  }

  @Test("A copy for another program has the values of variables, and the contents of files")
  func copies() async throws {
    try Data(#"{"a": 1}"#.utf8).write(to: URL(filePath: "\(directory.path)/body.json"))
    try Data([0xFF, 0xFE]).write(to: URL(filePath: "\(directory.path)/photo"))
    let post = "POST https://graph.microsoft.com/v1.0/me"
    try await open(
      """
      @kind = minimal
      ### Text
      \(post)
      Prefer: return={{kind}}

      < ./body.json

      ### Photo
      \(post)

      < ./photo

      """)
    try choose("Text")
    await wait { model.state.canSend }
    for kind in ExplorerSnippet.allCases {
      let text = try #require(model.snippet(kind))
      #expect(text.contains("return=minimal"), "\(kind)")
      #expect(!text.contains("{{kind}}") && !text.contains("body.json"), "\(kind)")
    }
    #expect(model.snippetProblem(.http) == nil && model.hasVariables)
    #expect(model.snippet(.curl)?.contains(#"--data-raw '{"a": 1}'"#) == true)
    try choose("Photo")
    await wait { model.state.canSend }
    for kind in ExplorerSnippet.allCases { #expect(model.snippet(kind) == nil, "\(kind)") }
    #expect(
      model.snippetProblem(.curl) == "A request whose body is a binary file cannot be copied"
        && !model.hasVariables)
  }

  @Test("A save that ends late does not take over a request that was chosen meanwhile")
  func lateSave() async throws {
    model.request = ExplorerRequest(.get, "/v1.0/me/messages")
    let save = model.save(as: path)
    model.choose(ExplorerRequest(.get, "/v1.0/users"))
    await save?.value
    #expect(try read().contains("GET https://graph.microsoft.com/v1.0/me/messages\n"))
    #expect(model.request.address == "/v1.0/users" && model.state.saved == nil)
    #expect(model.save() == nil)
    await model.files.finishReading()
    #expect(model.files.rows.map(\.title) == ["tasks.http", "GET /v1.0/me/messages"])
  }

  @Test("A variable without a value is reported with its position, and nothing is sent")
  func missing() async throws {
    try await open()
    try choose("change-me")
    await wait { model.state.bodyProblem != nil }
    #expect(model.state.bodyProblem?.contains("The variable “title” has no value.") == true)
    #expect(!model.state.canSend && model.send() == nil)
    try choose("People")
    await wait { model.state.problem != nil }
    #expect(model.state.problem == "The variable “$dotenv FILTER” is not set.")
    #expect(model.send() == nil)
    model.request.address = "/v1.0/users"
    await wait { model.state.problem == nil && model.state.sentURL?.hasSuffix("users") == true }
    model.request.fields = "Prefer: {{gone}}"
    await wait { model.state.fieldProblem != nil }
    #expect(model.state.fieldProblem?.contains("“gone”") == true)
    // A request that is in no file has no variables.
    model.request.fields = ""
    model.choose(ExplorerRequest(.get, "/users/{{id}}"))
    #expect(sent().isEmpty)
  }

  @Test("Edits stay on the page when its app gets another API, for the API that they are for")
  func otherAPI() async throws {
    try await open()
    #expect(model.draft == nil)
    try choose("Me")
    model.request.address = "/v1.0/me?$select=mail"
    model.request.body = "{}"
    let api = "https://graph.microsoft.us/v1.0/me"
    let other = ExplorerModel(
      try Page(api: api, preferences: preferences).window, continuing: model.draft)
    model.close()
    await other.files.finishReading()
    #expect(
      other.request
        == ExplorerRequest(
          .get, "https://graph.microsoft.com/v1.0/me?$select=mail",
          fields: "Prefer: return=minimal",
          body: "{}"))
    #expect(other.state.saved?.text == "Me in tasks.http, not saved")
    await other.save()?.value
    #expect(try read().contains("GET https://graph.microsoft.com/v1.0/me?$select=mail\n"))
    // What is in no file is for the API of the page.
    other.choose(ExplorerRequest(.get, "/me/messages"))
    let last = ExplorerModel(page.window, continuing: other.draft)
    #expect(last.request.address == "/me/messages" && last.state.saved == nil)
    #expect(last.state.sentURL == "https://graph.microsoft.com/v1.0/me/messages")
  }

  @Test("Without a file there are no variables")
  func noFile() {
    model.request = ExplorerRequest(.get, "/users/{{id}}")
    #expect(
      model.state.problem == "“{{id}}” is a variable, which only a request of a file can have.")
    model.request = ExplorerRequest(.get, "/users/1", body: "{{a}}")
    #expect(model.state.problem == nil)
  }
}
