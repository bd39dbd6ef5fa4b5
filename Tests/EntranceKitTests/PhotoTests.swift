import AuthCore
import CurlHTTP
import EntranceKit
import FoundationEssentials
import HTTPTypes
import MicrosoftGraph
import TestSupport
import Testing

@MainActor @Suite("The photo of the account", .timeLimit(.minutes(5)))
struct PhotoTests {
  /// A PNG up to its size.
  nonisolated static func png(_ width: UInt32, _ height: UInt32) -> [UInt8] {
    let start: [UInt8] = [
      0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13, 0x49, 0x48, 0x44, 0x52,
    ]
    return start
      + [width, height].flatMap { number in
        [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) }
      }
  }

  nonisolated static func reply(_ bytes: [UInt8]) -> HTTPReply {
    HTTPReply(
      response: HTTPResponse(status: .ok, headerFields: [.contentType: "image/png"]),
      body: Data(bytes))
  }

  @Test("A photo is fetched once with a token that is there anyway, kept, and removed at sign-out")
  func photo() async throws {
    let files = try TemporaryDirectory()
    let page = try Page(files: files)
    let bytes = Self.png(96, 96)
    page.authority.next(.photo) { _ in Self.reply(bytes) }
    await page.window.activate()?.value
    #expect(page.authority.count(.photo) == 0)
    await page.model.callGraph()?.value
    try await page.wait { $0.picture != nil }
    #expect(page.model.state.picture?.data == Data(bytes))
    let call = page.authority.calls.last { $0.endpoint == .photo }
    #expect(call?.url == "https://graph.microsoft.com/v1.0/me/photos/96x96/$value")
    #expect(call?.request.headerFields[.authorization] == "Bearer access-canary-1")
    await page.model.callGraph()?.value
    #expect(page.authority.count(.photo) == 1)
    #expect(page.authority.pagesShown.count == 1)

    let name = try await files.firstFile(in: "photos")
    #expect(files.mode("photos") == 0o700)
    #expect(files.mode("photos/\(name)") == 0o600)
    #expect(!name.contains(Person.adele.objectID))
    let next = try Page(store: page.store, files: files)
    await next.window.activate()?.value
    #expect(next.model.state.picture?.data == Data(bytes))
    #expect(next.authority.count(.photo) == 0)

    await next.model.signOut.signOut()?.value
    #expect(next.model.state.picture == nil)
    #expect(files.names(in: "photos").isEmpty)
  }

  @Test("The photo of an account that only the identity broker knows is kept, and shown")
  func broker() async throws {
    let files = try TemporaryDirectory()
    let first = try Page(files: files)
    let bytes = Self.png(96, 96)
    first.authority.next(.photo) { _ in Self.reply(bytes) }
    await first.model.callGraph()?.value
    _ = try await files.firstFile(in: "photos")
    let page = try Page(broker: ScriptedBroker(accessToken: "token"), files: files)
    await page.window.activate()?.value
    try await page.wait { $0.rows.first?.picture != nil }
    #expect(files.names(in: "photos").count == 1)
  }

  @Test("The photos of a connection can be removed, and no others")
  func removeAll() async throws {
    let files = try TemporaryDirectory()
    let page = try Page(files: files)
    let bytes = Self.png(96, 96)
    page.authority.next(.photo) { _ in Self.reply(bytes) }
    await page.model.callGraph()?.value
    try await page.wait { $0.picture != nil }
    _ = try await files.firstFile(in: "photos")
    let directory = "\(files.path)/photos"
    await PhotoCache(directory: directory, connection: "Other").removeAll()
    #expect(!files.names(in: "photos").isEmpty)
    await PhotoCache(directory: directory, connection: "Test").removeAll()
    #expect(files.names(in: "photos").isEmpty)
  }

  @Test(
    "Without a photo, or with a damaged one, there are initials", arguments: [404, 403, 500, 200])
  func none(status: Int) async throws {
    let page = try Page()
    page.authority.next(.photo, status: status, "no image")
    await page.model.callGraph()?.value
    while page.authority.count(.photo) == 0 { try await Task.sleep(for: .milliseconds(5)) }
    await page.model.callGraph()?.value
    #expect(page.model.state.picture == nil)
    #expect(!page.log.joined().contains("photo"))
  }

  @Test("A photo whose request is asked to wait is asked for after the pause, by any program")
  func pause() async throws {
    let page = try Page(store: ScriptedStore(lockName: "test \(UUID())"))
    let path = try #require(page.application.pausesOfAPIs?.path)
    defer { try? FileManager.default.removeItem(atPath: path) }
    page.authority.next(.photo) { _ in
      var reply = HTTPReply.make(429, "{}")
      reply.response.headerFields[.retryAfter] = "3600"
      return reply
    }
    await page.model.callGraph()?.value
    while !FileManager.default.fileExists(atPath: path) {
      try await Task.sleep(for: .milliseconds(5))
    }
    let isSentInPause = LockedValue(false)
    let bytes = Self.png(96, 96)
    page.authority.next(.photo) { _ in
      isSentInPause.withLock { $0 = FileManager.default.fileExists(atPath: path) }
      return Self.reply(bytes)
    }
    for _ in 1...3 { await page.model.callGraph()?.value }
    // The pause is over.
    try FileManager.default.removeItem(atPath: path)
    while page.model.state.picture == nil {
      await page.model.callGraph()?.value
      try await Task.sleep(for: .milliseconds(5))
    }
    let wasSentInPause = isSentInPause.withLock { $0 }
    #expect(!wasSentInPause)
    #expect(page.authority.count(.photo) == 2)
  }

  @Test("Another API is not asked for a photo")
  func otherAPI() async throws {
    let page = try Page(api: "https://api.contoso.example/me")
    await page.model.callGraph()?.value
    #expect(page.model.state.username != nil)
    #expect(page.authority.count(.photo) == 0)
  }
}
