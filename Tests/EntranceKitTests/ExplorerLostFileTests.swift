import EntranceKit
import FoundationEssentials
import TestSupport
import Testing

@MainActor @Suite("Requests of files that cannot be opened or are gone", .timeLimit(.minutes(1)))
struct ExplorerLostFileTests {
  private let directory: TemporaryDirectory
  private let page: Page
  private let model: ExplorerModel
  private var path: String { "\(directory.path)/tasks.http" }

  init() async throws {
    directory = try TemporaryDirectory()
    page = try Page(preferences: Preferences(MemorySettings()))
    await page.model.callGraph()?.value
    model = ExplorerModel(page.window)
    try write(Self.text)
    model.files.open(path)
    await model.files.finishReading()
  }

  private static let text = """
    ### Me
    GET https://graph.microsoft.com/v1.0/me

    ### Options
    OPTIONS https://graph.microsoft.com/v1.0/me

    """

  private func write(_ text: String) throws {
    try Data(text.utf8).write(to: URL(filePath: path))
  }

  private func choose(_ title: String) throws {
    model.choose(try #require(model.files.rows.first { $0.title == title }))
  }

  /// The messages during `work`.
  private func messages(_ work: @MainActor () async throws -> Void) async rethrows -> [String] {
    var messages: [String] = []
    let observer = model.messages.add { messages.append($0) }
    defer { withExtendedLifetime(observer) {} }
    try await work()
    return messages
  }

  @Test("A request with a method that cannot be sent is named, and the page stays as it is")
  func method() async throws {
    try choose("Me")
    let request = model.request
    let said = try await messages { try choose("Options") }
    #expect(
      said == ["“Options” was not opened: only GET, POST, PUT, PATCH, and DELETE can be sent."])
    #expect(model.request == request && model.state.saved?.title == "Me")
    #expect(model.openRow == 1 && model.files.rows[1].title == "Me")
    // The row is another one when the list is.
    model.files.search = "options"
    #expect(model.openRow == nil)
    model.files.search = ""
    try write("### New\nGET https://graph.microsoft.com/v1.0/users\n\n" + Self.text)
    model.files.reload(path)
    await model.files.finishReading()
    #expect(model.openRow == 2 && model.files.rows[2].title == "Me")
    model.choose(ExplorerRequest(.get, "/me"))
    #expect(model.openRow == nil)
  }

  @Test(
    "An edited request whose file is gone says so, and how it is kept, and can be saved as another")
  func gone() async throws {
    try choose("Me")
    model.request.address = "/v1.0/me/messages"
    try FileManager.default.removeItem(atPath: path)
    model.files.reload(path)
    await model.files.finishReading()
    #expect(model.state.saved?.text == "Me in tasks.http: the file cannot be read")
    let said = await messages { _ = await model.save()?.value }
    #expect(said.count == 1 && said.first?.hasPrefix("The file cannot be read: ") == true)
    #expect(said.first?.hasSuffix(" To keep the request, choose “Save Request As…”.") == true)
    #expect(model.hasUnsavedEdits)
    await model.save(as: path)?.value
    #expect(!model.hasUnsavedEdits)
    #expect(model.state.saved?.text.contains("cannot be read") == false)
  }
}
