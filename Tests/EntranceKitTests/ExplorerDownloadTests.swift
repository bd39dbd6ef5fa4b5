import AuthCore
import CurlHTTP
import EntranceKit
import FoundationEssentials
import HTTPTypes
import TestSupport
import Testing

@MainActor @Suite("Downloads of the Explorer page", .timeLimit(.minutes(5)))
struct ExplorerDownloadTests {
  private let preferences = Preferences(MemorySettings())

  /// A page whose answer leads to content at another address, and an empty folder.
  private func found(
    _ store: ScriptedStore = ScriptedStore()
  ) async throws -> (Page, ExplorerModel, TemporaryDirectory) {
    let page = try Page(store: store, preferences: preferences)
    await page.model.callGraph()?.value
    let model = ExplorerModel(page.window)
    model.request.address = "/me/drive/items/1/content"
    lead(page)
    await model.send()?.value
    #expect(model.answer?.isElsewhere == true)
    page.authority.forget()
    return (page, model, try TemporaryDirectory())
  }

  /// Has the next request to Graph lead to the content.
  private func lead(_ page: Page) {
    page.authority.next(.api) { _ in
      var reply = HTTPReply.make(302, "")
      reply.response.headerFields[.location] = "https://files.example/x?ticket=1"
      return reply
    }
  }

  /// Has the next request for the content get what is in `range` of its ten bytes.
  ///
  /// - Parameter lost: how many bytes at the end do not arrive, because the connection is lost.
  private func send(_ range: Range<Int>, lost: Int = 0, _ page: Page) {
    page.authority.next(.api) { _ in
      let content = "0123456789".prefix(range.upperBound - lost).dropFirst(range.lowerBound)
      var reply = HTTPReply.make(
        range.lowerBound == 0 ? 200 : 206, type: "application/octet-stream", String(content))
      reply.response.headerFields[.eTag] = "\"1\""
      reply.response.headerFields[.contentLength] = "\(range.count)"
      if range.lowerBound > 0 {
        reply.response.headerFields[.contentRange] =
          "bytes \(range.lowerBound)-\(range.upperBound - 1)/10"
      }
      return reply
    }
  }

  /// A download that has received the first half, and asks again for the rest.
  private struct Begun {
    let page: Page
    let model: ExplorerModel
    let folder: TemporaryDirectory
    let task: Task<Void, Never>
  }

  private func begun() async throws -> Begun {
    let (page, model, folder) = try await found()
    lead(page)
    send(0..<10, lost: 5, page)
    let asksAgain = page.authority.hangNext(.api)
    let task = try #require(model.download(to: "\(folder.path)/x"))
    for await _ in asksAgain { break }
    #expect(model.state.work == .saving(5, of: 10))
    return Begun(page: page, model: model, folder: folder, task: task)
  }

  /// The same, while it is paused.
  private func paused() async throws -> Begun {
    let download = try await begun()
    download.model.pauseDownload()
    try await wait(for: .paused(5, of: 10, because: nil, wait: nil), download.model)
    return download
  }

  private func wait(for work: ExplorerState.Work, _ model: ExplorerModel) async throws {
    while model.state.work != work { try await Task.sleep(for: .milliseconds(5)) }
  }

  private func ranges(_ page: Page) -> [String?] {
    page.authority.calls.filter { $0.url.hasPrefix("https://files.example/") }
      .map { $0.request.headerFields[.range] }
  }

  @Test("A download prevents another request, which is said, and is asked about before it is lost")
  func obstacle() async throws {
    let download = try await begun()
    let model = download.model
    var said: [String] = []
    let observer = model.messages.add { said.append($0) }
    model.request.address = "/me"
    #expect(model.send() == nil)
    #expect(said == ["Wait until the download ends, or cancel it."])
    #expect(
      model.downloadText == "x is not complete yet. What was received will be deleted.")
    model.pauseDownload()
    try await wait(for: .paused(5, of: 10, because: nil, wait: nil), model)
    #expect(model.send() == nil)
    #expect(said.last == "Resume or cancel the download first." && said.count == 2)
    #expect(model.downloadText != nil)
    model.cancel()
    await model.finish()
    #expect(model.downloadText == nil)
    await model.send()?.value
    #expect(model.answer?.isSuccess == true && said.count == 2)
    withExtendedLifetime(observer) {}
  }

  // RFC 9110, section 14.2.
  @Test("A download continues where a lost connection ended it, and shows how much has arrived")
  func lostConnection() async throws {
    let (page, model, folder) = try await found()
    lead(page)
    send(0..<10, lost: 5, page)
    lead(page)
    send(5..<10, page)
    var shown: [ExplorerState.Work] = []
    let observer = model.changes.add { shown += [$0.work].compactMap(\.self) }
    await model.download(to: "\(folder.path)/x")?.value
    #expect(try String(decoding: folder.read("x"), as: UTF8.self) == "0123456789")
    #expect(folder.names == ["x"])
    #expect(ranges(page) == [nil, "bytes=5-"])
    let half = try #require(shown.first { $0 == .saving(5, of: 10) })
    #expect(half.text == "Saving…" && half.progressText == "5 B of 10 B" && !half.isPaused)
    #expect(model.state.work == nil && page.toasts.last == "Saved as x")
    withExtendedLifetime(observer) {}
  }

  @Test("The file that was written is named, without the names that are hidden")
  func nameOfFile() async throws {
    let (page, model, folder) = try await found()
    preferences.hidesPersonalDetails = true
    await model.finish()
    lead(page)
    send(0..<10, page)
    await model.download(to: "\(folder.path)/adele@contoso.example.pdf")?.value
    #expect(page.toasts.count == 1 && page.toasts.first?.hasPrefix("Saved as ") == true)
    #expect(page.toasts.first?.contains("adele") == false)
    #expect(folder.names == ["adele@contoso.example.pdf"])
  }

  @Test("Nothing is downloaded during a pause that the API has asked for meanwhile")
  func pauseOfAPI() async throws {
    let (page, model, folder) = try await found(ScriptedStore(lockName: "test \(UUID())"))
    let path = page.application.pausesOfAPIs?.path
    defer { if let path { try? FileManager.default.removeItem(atPath: path) } }
    page.authority.next(.api) { _ in
      var reply = HTTPReply.make(429, "{}")
      reply.response.headerFields[.retryAfter] = "3600"
      return reply
    }
    // In another window.
    let other = ExplorerModel(page.window)
    other.request.address = "/me/drive/root"
    await other.send()?.value
    #expect(page.authority.count(.api) == 1)
    await model.download(to: "\(folder.path)/x")?.value
    #expect(page.authority.count(.api) == 1 && folder.names.isEmpty)
    #expect(page.toasts.last?.contains("has asked for a pause") == true)
    #expect(model.state.work == nil)
  }

  @Test("Why a download has no token is said in the notice alone")
  func noTokenAtFirst() async throws {
    let (page, model, folder) = try await found()
    page.clock.advance(by: 7200)
    page.authority.next(.token, times: 2, status: 400, #"{"error":"invalid_grant"}"#)
    await model.download(to: "\(folder.path)/x")?.value
    #expect(page.model.state.notices.map(\.title) == ["Sign In Again"])
    #expect(page.toasts.isEmpty && folder.names.isEmpty && model.state.work == nil)
  }

  @Test("A pause that the service asks for in a download is counted down, with the same words")
  func askedPause() async throws {
    let (page, model, folder) = try await found()
    lead(page)
    send(0..<10, lost: 5, page)
    page.authority.next(.api) { _ in
      var reply = HTTPReply.make(503, "{}")
      reply.response.headerFields[.retryAfter] = "30"
      return reply
    }
    lead(page)
    send(5..<10, page)
    var shown: [ExplorerState.Work] = []
    let observer = model.changes.add { shown += [$0.work].compactMap(\.self) }
    await model.download(to: "\(folder.path)/x")?.value
    // Nobody has asked for the pause after the lost connection.
    let waits = shown.filter(\.isWaiting)
    #expect(waits.first == .waiting(5, of: 10, left: 30) && !waits.contains { $0.isPaused })
    #expect(
      waits.first?.progressText
        == "5 B of 10 B\n" + ExplorerState.Wait.left(30).text)
    #expect(folder.names == ["x"] && page.toasts == ["Saved as x"] && model.state.work == nil)
    withExtendedLifetime(observer) {}
  }

  @Test("A download can be paused and resumed; its part is kept beside the file only meanwhile")
  func pause() async throws {
    let download = try await paused()
    let (page, model, folder) = (download.page, download.model, download.folder)
    #expect(model.state.work?.progressText == "Paused: 5 B of 10 B")
    #expect(model.state.work?.isPaused == true && !model.state.canSend)
    #expect(
      model.state.work?.spokenText == "Paused: 5 B of 10 B\nTo continue, choose “Resume”.")
    #expect(folder.names.count == 1 && folder.names.first != "x")
    lead(page)
    send(5..<10, page)
    model.resumeDownload()
    await download.task.value
    #expect(try String(decoding: folder.read("x"), as: UTF8.self) == "0123456789")
    #expect(folder.names == ["x"])
    #expect(ranges(page) == [nil, "bytes=5-"])
  }

  @Test("Canceling a download leaves nothing, also while it is paused", arguments: [false, true])
  func cancel(isPaused: Bool) async throws {
    let download = try await isPaused ? paused() : begun()
    #expect(download.folder.names.count == 1)
    download.model.cancel()
    await download.task.value
    #expect(download.folder.names.isEmpty && download.page.toasts.isEmpty)
    #expect(download.model.state.work == nil && download.model.answer?.status == 302)
  }

  @Test(
    "A paused download leaves nothing when the page goes to another app, or its window is closed")
  func closed() async throws {
    let one = try await paused()
    one.model.close()
    await one.task.value
    #expect(one.folder.names.isEmpty)
    let other = try await paused()
    other.page.window.close()
    await other.task.value
    #expect(other.folder.names.isEmpty)
  }

  @Test("A temporary failure pauses a download, with the reason, until the person resumes it")
  func failure() async throws {
    let (page, model, folder) = try await found()
    lead(page)
    send(0..<10, lost: 5, page)
    page.authority.next(.api) { _ in
      var reply = HTTPReply.make(503, "{}")
      // Longer than a request waits.
      reply.response.headerFields[.retryAfter] = "3600"
      return reply
    }
    let task = model.download(to: "\(folder.path)/x")
    let reason = "Microsoft Graph is not available at the moment (HTTP 503). Try again later."
    try await wait(for: .paused(5, of: 10, because: reason, wait: .left(3600)), model)
    #expect(
      model.state.work?.progressText
        == "Paused: 5 B of 10 B\n\(reason)\n\(ExplorerState.Wait.left(3600).text)")
    // It may be said only later.
    #expect(model.state.work?.spokenText == "Paused: 5 B of 10 B\n\(reason)")
    lead(page)
    send(5..<10, page)
    model.resumeDownload()
    await task?.value
    #expect(folder.names == ["x"] && page.toasts == ["Saved as x"])
  }

  @Test("A resumed download is for the account that it began with, whichever is selected")
  func otherAccount() async throws {
    let download = try await paused()
    let (page, folder) = (download.page, download.folder)
    func sent() -> [String?] {
      page.authority.calls.filter { $0.url.hasPrefix("https://graph.microsoft.com/") }
        .map { $0.request.headerFields[.authorization] }
    }
    let adele = try #require(sent().first ?? nil)
    page.authority.willSignIn(.ben)
    await page.window.accounts.add()?.value
    page.window.accounts.select(try page.row(.ben).id)
    #expect(page.model.state.username == Person.ben.username)
    let count = sent().count
    lead(page)
    send(5..<10, page)
    download.model.resumeDownload()
    await download.task.value
    #expect(try String(decoding: folder.read("x"), as: UTF8.self) == "0123456789")
    #expect(sent().count == count + 1 && sent().last == adele)
  }

  @Test("Without a token a download is paused again, and its part stays")
  func noToken() async throws {
    let download = try await paused()
    download.page.clock.advance(by: 7200)
    download.page.authority.next(.token, times: 2, status: 400, #"{"error":"invalid_request"}"#)
    download.model.resumeDownload()
    // The reason is below.
    while download.model.state.work?.progressText?.contains("\n") == false {
      try await Task.sleep(for: .milliseconds(5))
    }
    #expect(download.model.state.work?.isPaused == true && download.folder.names.count == 1)
    download.model.cancel()
    await download.task.value
    #expect(download.folder.names.isEmpty)
  }

  @Test("Why a download is paused names nobody while personal details are hidden")
  func hiddenReason() async throws {
    let download = try await paused()
    let (page, model) = (download.page, download.model)
    page.authority.willSignIn(.ben)
    await page.window.accounts.add()?.value
    page.window.accounts.select(try page.row(.ben).id)
    page.clock.advance(by: 7200)
    page.authority.next(.token, status: 400, #"{"error":"invalid_grant"}"#)
    model.resumeDownload()
    while model.state.work?.progressText?.contains("has to sign in first") != true {
      try await Task.sleep(for: .milliseconds(5))
    }
    let reason = model.state.work?.progressText
    #expect(reason?.contains("adele@contoso.example") == true)
    preferences.hidesPersonalDetails = true
    let hidden = try #require(model.state.work?.progressText)
    #expect(hidden.contains("has to sign in first") && !hidden.contains("adele"))
    preferences.hidesPersonalDetails = false
    #expect(model.state.work?.progressText == reason)
    model.cancel()
    await download.task.value
  }

  @Test("The progress stays visible while a download gets another token after a long pause")
  func longPause() async throws {
    let download = try await paused()
    let (page, model) = (download.page, download.model)
    page.clock.advance(by: 7200)
    lead(page)
    send(5..<10, page)
    var shown: [ExplorerState.Work] = []
    let observer = model.changes.add { shown += [$0.work].compactMap(\.self) }
    model.resumeDownload()
    await download.task.value
    #expect(!shown.isEmpty && shown.allSatisfy { $0.progressText != nil })
    #expect(download.folder.names == ["x"])
    withExtendedLifetime(observer) {}
  }

  @Test("A download that fails is reported, and leaves nothing")
  func refused() async throws {
    let (page, model, folder) = try await found()
    page.authority.next(.api, status: 404, "{}")
    await model.download(to: "\(folder.path)/x")?.value
    #expect(folder.names.isEmpty && model.state.work == nil)
    #expect(page.toasts.last == "Microsoft Graph did not find what was requested (HTTP 404).")
  }

  @Test("A download of unknown size shows how much has arrived")
  func unknownSize() {
    #expect(ExplorerState.Work.saving(64_000, of: nil).progressText == "64 kB so far")
    #expect(ExplorerState.Work.saving(64_000, of: 20_000_000).progressText == "64 kB of 20 MB")
    #expect(ExplorerState.Work.sending.progressText == nil)
  }
}
