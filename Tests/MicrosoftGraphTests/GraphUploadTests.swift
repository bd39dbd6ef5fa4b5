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
    _ replies: [HTTPReply], changing change: (String) -> Void = { _ in }
  ) async throws -> (API, [Int], GraphError?) {
    try await upload(results: replies.map { .success($0) }, changing: change)
  }

  /// - Parameter change: is called with the path of the file after each fragment.
  private func upload(
    results: [Result<HTTPReply, HTTPError>], fragments: Int = 2,
    changing change: (String) -> Void = { _ in }
  ) async throws -> (API, [Int], GraphError?) {
    let file = FileManager.default.temporaryDirectory.path + "/\(UUID().uuidString)"
    try Data(count: (fragments - 1) * unit + 1).write(to: URL(filePath: file))
    // Long ago: the time of a change is exact to some milliseconds only.
    utimes(file, [timeval(), timeval()])
    defer { try? FileManager.default.removeItem(atPath: file) }
    let api = API(results: results)
    let progress = LockedValue<[Int]>([])
    do throws(GraphError) {
      try await GraphClient.of(api).upload(
        file, to: "/me/drive/root:/a:", fragmentSize: unit
      ) { done in
        progress.withLock { $0.append(done.completed) }
        change(file)
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

  @Test("An error of a session does not repeat the authorization in its address")
  func repeatedAuthorization() async throws {
    let secret = "session-secret-canary"
    let (_, _, error) = try await upload([
      HTTPReply(200, #"{"uploadUrl": "https://upload.example/1?tempauth=\#(secret)"}"#),
      HTTPReply(403, #"{"error": {"code": "accessDenied", "message": "No \#(secret)."}}"#),
    ])
    #expect(error?.status == 403 && error?.serverCode == "accessDenied")
    #expect(error?.serverMessage == nil && error?.body.isEmpty == true)
  }

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

  @Test("A session that has expired meanwhile is begun again, too", arguments: [404, 410])
  func expiredMeanwhile(status: Int) async throws {
    let session = begun.map { Result<HTTPReply, HTTPError>.success($0) }
    var results = session + [.lost, .success(HTTPReply(status))]
    results += session
    results += [
      .success(HTTPReply(202, #"{"nextExpectedRanges": ["655360-"]}"#)), .success(HTTPReply(201)),
    ]
    let (api, _, error) = try await upload(results: results, fragments: 3)
    #expect(error == nil)
    #expect(
      api.requests.map(\.method) == [.post, .put, .put, .get, .post, .put, .put, .put])
  }

  @Test("When the response to the last fragment is lost, the item may be complete")
  func lostEnd() async throws {
    let session = begun.map { Result<HTTPReply, HTTPError>.success($0) }
    for lost in 1...2 {
      var results = session
      results += Array(repeating: .lost, count: lost)
      results.append(.success(HTTPReply(404)))
      let (api, _, error) = try await upload(results: results)
      #expect(error?.code == .networkUnavailable)
      #expect(error?.message.contains("The file may be complete") == true)
      // When the question is lost, too, the fragment is sent again.
      let methods: [HTTPRequest.Method] =
        lost == 1 ? [.post, .put, .put, .get, .delete] : [.post, .put, .put, .get, .put, .delete]
      #expect(api.requests.map(\.method) == methods)
    }
  }

  @Test("A service that never takes a fragment does not get it forever")
  func noProgress() async throws {
    let (api, _, error) = try await upload(begun)
    #expect(error?.code == .invalidResponse)
    // The first fragment, and the second one with three repetitions.
    #expect(
      api.requests.map(\.method) == [.post, .put, .put, .put, .put, .put, .delete])
  }

  /// The response of a service that expects the fragment with this number.
  private func expects(_ fragment: Int, _ status: Int = 202) -> HTTPReply {
    HTTPReply(status, "{\"nextExpectedRanges\": [\"\(fragment * unit)-\"]}")
  }

  @Test("A session that is set back is uploaded again, however many fragments that are")
  func setBack() async throws {
    let fragments = (1...5).map { expects($0) }
    var replies = [begun[0]] + fragments
    replies += [HTTPReply(500), expects(0, 200)]
    replies += fragments + [HTTPReply(201)]
    let (_, progress, error) = try await upload(
      results: replies.map { .success($0) }, fragments: 6)
    #expect(error == nil)
    #expect(Array(progress.dropLast()) == [1, 2, 3, 4, 5, 1, 2, 3, 4, 5].map { $0 * unit })
    #expect(progress.last == 5 * unit + 1)
  }

  @Test("A session that is set back each time is not uploaded forever")
  func setBackAgain() async throws {
    let setback = [expects(1), HTTPReply(500), expects(0, 200)]
    let replies = [begun[0]] + Array(repeating: setback, count: 10).flatMap(\.self)
    let (api, _, error) = try await upload(replies)
    #expect(error?.status == 500)
    // The first time, and three repetitions.
    #expect(api.requests.count { $0.method == .get } == 4)
    #expect(api.requests.last?.method == .delete)
  }

  @Test("A last fragment that was never sent cannot have completed the item")
  func goneBeforeTheEnd() async throws {
    // The response to the second of three fragments is lost.
    let session = begun.map { Result<HTTPReply, HTTPError>.success($0) }
    var results = session
    results += [.lost, .success(expects(2, 200)), .success(HTTPReply(404))]
    results += session
    results += [.success(expects(2)), .success(HTTPReply(201))]
    let (api, _, error) = try await upload(results: results, fragments: 3)
    #expect(error == nil)
    #expect(
      api.requests.map(\.method) == [.post, .put, .put, .get, .put, .post, .put, .put, .put])
  }

  @Test("A file that is cut off is told, also by a transport that gets fragments as a whole")
  func cutOff() async throws {
    let (api, _, error) = try await upload(begun + [HTTPReply(204)]) { truncate($0, 1) }
    #expect(error?.code == .fileFailure)
    #expect(api.requests.map(\.method) == [.post, .put, .delete])
  }

  @Test("A file that is overwritten meanwhile is told: two versions are never one item")
  func overwritten() async throws {
    let (api, _, error) = try await upload(begun + [HTTPReply(204)]) { file in
      try? Data(repeating: 1, count: unit + 1).write(to: URL(filePath: file))
    }
    #expect(error?.code == .fileFailure)
    #expect(error?.message.contains("it was changed in the meantime") == true)
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
