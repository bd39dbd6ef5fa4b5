import AuthCore
import CurlHTTP
import FoundationEssentials
import HTTPTypes
import TestSupport
import Testing

@testable import EntranceKit

@MainActor @Suite("Recordings in the Explorer")
struct ExplorerRecordingTests {
  private let directory: TemporaryDirectory
  private let page: Page
  private let model: ExplorerModel

  init() async throws {
    directory = try TemporaryDirectory()
    page = try Page()
    await page.model.callGraph()?.value
    model = ExplorerModel(page.window)
  }

  private var path: String { "\(directory.path)/session.har" }

  private func entries() throws -> [JSON] {
    let json = try JSON(parsing: try Data(contentsOf: URL(filePath: path)))
    return try #require(json["log"]?["entries"]?.array)
  }

  private func record() async throws {
    await model.record(to: path)?.value
    page.authority.next(.api, status: 200, #"{"displayName":"Adele Vance","value":[]}"#)
    await model.send()?.value
    await page.window.recording.stop()?.value
  }

  @Test("What the window exchanges is recorded without names, until it is stopped")
  func records() async throws {
    #expect(model.state.canRecord)
    await model.record(to: path)?.value
    #expect(
      page.window.recording.text == "Recording in session.har, without secrets and names")
    #expect(!model.state.canRecord && model.record(to: "\(path)2") == nil)
    await model.send()?.value
    // The account page's call is one of the window's, too.
    await page.model.callGraph()?.value
    await page.window.recording.stop()?.value
    #expect(page.window.recording.text == nil && model.state.canRecord)
    #expect(page.toasts == ["The recording is saved"])
    #expect(try entries().count == 2)
    #expect(try entries()[0]["request"]?["url"]?.string == "https://graph.microsoft.com/v1.0/me")
    let text = String(decoding: try Data(contentsOf: URL(filePath: path)), as: UTF8.self)
    #expect(!text.contains("Adele") && !text.contains("adele@"))
    await model.send()?.value
    #expect(try entries().count == 2)
  }

  @Test("A response after the end of a recording does not bring its file back")
  func lateResponse() async throws {
    await model.record(to: path)?.value
    let (gate, opening) = AsyncStream<Void>.makeStream()
    let (sent, isSent) = AsyncStream<Void>.makeStream()
    page.authority.next(.api) { _ in
      isSent.yield()
      for await _ in gate {}
      return .make(200, "{}")
    }
    let request = model.send()
    for await _ in sent { break }
    await page.window.recording.stop()?.value
    try FileManager.default.removeItem(atPath: path)
    opening.finish()
    await request?.value
    #expect(model.answer?.isSuccess == true)
    #expect(!FileManager.default.fileExists(atPath: path))
  }

  @Test("A file that cannot be written is reported, and the recording is not lost")
  func failures() async throws {
    await model.record(to: "\(directory.path)/gone/a.har")?.value
    #expect(page.toasts.count == 1 && model.state.canRecord)
    try FileManager.default.createDirectory(
      atPath: "\(directory.path)/later", withIntermediateDirectories: false)
    let later = "\(directory.path)/later/a.har"
    await model.record(to: later)?.value
    await model.send()?.value
    try FileManager.default.removeItem(atPath: "\(directory.path)/later")
    await page.window.recording.stop()?.value
    #expect(page.toasts.count == 2 && page.window.recording.text != nil)
    try FileManager.default.createDirectory(
      atPath: "\(directory.path)/later", withIntermediateDirectories: false)
    await page.window.recording.stop()?.value
    #expect(page.window.recording.text == nil)
    #expect(FileManager.default.fileExists(atPath: later))
  }

  @Test(
    "A recording that cannot be written when the app is edited is not lost",
    .timeLimit(.minutes(5)))
  func editedApp() async throws {
    let later = "\(directory.path)/later"
    func makeDirectory() throws {
      try FileManager.default.createDirectory(atPath: later, withIntermediateDirectories: false)
    }
    try makeDirectory()
    await model.record(to: "\(later)/a.har")?.value
    await model.send()?.value
    try FileManager.default.removeItem(atPath: later)
    page.workspace.use(
      page.workspace.connection, page.application, page.graph,
      transport: RecordableTransport(over: page.authority))
    while page.toasts.isEmpty { await Task.yield() }
    #expect(page.window.recording.text != nil)
    try makeDirectory()
    await page.window.recording.stop()?.value
    #expect(page.window.recording.text == nil && page.toasts.last == "The recording is saved")
    let json = try JSON(parsing: try Data(contentsOf: URL(filePath: "\(later)/a.har")))
    #expect(json["log"]?["entries"]?.array?.count == 1)
    // The next one is of the new app.
    await model.record(to: path)?.value
    #expect(page.window.recording.text != nil)
  }

  @Test("A recording ends with its window, and not with another one of the app")
  func close() async throws {
    let other = WindowModel(page.workspace, on: ScriptedDesktop(page.authority.pages))
    await model.record(to: path)?.value
    await model.send()?.value
    other.close()
    #expect(page.window.recording.text != nil)
    page.window.close()
    #expect(page.window.recording.text == nil)
    #expect(try entries().count == 1)
  }

  @Test("A recording that cannot be written does not go on without its window")
  func closeUnwritable() async throws {
    let transport = RecordableTransport(over: page.authority)
    page.workspace.use(
      page.workspace.connection, page.application, page.graph, transport: transport)
    let folder = "\(directory.path)/later"
    func makeFolder() throws {
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
    }
    try makeFolder()
    await model.record(to: "\(folder)/a.har")?.value
    try FileManager.default.removeItem(atPath: folder)
    page.window.close()
    try makeFolder()
    try transport.save()
    #expect(!FileManager.default.fileExists(atPath: "\(folder)/a.har"))
  }

  @Test("A recording whose window is closed before it begins does not go on")
  func closeAtStart() async throws {
    let recording = page.window.recording
    let begin = model.record(to: path)
    #expect(begin != nil)
    let date = Date()
    page.window.close()
    await begin?.value
    #expect(recording.text == nil && recording.canStart)
    let file = try await recording.file(havingSent: date, answered: date)
    #expect(file == nil)
  }

  @Test("A recording answers without an account and without a network, and its requests are listed")
  func replays() async throws {
    try await record()
    let page = try Page()
    let model = ExplorerModel(page.window)
    #expect(model.state.account == nil)
    await model.openRecording(path).value
    #expect(model.state.replay == "Responses are from the recording session.har. Nothing is sent.")
    #expect(model.state.account == "the recording session.har")
    let row = try #require(model.list.history.first)
    #expect(model.list.history.count == 1 && !model.list.canClear)
    #expect([row.title, row.details] == ["GET /v1.0/me", "200 OK"])
    model.choose(row.request)
    await model.send()?.value
    #expect(model.answer?.statusText == "200 OK")
    #expect(model.answer?.raw?.whole.contains("displayName") == true)
    model.request.address = "/v1.0/users"
    await model.send()?.value
    #expect(
      model.answer?.failure?.sentence.contains("The recording has no response to this request")
        == true)
    // What deletes nothing is not asked about.
    model.request.method = .delete
    #expect(model.send() != nil)
    await model.finish()
    #expect(page.authority.calls.isEmpty)
    model.stopReplaying()
    #expect(model.answer == nil && model.state.replay == nil && model.state.account == nil)
    #expect(model.list.history.isEmpty)
  }

  @Test("A recorded Retry-After causes no pause")
  func pause() async throws {
    await model.record(to: path)?.value
    page.authority.next(.api) { _ in
      var reply = HTTPReply.make(429, "{}")
      reply.response.headerFields[.retryAfter] = "3600"
      return reply
    }
    await model.send()?.value
    #expect(model.state.wait != nil)
    await page.window.recording.stop()?.value
    await model.openRecording(path).value
    model.request = ExplorerRequest(.get, "/v1.0/me")
    await model.send()?.value
    #expect(model.answer?.status == 429 && model.answer?.failure?.retryAfter == 3600)
    #expect(model.state.wait == nil)
  }

  @Test("A file that is no recording is reported")
  func noRecording() async throws {
    try Data(#"{"log":{"entries":[]}}"#.utf8).write(to: URL(filePath: path))
    var told: [ExplorerQuestion] = []
    let observer = model.questions.add { told.append($0.0) }
    await model.openRecording(path).value
    await model.openRecording("\(path)2").value
    withExtendedLifetime(observer) {}
    #expect(told.map(\.title) == ["Recording Not Opened", "Recording Not Opened"])
    #expect(told[0].text == "The recording “\(path)” has no requests.")
    #expect(model.state.replay == nil)
  }
}
