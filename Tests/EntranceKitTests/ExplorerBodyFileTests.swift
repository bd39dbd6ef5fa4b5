import CurlHTTP
import EntranceKit
import FoundationEssentials
import Glibc
import HTTPFiles
import HTTPTypes
import TestSupport
import Testing

@MainActor @Suite("The body of a request from a file", .timeLimit(.minutes(5)))
struct ExplorerBodyFileTests {
  private let directory: TemporaryDirectory
  private let page: Page
  private let model: ExplorerModel
  private let preferences = Preferences(MemorySettings())

  /// Bytes that are no text.
  private static let bytes = Data([0x89, 0x50, 0xFF])

  init() async throws {
    directory = try TemporaryDirectory()
    page = try Page(preferences: preferences)
    await page.model.callGraph()?.value
    page.authority.forget()
    model = ExplorerModel(page.window)
    model.request = ExplorerRequest(.put, "/me/drive/root:/a:/content", body: "{}")
  }

  private func path(_ name: String) -> String { "\(directory.path)/\(name)" }

  private func write(_ name: String, _ bytes: Data = Self.bytes) throws {
    try bytes.write(to: URL(filePath: path(name)))
  }

  private func makeFolder(_ name: String) throws {
    try FileManager.default.createDirectory(
      atPath: path(name), withIntermediateDirectories: false)
  }

  private func use(_ name: String) async {
    model.useFile(path(name))
    // Its size, or why there is none, is found on another thread.
    while model.state.bodyFile?.details.contains(" · ") != true, model.state.bodyProblem == nil {
      await Task.yield()
    }
  }

  private var sent: [ScriptedAuthority.Call] {
    page.authority.calls.filter { $0.endpoint == .api }
  }

  /// What is told during `work`.
  private func messages(_ work: @MainActor () async throws -> Void) async rethrows -> [String] {
    var messages: [String] = []
    let observer = model.messages.add { messages.append($0) }
    try await work()
    withExtendedLifetime(observer) {}
    return messages
  }

  // MARK: Sending

  @Test("It is shown with its name, size and media type, and sent as it is when it is sent")
  func send() async throws {
    try write("photo.png")
    await use("photo.png")
    #expect(model.state.bodyFile?.name == "photo.png")
    #expect(model.state.bodyFile?.details == "3 B · image/png")
    #expect(model.request.body.isEmpty && model.state.canSend)
    try write("photo.png", Data([1, 2, 3, 4]))
    await model.send()?.value
    #expect(sent.last?.body == Data([1, 2, 3, 4]))
    #expect(sent.last?.request.headerFields[.contentType] == "image/png")
    // The answer is to the request of the page, and the history has no contents.
    #expect(model.answer?.isSuccess == true && model.state.answered == nil)
    #expect(model.list.history.map(\.request.body) == [""])
    model.request.fields = "Content-Type: image/x-icon"
    #expect(model.state.bodyFile?.details.hasSuffix(" · image/x-icon") == true)
    await model.send()?.value
    #expect(sent.last?.request.headerFields[.contentType] == "image/x-icon")
  }

  // Media types as registered at https://www.iana.org/assignments/media-types/.
  @Test(
    "The name says the media type",
    arguments: [
      ("a.JPG", "image/jpeg"), ("a.tar.json", "application/json"), ("a.txt", "text/plain"),
      ("a.eml", "message/rfc822"), ("a.ics", "text/calendar"),
      ("a.docx", "application/vnd.openxmlformats-officedocument.wordprocessingml.document"),
      ("a", "application/octet-stream"), ("a.", "application/octet-stream"),
      ("a.unknown", "application/octet-stream"),
    ])
  func mediaType(name: String, type: String) async throws {
    try write(name)
    await use(name)
    await model.send()?.value
    #expect(sent.last?.request.headerFields[.contentType] == type)
    #expect(sent.last?.body == Self.bytes)
  }

  @Test("An empty file is an empty body; a hidden one is sent, because a person has chosen it")
  func unusual() async throws {
    try write("empty.txt", Data())
    await use("empty.txt")
    await model.send()?.value
    #expect(sent.last?.body == Data() && model.answer?.isSuccess == true)
    try write(".hidden")
    await use(".hidden")
    await model.send()?.value
    #expect(sent.last?.body == Self.bytes)
  }

  @Test("The text comes back when the file is removed, also after another file")
  func remove() async throws {
    try write("a.png")
    try write("b.png")
    var redrawn = 0
    let observer = model.replacements.add { _ in redrawn += 1 }
    defer { withExtendedLifetime(observer) {} }
    await use("a.png")
    await use("b.png")
    #expect(model.state.bodyFile?.name == "b.png" && model.request.body.isEmpty)
    model.removeFile()
    #expect(model.state.bodyFile == nil && model.request.body == "{}" && redrawn == 3)
    // A text is not that of another request.
    await use("a.png")
    model.choose(ExplorerRequest(.post, "/me/sendMail", body: "[]"))
    #expect(model.state.bodyFile == nil && model.request.body == "[]")
  }

  @Test("Undo brings back the file of a request, with the text whose place it has taken")
  func undo() async throws {
    try write("a.png")
    try write("b.png")
    var undo: (@MainActor () -> Void)?
    let observer = model.undos.add { undo = $0.1 }
    await use("a.png")
    model.choose(ExplorerRequest(.post, "/me/sendMail", body: "[]"))
    let bringBack = try #require(undo)
    await use("b.png")
    bringBack()
    #expect(model.state.bodyFile?.name == "a.png")
    model.removeFile()
    #expect(model.request.body == "{}")
    withExtendedLifetime(observer) {}
  }

  // MARK: What cannot be sent

  @Test("What cannot be read is told at the body, and nothing is sent until it can be")
  func unreadable() async throws {
    await use("photo.png")
    #expect(
      model.state.bodyProblem
        == "The file “photo.png” cannot be read: No such file or directory.")
    #expect(!model.state.canSend && model.send() == nil)
    try write("photo.png")
    model.checkFile()
    while model.state.bodyProblem != nil { await Task.yield() }
    await model.send()?.value
    #expect(sent.count == 1)
    try makeFolder("folder")
    await use("folder")
    #expect(
      model.state.bodyProblem == "The file “folder” cannot be read: it is a directory.")
    model.removeFile()
    #expect(model.state.bodyProblem == nil && model.state.canSend)
  }

  @Test("A file that is gone when it is sent is told then, and nothing is sent")
  func gone() async throws {
    try write("photo.png")
    await use("photo.png")
    try FileManager.default.removeItem(atPath: path("photo.png"))
    #expect(model.state.canSend)
    await model.send()?.value
    #expect(model.state.bodyProblem?.hasPrefix("The file “photo.png” cannot be read:") == true)
    #expect(sent.isEmpty && model.answer == nil && !model.state.canSend)
    #expect(model.state.work == nil)
  }

  @Test("A file that is too large is not read, and the page says what sends it")
  func tooLarge() async throws {
    try write("large.iso", Data())
    #expect(truncate(path("large.iso"), 32 << 20) == 0)
    await use("large.iso")
    #expect(model.state.bodyProblem == nil && model.state.canSend)
    #expect(truncate(path("large.iso"), 32 << 20 + 1) == 0)
    model.checkFile()
    while model.state.bodyProblem == nil { await Task.yield() }
    #expect(
      model.state.bodyProblem
        == "The file “large.iso” cannot be read: it is larger than 32 MB. To send a larger file,"
        + " use “entrancectl graph upload”.")
    #expect(!model.state.canSend)
  }

  @Test("Its name is hidden with other personal details")
  func hidden() async throws {
    try write("adele@contoso.example.png")
    await use("adele@contoso.example.png")
    preferences.hidesPersonalDetails = true
    let file = try #require(model.state.bodyFile)
    #expect(!file.name.contains("adele") && !file.path.contains("adele"))
    try FileManager.default.removeItem(atPath: path("adele@contoso.example.png"))
    model.checkFile()
    while model.state.bodyProblem == nil { await Task.yield() }
    #expect(model.state.bodyProblem?.contains("adele") == false)
  }

  // MARK: Copies

  @Test("A copy for another program names the file")
  func copies() async throws {
    try write("it's.png")
    await use("it's.png")
    let quoted = "'@\(path("it'\\''s.png"))'"
    let type = "--header 'Content-Type: image/png'"
    for (kind, option) in [
      (ExplorerSnippet.curl, "--data-binary"), (ExplorerSnippet.entrancectl, "--body"),
    ] {
      let command = try #require(model.snippet(kind))
      #expect(command.contains("\(option) \(quoted)") && command.contains(type), "\(kind)")
    }
    let file = try HTTPFile(Array(try #require(model.snippet(.http)).utf8))
    let content = try #require(file.requests.first?.content)
    #expect(content.body == "< ./it's.png")
    #expect(content.fields.contains(.init("Content-Type", "image/png")))
    let swift = try #require(model.snippet(.swift))
    #expect(swift.contains("try Data(contentsOf: URL(filePath: \"\(path("it's.png"))\"))"))
    #expect(swift.contains("GraphBody(body, contentType: \"image/png\")"))
    #expect(model.snippetProblem(.http) == nil)
    // A file of requests cannot name it.
    try write(".hidden")
    await use(".hidden")
    #expect(model.snippet(.http) == nil && model.snippet(.curl) != nil)
    #expect(model.snippetProblem(.http)?.contains("begins with a dot") == true)
  }

  // MARK: Files of requests

  @Test("A saved request names the file in its folder or below it, and sends the same")
  func save() async throws {
    try makeFolder("photos")
    try write("photos/me.png")
    await use("photos/me.png")
    await model.save(as: path("a.http"))?.value
    #expect(
      String(decoding: try directory.read("a.http"), as: UTF8.self) == """
        ### PUT /me/drive/root:/a:/content
        PUT https://graph.microsoft.com/v1.0/me/drive/root:/a:/content
        Authorization: Bearer {{$aadV2Token}}
        Content-Type: image/png

        < ./photos/me.png

        """)
    #expect(model.state.bodyFile == nil && model.request.body == "< ./photos/me.png")
    #expect(model.state.saved?.isEdited == false)
    while !model.state.canSend { await Task.yield() }
    await model.send()?.value
    #expect(sent.last?.body == Self.bytes)
    #expect(sent.last?.request.headerFields[.contentType] == "image/png")
  }

  @Test("What a file of requests may not name is not saved, and the page says why")
  func saveRefused() async throws {
    try makeFolder("requests")
    try write("outside.png")
    try write("requests/.hidden")
    try write("requests/script.js")
    #expect(symlink(path("outside.png"), path("requests/link.png")) == 0)
    for (name, reason) in [
      ("outside.png", "it is not in the folder of the file that names it"),
      ("requests/link.png", "it is not in the folder of the file that names it"),
      ("requests/.hidden", "a name in its path begins with a dot"),
      ("requests/script.js", "a name that ends in .js means a script there"),
      ("requests/gone.png", "No such file or directory"),
    ] {
      model.useFile(path(name))
      let told = await messages { await model.save(as: path("requests/a.http"))?.value }
      #expect(told.count == 1 && told[0].contains(reason), "\(name): \(told)")
      // It stays as it was chosen.
      #expect(model.state.bodyFile?.name == name.split(separator: "/").last.map(String.init))
    }
    #expect(!directory.names(in: "requests").contains("a.http"))
  }

  @Test("A request that is kept in a file of requests names the file that is chosen")
  func chosenForSaved() async throws {
    try write("photo.png")
    model.request.fields = "Content-Type: image/x-icon"
    await model.save(as: path("a.http"))?.value
    var undo: (@MainActor () -> Void)?
    let observer = model.undos.add { undo = $0.1 }
    await model.useFile(path("photo.png"))?.value
    withExtendedLifetime(observer) {}
    let saved = model.request
    let bringBack = try #require(undo)
    bringBack()
    #expect(model.request.body == "{}")
    model.request = saved
    #expect(model.request.body == "< ./photo.png" && model.state.bodyFile == nil)
    #expect(model.request.fields == "Content-Type: image/x-icon")
    while !model.state.canSend { await Task.yield() }
    await model.send()?.value
    #expect(sent.last?.body == Self.bytes)
    try write(".hidden")
    let told = await messages { await model.useFile(path(".hidden"))?.value }
    #expect(told.count == 1 && told[0].contains("begins with a dot"))
    #expect(model.request.body == "< ./photo.png")
  }

  // MARK: Drafts

  @Test("The name of the file comes back with the next window, not what is in it")
  func draft() async throws {
    let kept = try TemporaryDirectory()
    func history() -> ExplorerHistory {
      ExplorerHistory(in: "\(kept.path)/explorer", of: "Test")
    }
    let first = history()
    let page = try Page(history: first)
    await page.model.callGraph()?.value
    let model = ExplorerModel(page.window)
    try write("notes.txt", Data("hunter2".utf8))
    model.useFile(path("notes.txt"))
    page.window.close()
    await first.finishWriting()
    let file = try #require(kept.names(in: "explorer").first)
    let text = String(decoding: try kept.read("explorer/\(file)"), as: UTF8.self)
    #expect(text.contains("notes.txt") && !text.contains("hunter2"))
    let second = history()
    let next = try Page(store: page.store, history: second)
    let restored = ExplorerModel(next.window)
    await second.load()
    await next.window.activate()?.value
    #expect(restored.state.bodyFile?.name == "notes.txt" && restored.request.body.isEmpty)
    withExtendedLifetime(model) {}
  }
}
