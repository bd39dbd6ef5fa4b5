import EntranceKit
import FoundationEssentials
import TestSupport
import Testing

@MainActor @Suite("Requests of other programs in the Explorer")
struct ExplorerImportTests {
  private let directory: TemporaryDirectory
  private let page: Page
  private let model: ExplorerModel
  private let preferences = Preferences(MemorySettings())

  init() async throws {
    directory = try TemporaryDirectory()
    page = try Page(preferences: preferences)
    await page.model.callGraph()?.value
    model = ExplorerModel(page.window)
  }

  private func write(_ text: String, to name: String) throws -> String {
    let path = "\(directory.path)/\(name)"
    try Data(text.utf8).write(to: URL(filePath: path))
    return path
  }

  /// What is asked and told while `work` is done.
  private func questions(
    during work: () async throws -> Void
  ) async throws -> [ExplorerQuestion] {
    var questions: [ExplorerQuestion] = []
    let observer = model.questions.add { questions.append($0.0) }
    try await work()
    withExtendedLifetime(observer) {}
    return questions
  }

  // Postman's format: https://schema.postman.com/json/collection/v2.1.0/collection.json
  private static let collection = #"""
    {"info": {"name": "Tasks",
      "schema": "https://schema.getpostman.com/json/collection/v2.1.0/collection.json"},
     "item": [
       {"name": "Me", "request": {"method": "GET", "url": "https://graph.microsoft.com/v1.0/me",
        "header": [{"key": "Authorization", "value": "Bearer eyJsecret"},
          {"key": "Cookie", "value": "session=hunter2"}]}},
       {"name": "People", "request": {"method": "GET",
        "url": "https://graph.microsoft.com/v1.0/users?$top={{top}}"}}]}
    """#

  @Test("A Postman collection becomes an open file, without its secrets, and a message says so")
  func collection() async throws {
    var imports: [ExplorerImport] = []
    let observer = model.imports.add { imports.append($0) }
    let source = try write(Self.collection, to: "Tasks.postman_collection.json")
    let path = "\(directory.path)/tasks.http"
    let told = try await questions {
      await model.importFile(source).value
      let found = try #require(imports.first)
      #expect(found.fileName == "Tasks.postman_collection.http")
      // Nothing is written before the person has said where.
      #expect(model.files.rows.isEmpty)
      await model.save(found, as: path).value
    }
    withExtendedLifetime(observer) {}
    let text = String(decoding: try Data(contentsOf: URL(filePath: path)), as: UTF8.self)
    #expect(text.contains("Authorization: Bearer {{$aadV2Token}}\n"))
    #expect(!text.contains("eyJ") && !text.contains("hunter2"))
    #expect(model.files.rows.map(\.title) == ["tasks.http", "Me", "People"])
    #expect(told.map(\.title) == ["Imported With Changes"] && told[0].answer == nil)
    #expect(told[0].text.contains("the header field “Cookie” is left out"))
    #expect(preferences.requestFiles == [path])
  }

  @Test(
    "A request that cannot be imported is reported with the position of the error",
    arguments: [
      ("{\"info\": {},\n \"item\": [", "Line 2: The JSON is invalid: "),
      (
        "hello",
        "This is neither a curl command, nor a Postman collection, nor a HAR file, nor the samples of"
      ),
      ("curl 'https://a.b", "Line 1: "),
    ])
  func refused(text: String, reason: String) async throws {
    let path = try write(text, to: "it.json")
    let told = try await questions { await model.importFile(path).value }
    #expect(told.map(\.title) == ["Nothing Was Imported"])
    #expect(told[0].text.hasPrefix("The file “it.json” cannot be imported. \(reason)"))
    #expect(model.files.rows.isEmpty)
  }

  @Test("A file that cannot be read or written is reported")
  func files() async throws {
    let missing = try await questions {
      await model.importFile("\(directory.path)/missing.har").value
    }
    #expect(
      missing[0].text == "The file “missing.har” cannot be imported."
        + " The file cannot be read: No such file or directory.")
    var imports: [ExplorerImport] = []
    let observer = model.imports.add { imports.append($0) }
    await model.importFile(try write("curl https://a.b", to: "a.sh")).value
    withExtendedLifetime(observer) {}
    let found = try #require(imports.first)
    let told = try await questions {
      await model.save(found, as: "\(directory.path)/gone/a.http").value
    }
    #expect(told.first?.text.hasPrefix("The file could not be saved: ") == true)
    #expect(model.files.rows.isEmpty)
  }

  @Test("A curl command that is pasted as the address is the page's request, without the token")
  func paste() async throws {
    let command = """
      curl -X POST 'https://graph.microsoft.com/v1.0/me/messages' \\
        -H 'Authorization: Bearer eyJsecret' -H 'Prefer: return=minimal' --data-raw '{"a":1}' \\
        -H 'Content-Type: application/json' -H 'Cookie: a=b'
      """
    let told = try await questions { await model.paste(command)?.value }
    #expect(
      model.request
        == ExplorerRequest(
          .post, "/v1.0/me/messages",
          fields: "Prefer: return=minimal\nContent-Type: application/json", body: #"{"a":1}"#))
    #expect(told.map(\.title) == ["Imported With Changes"])
    #expect(model.state.saved == nil)
  }

  // As Microsoft's documents write requests, and as RFC 9112, section 3, writes a request line.
  @Test(
    "A pasted request with its method is the page's request, without a token, and can be undone",
    arguments: [
      ("GET /me", ExplorerRequest(.get, "/me")),
      ("  delete /me/messages/1 HTTP/1.1\n", ExplorerRequest(.delete, "/me/messages/1")),
      ("GET /users?$filter=id eq 'a b'", ExplorerRequest(.get, "/users?$filter=id eq 'a b'")),
      (
        "### Send\n# @name send\nPATCH https://graph.microsoft.com/v1.0/me\n"
          + "Authorization: Bearer eyJsecret\nContent-Type: application/json\n\n{\n\"a\": 1\n}\n",
        ExplorerRequest(
          .patch, "/v1.0/me", fields: "Content-Type: application/json", body: "{\n\"a\": 1\n}")
      ),
      (
        "###\r\nGET https://graph.microsoft.com/beta/me\r\n"
          + "Authorization: Bearer {{$aadV2Token}}\r\n",
        ExplorerRequest(.get, "/beta/me")
      ),
    ] as [(String, ExplorerRequest)])
  func pasteRequest(text: String, request: ExplorerRequest) async throws {
    model.request = ExplorerRequest(.post, "/me/sendMail", body: "{}")
    var undos: [@MainActor () -> Void] = []
    let observer = model.undos.add { undos.append($0.1) }
    let told = try await questions { await model.paste(text)?.value }
    withExtendedLifetime(observer) {}
    #expect(model.request == request && told.isEmpty)
    // What was typed before comes back.
    undos.first?()
    #expect(model.request == ExplorerRequest(.post, "/me/sendMail", body: "{}"))
  }

  @Test("A key brings back all of the request that was replaced, until the new one is edited")
  func bringBack() {
    let typed = ExplorerRequest(.post, "/me/sendMail", fields: "Prefer: a", body: "{}")
    model.request = typed
    #expect(!model.state.canBringBack)
    model.choose(ExplorerRequest(.get, "/me"))
    #expect(model.state.canBringBack)
    model.request.address = "/me/drive"
    #expect(!model.state.canBringBack)
    model.bringBack()
    #expect(model.request == ExplorerRequest(.get, "/me/drive"))
    model.request.address = "/me"
    model.bringBack()
    #expect(model.request == typed && !model.state.canBringBack)
    // What was not typed is chosen again where it is.
    model.choose(ExplorerRequest(.get, "/users"))
    model.choose(ExplorerRequest(.get, "/me"))
    #expect(!model.state.canBringBack)
  }

  @Test(
    "The request that was copied is the same one when it is pasted",
    arguments: [ExplorerSnippet.http, .curl, .entrancectl])
  func pasteCopied(kind: ExplorerSnippet) async throws {
    model.request = ExplorerRequest(
      .post, "/v1.0/me/messages", fields: "Prefer: return=minimal\nContent-Type: application/json",
      body: #"{"subject": "a"}"#)
    let copied = try #require(model.snippet(kind))
    model.request = ExplorerRequest(.get, "/me")
    await model.paste(copied)?.value
    #expect(model.request.method == .post && model.request.address == "/v1.0/me/messages")
    #expect(model.request.body == #"{"subject": "a"}"#)
    #expect(model.request.fields.contains("Prefer: return=minimal"))
    #expect(!model.request.fields.contains("Authorization"))
  }

  @Test(
    "Pasted requests that are several, or need a file, leave the address as it was",
    arguments: [
      "GET /me\n\n###\nGET /users\n", "GET /users/{{id}}", "PUT /me/photo/$value\n\n< photo.jpg",
      "GET /me\n\n> {% client.log(1) %}\n", "$ entrancectl token --json",
    ])
  func pasteRequestFails(text: String) async throws {
    model.request.address = "/me/drive"
    let told = try await questions { await model.paste(text)?.value }
    #expect(told.map(\.title) == ["Nothing Was Imported"])
    #expect(model.request == ExplorerRequest(.get, "/me/drive"))
  }

  @Test(
    "An address with a method, or with a line break in its path, is not sent",
    arguments: [
      ("GET /me", "The address begins with a method."),
      ("get https://graph.microsoft.com/v1.0/me", "The address begins with a method."),
      ("### A\nGET /me", "The address begins with a method."),
      ("/me\n/drive", "The path of the address has a line break in it."),
      ("entrancectl graph '/me'", "The address is a command."),
    ])
  func noPath(address: String, problem: String) {
    model.request.address = address
    #expect(model.state.problem?.hasPrefix(problem) == true && !model.state.canSend)
    #expect(model.state.sentURL == nil)
    for address in ["/me/drive/root:/my files", "/me/my%20files", " /me ", "/get/me"] {
      model.request.address = address
      #expect(model.state.problem == nil)
    }
  }

  @Test("What a pasted command loses is reported once the command has replaced edits")
  func pasteOverEdits() async throws {
    let path = try write("GET https://graph.microsoft.com/v1.0/me\n", to: "a.http")
    model.files.open(path)
    await model.files.finishReading()
    model.choose(try #require(model.files.rows.last))
    model.request.address = "/me?a"
    var asked: [(ExplorerQuestion, @MainActor () -> Void)] = []
    let observer = model.questions.add { asked.append($0) }
    await model.paste("curl https://graph.microsoft.com/v1.0/users -H 'Cookie: a=b'")?.value
    #expect(asked.map { $0.0.title } == ["Discard Changes?"])
    #expect(model.request.address == "/me?a")
    asked.first?.1()
    #expect(asked.map { $0.0.title } == ["Discard Changes?", "Imported With Changes"])
    #expect(model.request.address == "/v1.0/users")
    withExtendedLifetime(observer) {}
  }

  @Test("A command that is typed is an address; one that needs a file gets one")
  func pasteElse() async throws {
    model.request.address = "curl https://graph.microsoft.com/v1.0/m"
    #expect(model.paste("curl https://graph.microsoft.com/v1.0/me") == nil)
    #expect(model.paste("https://graph.microsoft.com/v1.0/me/messages/curl") == nil)
    model.request.address = "/me"
    var imports: [ExplorerImport] = []
    let observer = model.imports.add { imports.append($0) }
    await model.paste("curl -d @body.json https://graph.microsoft.com/v1.0/me/messages")?.value
    await model.paste("curl https://graph.microsoft.com/v1.0/me https://a.b/c/d/e")?.value
    withExtendedLifetime(observer) {}
    #expect(imports.count == 2 && model.request.address == "/me")
  }

  @Test("A short command, one behind a prompt, and one in the address are recognized, too")
  func pasteAnywhere() async throws {
    let long = "/v1.0/me/messages?$select=subject,receivedDateTime&$orderby=receivedDateTime"
    for text in [
      "curl https://graph.microsoft.com/v1.0/me", "$ curl https://graph.microsoft.com/v1.0/me",
      "  $ curl \\\n  https://graph.microsoft.com/v1.0/me",
      "\(long)curl https://graph.microsoft.com/v1.0/me",
    ] {
      model.request.address = long
      await model.paste(text)?.value
      #expect(model.request.address == "/v1.0/me")
    }
  }

  @Test(
    "A command that cannot be imported leaves the address as it was, and its password nowhere",
    arguments: [
      "curl -u adele:hunter2 'https://graph.microsoft.com/v1.0/me",
      "$ curl -H 'Authorization: Bearer hunter2' \"https://graph.microsoft.com/v1.0/me",
    ])
  func pasteFails(text: String) async throws {
    model.request.address = "/me/drive"
    var isRestored = false
    let observer = model.replacements.add { if !$0 { isRestored = true } }
    let told = try await questions { await model.paste(text)?.value }
    withExtendedLifetime(observer) {}
    #expect(told.map(\.title) == ["Nothing Was Imported"])
    #expect(!told[0].text.contains("hunter2"))
    // The page shows the address again.
    #expect(model.request.address == "/me/drive" && isRestored)
  }

  @Test(
    "An address that is a command, or has a token in a header field, is not sent",
    arguments: [
      ("curl -u adele:hunter2 https://graph.microsoft.com/v1.0/me", "The address is a command."),
      ("$ curl https://graph.microsoft.com/v1.0/me", "The address is a command."),
      ("/me -H 'authorization:  Bearer hunter2'", "The address has a token or a password in it."),
      ("/me?x=Authorization: Basic hunter2", "The address has a token or a password in it."),
    ])
  func noAddress(address: String, problem: String) {
    model.request.address = address
    #expect(model.state.problem?.hasPrefix(problem) == true && !model.state.canSend)
    #expect(model.state.sentURL == nil)
    model.request.address = #"/me/messages?$search="authorization: forms""#
    #expect(model.state.problem == nil)
    model.request.address = "/me/curl"
    #expect(model.state.problem == nil)
  }

  @Test(
    "An address with a token or a password in it is written to no file, which is told",
    arguments: [
      ("curl -u adele:hunter2 https://graph.microsoft.com/v1.0/me", "The address is a command."),
      ("/me -H 'Authorization: Bearer hunter2'", "The address has a token or a password in it."),
    ])
  func notSaved(address: String, problem: String) async throws {
    let path = try write("GET https://graph.microsoft.com/v1.0/me\n", to: "a.http")
    model.files.open(path)
    await model.files.finishReading()
    model.choose(try #require(model.files.rows.last))
    model.request.address = address
    var said: [String] = []
    let observer = model.messages.add { said.append($0) }
    await model.save()?.value
    await model.save(as: path)?.value
    withExtendedLifetime(observer) {}
    #expect(said.count == 2 && said.allSatisfy { $0.hasPrefix(problem) })
    let text = String(decoding: try Data(contentsOf: URL(filePath: path)), as: UTF8.self)
    #expect(!text.contains("hunter2") && model.hasUnsavedEdits)
  }
}
