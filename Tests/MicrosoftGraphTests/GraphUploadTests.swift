import AuthCore
import CurlHTTP
import FoundationEssentials
import Glibc
import HTTPTypes
import MicrosoftGraph
import Testing

@Suite("Upload sessions that end early")
struct GraphUploadTests {
  /// The size of a fragment, and a file of two of them.
  private let unit = 320 << 10

  private func upload(
    _ replies: [HTTPReply], cutOffAt size: off_t? = nil
  ) async throws -> (API, [Int], GraphError?) {
    let file = FileManager.default.temporaryDirectory.path + "/\(UUID().uuidString)"
    try Data(count: unit + 1).write(to: URL(filePath: file))
    defer { try? FileManager.default.removeItem(atPath: file) }
    let api = API(replies)
    let progress = LockedValue<[Int]>([])
    do throws(GraphError) {
      try await GraphClient.of(api).upload(
        file, to: "/me/drive/root:/a:", fragmentSize: unit
      ) { done in
        progress.withLock { $0.append(done.completed) }
        if let size { truncate(file, size) }
      }
      return (api, progress.withLock(\.self), nil)
    } catch {
      return (api, progress.withLock(\.self), error)
    }
  }

  private let begun = [
    HTTPReply(200, #"{"uploadUrl": "https://upload.example/1"}"#),
    HTTPReply(202, #"{"nextExpectedRanges": ["327680-"]}"#),
  ]

  @Test("A session that has expired is begun again, from the start", arguments: [404, 410])
  func expired(status: Int) async throws {
    let (api, progress, error) = try await upload(
      begun + [HTTPReply(status)] + begun + [HTTPReply(201)])
    #expect(error == nil)
    #expect(api.requests.map(\.method) == [.post, .put, .put, .post, .put, .put])
    #expect(
      api.requests.compactMap { $0.headerFields[.contentRange] } == [
        "bytes 0-327679/327681", "bytes 327680-327680/327681", "bytes 0-327679/327681",
        "bytes 327680-327680/327681",
      ])
    #expect(progress == [unit, unit, unit + 1])
  }

  @Test("A file that is cut off is told, also by a transport that gets fragments as a whole")
  func cutOff() async throws {
    let (api, _, error) = try await upload(begun + [HTTPReply(204)], cutOffAt: 1)
    #expect(error?.code == .fileFailure)
    #expect(api.requests.map(\.method) == [.post, .put, .delete])
  }

  // Graph's documentation of createUploadSession: "Resuming an in-progress upload".
  @Test(
    "After a server error, it goes on with what the service expects",
    arguments: [500, 502, 503, 504])
  func serverError(status: Int) async throws {
    let states = [HTTPReply(200, #"{"nextExpectedRanges": ["327680-"]}"#), HTTPReply(status)]
    for state in states {
      let (api, progress, error) = try await upload(
        begun + [HTTPReply(status), state, HTTPReply(201)])
      #expect(error == nil)
      #expect(api.requests.map(\.method) == [.post, .put, .put, .get, .put])
      #expect(progress == [unit, unit + 1])
    }
  }

  // Graph's documentation of the content of a driveItem.
  @Test(
    "An empty file is uploaded with the conflict behavior, too",
    arguments: [GraphConflictBehavior.fail, .replace, .rename])
  func empty(behavior: GraphConflictBehavior) async throws {
    let file = FileManager.default.temporaryDirectory.path + "/\(UUID().uuidString)"
    try Data().write(to: URL(filePath: file))
    defer { try? FileManager.default.removeItem(atPath: file) }
    let api = API(201, "{}")
    try await GraphClient.of(api).upload(
      file, to: "/me/drive/root:/a:", conflictBehavior: behavior)
    let content = "/v1.0/me/drive/root:/a:/content"
    #expect(
      api.requests.map(\.path) == [
        "\(content)?@microsoft.graph.conflictBehavior=\(behavior.rawValue)"
      ])
  }

  @Test("It is not begun a third time, and nothing is left")
  func expiredAgain() async throws {
    let (api, _, error) = try await upload(
      begun + [HTTPReply(404)] + begun + [HTTPReply(404), HTTPReply(204)])
    #expect(error?.code == .notFound && error?.status == 404)
    #expect(api.requests.map(\.method) == [.post, .put, .put, .post, .put, .put, .delete])
  }
}
