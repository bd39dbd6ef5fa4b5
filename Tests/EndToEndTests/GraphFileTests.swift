import AuthCore
import CurlHTTP
import FoundationEssentials
import Glibc
import HTTPTypes
import IdentityEmulator
import MicrosoftGraph
import TestSupport
import Testing

@Suite("Files of Graph, over TLS")
struct GraphFileTests {
  /// Bytes that repeat with no power of two, so that a wrong offset is seen.
  static func bytes(_ count: Int) -> Data {
    Data((0..<count).map { UInt8(truncatingIfNeeded: $0 % 251) })
  }

  /// Runs `body` with a client that may read and write files, and an empty folder.
  func withGraph(_ body: (World, GraphClient, String) async throws -> Void) async throws {
    try await World.with { world in
      let (graph, _) = try await world.graph(scopes: ["User.Read", "Files.ReadWrite"])
      let folder = FileManager.default.temporaryDirectory.appending(path: "graph-\(UUID())").path
      try FileManager.default.createDirectory(
        atPath: folder, withIntermediateDirectories: false)
      defer { try? FileManager.default.removeItem(atPath: folder) }
      await world.emulator.forgetRequests()
      try await body(world, graph, folder)
    }
  }

  private func content(_ download: GraphDownload) async throws -> Data {
    var data = Data()
    for try await piece in download { data += piece }
    return data
  }

  @Test("A download goes to another address without the token, and appears when it is complete")
  func download() async throws {
    try await withGraph { world, graph, folder in
      let file = Self.bytes(3_000_001)
      try await world.emulator.addFile("Report.bin", file)
      var last: GraphProgress?
      try await graph.download("/me/drive/root:/Report.bin:/content").write(
        to: folder + "/Report.bin"
      ) { last = $0 }
      #expect(try Data(contentsOf: URL(filePath: folder + "/Report.bin")) == file)
      #expect(last?.completed == file.count && last?.total == file.count)
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["Report.bin"])
      let requests = await world.emulator.requests
      #expect(requests.map(\.status) == [302, 200])
      #expect(requests.last?.headers[.authorization] == nil)
    }
  }

  @Test("A part of a file is asked for at that address")
  func range() async throws {
    try await withGraph { world, graph, _ in
      let file = Self.bytes(1000)
      try await world.emulator.addFile("a", file)
      let request: GraphRequest = "/me/drive/root:/a:/content"
      let part100 = try await content(graph.download(request, range: 100..<200))
      #expect(part100 == file[100..<200])
      let part900 = try await content(graph.download(request, range: 900..<5000))
      #expect(part900 == file[900...])
      let part990 = try await content(graph.download(request, range: 990..<Int.max))
      #expect(part990 == file[990...])
      let requests = await world.emulator.requests
      #expect(
        requests.map { $0.headers[.range] }
          == [nil, "bytes=100-199", nil, "bytes=900-4999", nil, "bytes=990-"])
      await #expect(throws: GraphError.self) {
        try await content(graph.download(request, range: 1000..<2000))
      }
    }
  }

  @Test("A busy address is asked again; an unchanged file is reported")
  func busy() async throws {
    try await withGraph { world, graph, _ in
      try await world.emulator.addFile("a", Self.bytes(10))
      await world.emulator.prepareTransferReply(
        CannedReply(status: 503, headers: ["Retry-After": "5"]))
      let before = world.clock.now
      let request: GraphRequest = "/me/drive/root:/a:/content"
      let data = try await content(graph.download(request))
      #expect(data == Self.bytes(10))
      #expect(world.clock.now.timeIntervalSince(before) == 5)

      let item = try await graph.get("/me/drive/root:/a:").json()
      let eTag = try #require(item["eTag"]?.string)
      let error = await #expect(throws: GraphError.self) {
        try await content(graph.download(request.ifNoneMatch(eTag)))
      }
      #expect(error?.code == .notModified)
    }
  }

  @Test("A file that cannot be written, or that does not exist, leaves nothing behind")
  func failures() async throws {
    try await withGraph { world, graph, folder in
      try await world.emulator.addFile("a", Self.bytes(100_000))
      let download = graph.download("/me/drive/root:/a:/content")
      let missing = await #expect(throws: GraphError.self) {
        try await graph.download("/me/drive/root:/b:/content").write(to: folder + "/b")
      }
      #expect(missing?.code == .notFound && missing?.serverCode == "itemNotFound")
      let noFolder = await #expect(throws: GraphError.self) {
        try await download.write(to: folder + "/none/a")
      }
      #expect(noFolder?.code == .fileFailure)
      let left = try FileManager.default.contentsOfDirectory(atPath: folder)
      #expect(left.isEmpty)
    }
  }

  @Test("A file is uploaded in fragments, without the token, and progress is reported")
  func upload() async throws {
    try await withGraph { world, graph, folder in
      let file = Self.bytes(700_000)
      try file.write(to: URL(filePath: folder + "/a"))
      var progress: [Int] = []
      let item = try await graph.upload(
        folder + "/a", to: "/me/drive/root:/Notes 1.txt:", fragmentSize: 320 << 10
      ) { progress.append($0.completed) }
      #expect(item.status == 201)
      #expect(try item.json()["size"]?.integer == 700_000)
      #expect(await world.emulator.file("Notes 1.txt") == file)
      #expect(progress == [327_680, 655_360, 700_000])
      let fragments = await world.emulator.requests.filter { $0.method == "PUT" }
      #expect(
        fragments.map { $0.headers[.contentRange] } == [
          "bytes 0-327679/700000", "bytes 327680-655359/700000", "bytes 655360-699999/700000",
        ])
      #expect(fragments.allSatisfy { $0.headers[.authorization] == nil })
    }
  }

  @Test("An upload continues with the bytes that the service expects")
  func resume() async throws {
    try await withGraph { world, graph, folder in
      let file = Self.bytes(700_000)
      try file.write(to: URL(filePath: folder + "/a"))
      await world.emulator.prepareTransferReply(
        CannedReply(status: 503, headers: ["Retry-After": "3"]))
      let before = world.clock.now
      _ = try await graph.upload(
        folder + "/a", to: "/me/drive/root:/a:", fragmentSize: 320 << 10)
      #expect(world.clock.now.timeIntervalSince(before) == 3)
      #expect(await world.emulator.file("a") == file)
      let uploads = await world.emulator.requests.filter { $0.path.hasPrefix("/drive/upload") }
      #expect(uploads.map(\.method) == ["PUT", "GET", "PUT", "PUT", "PUT"])
    }
  }

  @Test("An upload that fails or is canceled deletes its session")
  func abandoned() async throws {
    try await withGraph { world, graph, folder in
      try Self.bytes(700_000).write(to: URL(filePath: folder + "/a"))
      await world.emulator.prepareTransferReply(CannedReply(status: 507))
      let error = await #expect(throws: GraphError.self) {
        try await graph.upload(folder + "/a", to: "/me/drive/root:/a:")
      }
      #expect(error?.status == 507)
      #expect(await world.emulator.uploadCount == 0)

      let upload = Task {
        try await graph.upload(
          folder + "/a", to: "/me/drive/root:/a:", fragmentSize: 320 << 10
        ) { _ in withUnsafeCurrentTask { $0?.cancel() } }
      }
      await #expect(throws: GraphError.self) { try await upload.value }
      #expect(await world.emulator.uploadCount == 0)
      #expect(await world.emulator.file("a") == nil)
    }
  }

  @Test("A file that is cut off during its upload is an error, and nothing is left")
  func cutOff() async throws {
    try await withGraph { world, graph, folder in
      try Self.bytes(700_000).write(to: URL(filePath: folder + "/a"))
      let error = await #expect(throws: GraphError.self) {
        try await graph.upload(
          folder + "/a", to: "/me/drive/root:/a:", fragmentSize: 320 << 10
        ) { _ in _ = truncate(folder + "/a", 400_000) }
      }
      #expect(error?.code == .fileFailure)
      #expect(error?.message.contains("it was changed in the meantime") == true)
      #expect(await world.emulator.uploadCount == 0)
      #expect(await world.emulator.file("a") == nil)
    }
  }

  @Test("An empty file is uploaded, too; a missing one is an error before anything is sent")
  func odd() async throws {
    try await withGraph { world, graph, folder in
      try Data().write(to: URL(filePath: folder + "/empty"))
      _ = try await graph.upload(folder + "/empty", to: "/me/drive/root:/empty:")
      #expect(await world.emulator.file("empty") == Data())
      await world.emulator.forgetRequests()
      let error = await #expect(throws: GraphError.self) {
        try await graph.upload(folder + "/none", to: "/me/drive/root:/none:")
      }
      #expect(error?.code == .fileFailure)
      #expect(await world.emulator.requests.isEmpty)
    }
  }

  @Test("The content of a file is sent as it is read, in one request, and again with a new token")
  func streamed() async throws {
    try await withGraph { world, graph, folder in
      // More than a fragment of an upload can have.
      let (path, size) = (folder + "/large", 64 << 20)
      let file = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
      try #require(file >= 0 && ftruncate(file, off_t(size)) == 0)
      close(file)
      await world.emulator.expireAccessTokens()
      let request = GraphRequest(.put, "/me/drive/root:/Large.bin:/content")
      let item = try await graph.send(request, content: .file(path))
      #expect(try item.json()["size"]?.integer == size)
      let puts = await world.emulator.requests.filter { $0.method == "PUT" }
      #expect(puts.map(\.status) == [401, 201])
      #expect(puts.allSatisfy { $0.headers[.contentLength] == "\(size)" })
      #expect(await world.emulator.file("Large.bin") == Data(count: size))
    }
  }

  @Test("Pieces of a file arrive in order without a size, and are not sent again with a new token")
  func pieces() async throws {
    try await withGraph { world, graph, _ in
      let file = Self.bytes(3_000_001)
      func content() -> GraphContent {
        .pieces(
          AsyncStream<Data> { continuation in
            for start in stride(from: 0, to: file.count, by: 70_001) {
              continuation.yield(file[start..<min(start + 70_001, file.count)])
            }
            continuation.finish()
          })
      }
      let request = GraphRequest(.put, "/me/drive/root:/Pieces.bin:/content")
      _ = try await graph.send(request, content: content())
      #expect(await world.emulator.file("Pieces.bin") == file)
      await world.emulator.expireAccessTokens()
      let error = await #expect(throws: GraphError.self) {
        try await graph.send(request, content: content())
      }
      #expect(error?.code == .unauthorized)
      #expect(error?.message.contains("only once") == true)
    }
  }
}
