import FoundationEssentials
import HTTPTypes

/// A file of a drive.
struct DriveFile: Sendable {
  let name: String
  let content: [UInt8]
  let id = Random.guid()

  var eTag: String { "\"{\(id)},1\"" }

  var json: JSON {
    [
      "@odata.type": "#microsoft.graph.driveItem", "id": .string(id), "name": .string(name),
      "eTag": .string(eTag), "size": .number(content.count), "file": [:],
    ]
  }
}

/// A file that is uploaded in fragments.
struct UploadSession: Sendable {
  let name: String
  var content: [UInt8] = []

  var json: JSON {
    [
      "expirationDateTime": "2099-01-01T00:00:00Z",
      "nextExpectedRanges": [.string("\(content.count)-")],
    ]
  }
}

/// The drive of everyone: files by their names, uploads, and downloads from another address.
extension GraphRoutes {
  func addDrive(_ version: String, to router: inout Router) {
    let item = "/\(version)/me/drive/root:/{name}"
    let (read, write): (Set, Set) = (["Files.Read", "Files.ReadWrite"], ["Files.ReadWrite"])
    router.get(item, use: handler(needs: read, else: .accessDenied, metadata))
    router.get(item + "/content", use: handler(needs: read, else: .accessDenied, content))
    router.add(.put, item + "/content", handler(needs: write, else: .accessDenied, put))
    router.post(
      item + "/createUploadSession", use: handler(needs: write, else: .accessDenied, createSession))
  }

  /// The addresses that need no token.
  func addTransfers(to router: inout Router) {
    router.get("/drive/download/{id}", use: preauthenticated(download))
    router.get("/drive/upload/{id}", use: preauthenticated(session))
    router.add(.put, "/drive/upload/{id}", preauthenticated(fragment))
    router.add(.delete, "/drive/upload/{id}", preauthenticated(deleteSession))
  }

  private func name(_ request: Request) -> String {
    let segment = request.path.split(separator: "/")[4]
    let name = String(segment.last == ":" ? segment.dropLast() : segment)
    // A plus sign of a path is one, other than that of a form.
    return Form(encoded: "name=" + name.replacing("+", with: "%2B"))["name"] ?? name
  }

  private func file(_ call: Call) async throws -> DriveFile {
    guard let file = await state.files[name(call.request)] else { throw GraphError.noItem }
    return file
  }

  private func metadata(_ call: Call) async throws -> Response { graph(try await file(call).json) }

  private func content(_ call: Call) async throws -> Response {
    let file = try await file(call)
    guard call.request.headers[.ifNoneMatch] != file.eTag else {
      return Response(status: .notModified)
    }
    return .found("\(call.origin)/drive/download/\(file.id)")
  }

  private func put(_ call: Call) async throws -> Response {
    let file = DriveFile(name: name(call.request), content: call.request.body)
    await state.keep(file)
    return .json(file.json, status: .created)
  }

  private func createSession(_ call: Call) async throws -> Response {
    let id = await state.beginUpload(name(call.request))
    var json = UploadSession(name: "").json
    json["uploadUrl"] = .string("\(call.origin)/drive/upload/\(id)")
    return .json(json)
  }

  /// Refuses a request with a token: it would tell the token to another host.
  private func preauthenticated(
    _ answer: @escaping @Sendable (Request, String) async -> Response
  ) -> Router.Handler {
    { request in
      if let reply = await state.takeTransferReply() { return reply.response }
      guard request.headers[.authorization] == nil else { return Response(status: .unauthorized) }
      return await answer(request, String(request.path.split(separator: "/").last ?? ""))
    }
  }

  private func download(_ request: Request, _ id: String) async -> Response {
    guard let file = await state.files.values.first(where: { $0.id == id }) else {
      return Response(status: .notFound)
    }
    let fields: HTTPFields = [.eTag: file.eTag, .contentType: "application/octet-stream"]
    // bytes=0-99 or bytes=100-
    let bounds = request.headers[.range]?.dropFirst("bytes=".count)
      .split(separator: "-", omittingEmptySubsequences: false).map { Int($0) }
    guard let bounds, let first = bounds.first ?? nil else {
      return Response(status: .ok, headers: fields, body: file.content)
    }
    guard first < file.content.count else { return Response(status: .init(code: 416)) }
    let last = min((bounds.last ?? nil) ?? .max, file.content.count - 1)
    guard first <= last else { return Response(status: .init(code: 416)) }
    var partial = fields
    partial[.contentRange] = "bytes \(first)-\(last)/\(file.content.count)"
    return Response(
      status: .partialContent, headers: partial, body: Array(file.content[first...last]))
  }

  private func session(_ request: Request, _ id: String) async -> Response {
    guard let session = await state.uploads[id] else { return Response(status: .notFound) }
    return .json(session.json)
  }

  private func fragment(_ request: Request, _ id: String) async -> Response {
    // bytes 0-25/128
    let words = request.headers[.contentRange]?.split { " -/".contains($0) } ?? []
    guard words.count == 4, let first = Int(words[1]), let last = Int(words[2]),
      let size = Int(words[3]), last - first + 1 == request.body.count,
      last + 1 == size || request.body.count % (320 << 10) == 0
    else { return Response(status: .badRequest) }
    return await state.receive(request.body, at: first, of: size, upload: id)
  }

  private func deleteSession(_ request: Request, _ id: String) async -> Response {
    Response(status: await state.deleteUpload(id) ? .noContent : .notFound)
  }
}

extension EmulatorState {
  func keep(_ file: DriveFile) { files[file.name] = file }

  func beginUpload(_ name: String) -> String {
    let id = Random.token()
    uploads[id] = UploadSession(name: name)
    return id
  }

  func deleteUpload(_ id: String) -> Bool { uploads.removeValue(forKey: id) != nil }

  /// Adds a fragment, which must be the next one.
  func receive(_ fragment: [UInt8], at first: Int, of size: Int, upload id: String) -> Response {
    guard var session = uploads[id] else { return Response(status: .notFound) }
    guard session.content.count == first else { return Response(status: .init(code: 416)) }
    session.content += fragment
    uploads[id] = session
    guard session.content.count == size else {
      return .json(session.json, status: .accepted)
    }
    uploads[id] = nil
    let file = DriveFile(name: session.name, content: session.content)
    keep(file)
    return .json(file.json, status: .created)
  }
}
