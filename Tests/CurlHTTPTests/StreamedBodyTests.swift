import CurlHTTP
import Foundation
import HTTPTypes
import Testing

/// Bodies that are not in memory: files of any size, and pieces that come while they are sent.
@Suite("Bodies that are sent as they are read", .timeLimit(.minutes(5)))
struct StreamedBodyTests {
  let server: MisbehavingServer

  init() throws { server = try MisbehavingServer.shared.get() }

  private struct Answer: Decodable {
    var connection: Int
    var body: String
    var fields: [[String]]?
  }

  private struct SourceFailure: Error, Equatable {}

  /// A version of HTTP.
  enum Version: CaseIterable { case http1, http2 }

  private func port(_ version: Version) -> Int {
    version == .http1 ? server.ports.good : server.ports.http2
  }

  private static let limits = HTTPLimits(bodySize: 32 << 20)

  private func send(
    _ body: RequestBody, _ path: String = "/streamed", version: Version = .http1,
    method: HTTPRequest.Method = .put, on client: CurlClient? = nil,
    limits: HTTPLimits = Self.limits
  ) async throws -> Answer {
    let reply = try await (client ?? server.client()).execute(
      server.request(path, port: port(version), method: method), body: body, limits: limits)
    return try JSONDecoder().decode(Answer.self, from: reply.body)
  }

  /// The error of a request with this body.
  private func failure(
    _ body: RequestBody, _ path: String, version: Version = .http1,
    limits: HTTPLimits = Self.limits
  ) async -> HTTPError? {
    do throws(HTTPError) {
      _ = try await server.client().execute(
        server.request(path, port: port(version), method: .put), body: body, limits: limits)
      return nil
    } catch {
      return error
    }
  }

  /// Pieces of growing size, also empty ones.
  private static let texts = (0..<300).map { String(repeating: "\($0),", count: $0 * 3) }

  private func pieces(_ texts: [String] = Self.texts) -> AsyncStream<Data> {
    AsyncStream { continuation in
      for text in texts { continuation.yield(Data(text.utf8)) }
      continuation.finish()
    }
  }

  @Test(
    "Pieces arrive in order, with their size or without it", arguments: Version.allCases,
    [true, false])
  func whole(version: Version, hasCount: Bool) async throws {
    let text = Self.texts.joined()
    let body = BodyPieces(pieces(), count: hasCount ? text.utf8.count : nil)
    let answer = try await send(.pieces(body), version: version)
    #expect(answer.body == text && body.failure == nil)
    if version == .http1 {
      let names = answer.fields?.map { $0[0] } ?? []
      #expect(names.contains("content-length") == hasCount)
      #expect(names.contains("transfer-encoding") == !hasCount)
    }
  }

  @Test("A body without pieces is an empty one", arguments: Version.allCases, [0, nil])
  func empty(version: Version, count: Int?) async throws {
    #expect(
      try await send(.pieces(BodyPieces(pieces([]), count: count)), version: version).body == "")
  }

  @Test("A transfer waits for a piece that comes late", arguments: Version.allCases)
  func late(version: Version) async throws {
    let (stream, continuation) = AsyncStream<Data>.makeStream()
    let (asked, asking) = AsyncStream<Void>.makeStream()
    let slow = AsyncStream<Data>(unfolding: {
      asking.yield()
      return await stream.first { _ in true }
    })
    async let answer = send(.pieces(BodyPieces(slow, count: nil)), version: version)
    var requests = asked.makeAsyncIterator()
    for text in ["first ", "second ", "third"] {
      // The transfer has nothing until then.
      _ = await requests.next()
      continuation.yield(Data(text.utf8))
    }
    _ = await requests.next()
    continuation.finish()
    let received = try await answer
    #expect(received.body == "first second third")
  }

  @Test(
    "The time that a piece takes is not that of a service that does not answer",
    arguments: Version.allCases)
  func slowSource(version: Version) async throws {
    let texts = LockedValue(["first ", "second"])
    // Longer than the limit, also with the seconds for which libcurl measures the speed.
    let slow = AsyncStream<Data>(unfolding: {
      guard let text = texts.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) else { return nil }
      try? await Task.sleep(for: .seconds(6))
      return Data(text.utf8)
    })
    let answer = try await send(
      .pieces(BodyPieces(slow, count: nil)), version: version,
      // The server's own answer may take a while on a busy computer.
      limits: HTTPLimits(total: .seconds(120), idle: .seconds(3)))
    #expect(answer.body == "first second")
  }

  @Test("After the last piece, a service that does not answer is one")
  func silence() async {
    let error = await failure(
      .pieces(BodyPieces(pieces(["all"]), count: nil)), "/silence",
      limits: HTTPLimits(total: .seconds(120), idle: .seconds(1)))
    #expect(error?.code == .timedOut)
  }

  @Test("A refusal ends a request whose next piece has not come yet", arguments: Version.allCases)
  func refused(version: Version) async throws {
    let (pieces, continuation) = AsyncStream<Data>.makeStream()
    continuation.yield(Data("first".utf8))
    let reply = try await server.client().execute(
      server.request("/refused", port: port(version), method: .put),
      body: .pieces(BodyPieces(pieces, count: nil)), limits: HTTPLimits(total: .seconds(60)))
    #expect(reply.response.status.code == 413)
    continuation.finish()
  }

  @Test("A refusal ends a request while its body is sent", arguments: [true, false])
  func refusedEarly(isFile: Bool) async throws {
    let size = 32 << 20
    let file = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    if isFile { try Data(count: size).write(to: file) }
    defer { if isFile { try? FileManager.default.removeItem(at: file) } }
    let reply = try await server.client().execute(
      server.request("/refused/early", port: server.ports.http2, method: .put),
      body: isFile ? .file(FilePart(try BodyFile(file.path), 0..<size)) : .data(Data(count: size)),
      limits: HTTPLimits(total: .seconds(60)))
    #expect(reply.response.status.code == 413)
  }

  @Test(
    "An error of the pieces ends the request, which the server does not take for a whole one",
    arguments: Version.allCases)
  func sourceFails(version: Version) async throws {
    let broken = AsyncThrowingStream<Data, any Error> { continuation in
      continuation.yield(Data("start".utf8))
      continuation.finish(throwing: SourceFailure())
    }
    let path = "/broken/\(UUID())"
    let body = BodyPieces(broken, count: nil)
    #expect(await failure(.pieces(body), path, version: version) != nil)
    #expect(body.failure as? SourceFailure == SourceFailure())
    #expect(try await server.stats().requests[path] == nil)
  }

  @Test(
    "Fewer or more bytes than were said end the request, also when the first are as many",
    arguments: [(["12345"], 4), (["12345"], 6), (["123", "45"], 3), (["1", "2345"], 1)])
  func wrongCount(texts: [String], count: Int) async throws {
    let path = "/wrong/\(UUID())"
    let body = BodyPieces(pieces(texts), count: count)
    #expect(await failure(.pieces(body), path) != nil)
    #expect((body.failure as? BodyPieces.WrongCount)?.expected == count)
    #expect(try await server.stats().requests[path] == nil)
  }

  @Test(
    "A canceled request asks for no more pieces, and is no whole one for the server",
    arguments: Version.allCases)
  func cancellation(version: Version) async throws {
    let (asked, asking) = AsyncStream<Void>.makeStream()
    let (ended, ending) = AsyncStream<Void>.makeStream()
    let path = "/endless/\(UUID())"
    let request = Task {
      await failure(.pieces(Self.endless(asking, ending)), path, version: version)
    }
    var requests = asked.makeAsyncIterator()
    for _ in 0..<100 { _ = await requests.next() }
    request.cancel()
    #expect(await request.value?.code == .cancelled)
    // Nobody has the source any longer.
    for await _ in ended {}
    #expect(try await server.stats().requests[path] == nil)
  }

  private static func endless(
    _ asking: AsyncStream<Void>.Continuation, _ ending: AsyncStream<Void>.Continuation
  ) -> BodyPieces {
    let witness = Witness(ending)
    let pieces = AsyncStream<Data>(unfolding: {
      withExtendedLifetime(witness) { _ = asking.yield() }
      return Data(count: 1000)
    })
    return BodyPieces(pieces, count: nil)
  }

  @Test("Without a connection, nothing is asked for, so that the body can still be sent")
  func noConnection() async throws {
    let body = BodyPieces(pieces(["all"]), count: nil)
    let request = server.request("/closed", port: server.ports.closed, method: .put)
    await #expect(throws: HTTPError.self) {
      try await server.client().execute(request, body: .pieces(body), limits: Self.limits)
    }
    #expect(!body.hasBegun)
    #expect(try await send(.pieces(body)).body == "all")
    #expect(body.hasBegun)
  }

  @Test("Pieces are sent on a new connection: a kept one may be closed already")
  func newConnection() async throws {
    let client = server.client()
    let first = try await send(.data(Data("1".utf8)), on: client)
    let second = try await send(.pieces(BodyPieces(pieces(["2"]), count: 1)), on: client)
    #expect(second.connection != first.connection)
  }

  @Test("A hundred megabytes take no memory, from a file or in pieces", arguments: [true, false])
  func memory(isFile: Bool) async throws {
    await #expect(processExitsWith: .success) {
      [server = server as MisbehavingServer, isFile = isFile as Bool] in
      let client = server.client()
      let (size, piece) = (96 << 20, Data(count: 1 << 20))
      _ = try await client.execute(server.request("/swallow", method: .put), body: piece)
      let before = try peakMemory()
      let body: RequestBody
      if isFile {
        let path = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString).path
        try #require(FileManager.default.createFile(atPath: path, contents: nil))
        defer { try? FileManager.default.removeItem(atPath: path) }
        try FileHandle(forWritingTo: URL(filePath: path)).truncate(atOffset: UInt64(size))
        body = .file(FilePart(try BodyFile(path), 0..<size))
      } else {
        let pieces = AsyncStream<Data>(unfolding: LimitedPieces(piece, count: 96).next)
        body = .pieces(BodyPieces(pieces, count: size))
      }
      let reply = try await client.execute(
        server.request("/swallow", method: .put), body: body,
        limits: HTTPLimits(total: .seconds(240)))
      let answer = try JSONDecoder().decode(MisbehavingServer.Echo.self, from: reply.body)
      #expect(answer.body == "\(size)")
      #expect(try peakMemory() - before < 16 << 20)
    }
  }
}

/// Tells when it is released.
private final class Witness: Sendable {
  private let ending: AsyncStream<Void>.Continuation
  init(_ ending: AsyncStream<Void>.Continuation) { self.ending = ending }
  deinit { ending.finish() }
}

/// The same piece, so many times.
private final class LimitedPieces: Sendable {
  private let piece: Data
  private let rest: LockedValue<Int>

  init(_ piece: Data, count: Int) {
    self.piece = piece
    rest = LockedValue(count)
  }

  @Sendable func next() async -> Data? {
    let isLast = rest.withLock { rest in
      rest -= 1
      return rest < 0
    }
    return isLast ? nil : piece
  }
}
