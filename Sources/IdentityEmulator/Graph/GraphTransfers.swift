import HTTPTypes

/// The addresses for downloads and uploads, which need no token.
struct GraphTransfers: Sendable {
  let emulator: Emulator

  func add(to router: inout Router) {
    router.get("/drive/download/{drive}/{id}", use: handler(download))
    router.get("/drive/upload/{id}", use: handler(session))
    router.add(.put, "/drive/upload/{id}", handler(fragment))
    router.add(.delete, "/drive/upload/{id}", handler(deleteSession))
    router.get("/drive/copy/{id}", use: handler(copyProgress))
  }

  /// Passes over a token, which a program should not tell to another host.
  ///
  /// With a fault, it refuses the request. Microsoft's addresses do the one or the other.
  private func handler(
    _ answer: @escaping @Sendable (Request, String) async throws(GraphError) -> Response
  ) -> Router.Handler {
    { request in
      if let reply = await emulator.takeReply(of: .transfer) { return reply.response }
      do throws(GraphError) {
        let isStrict = await emulator.faults.edited(\.refusesTransferToken, false)
        guard !isStrict || request.headers[.authorization] == nil else {
          throw .invalidToken("This address needs no token, and must not get one.")
        }
        return try await answer(request, String(request.path.split(separator: "/").last ?? ""))
      } catch {
        let id = Random.guid()
        return .json(error.json(requestID: id, clientRequestID: id), status: error.status)
      }
    }
  }

  private func download(_ request: Request, _ id: String) async throws(GraphError) -> Response {
    let drive = String(request.path.split(separator: "/")[2])
    // The name of a drive that nobody has read makes none.
    let known = await emulator.knownGraphSet(.items(drive: drive))
    guard let set = known, let content = set.content(id) else { throw .noItem }
    var fields: HTTPFields = [
      .eTag: set.eTag(id), .contentType: "application/octet-stream", .acceptRanges: "bytes",
    ]
    if let type = set.bare(id)?["file"]?["mimeType"]?.string { fields[.contentType] = type }
    guard request.headers[.ifNoneMatch] != set.eTag(id) else {
      return Response(status: .notModified)
    }
    guard let text = request.headers[.range], text.hasPrefix("bytes="),
      request.headers[.ifRange].map({ $0 == set.eTag(id) }) ?? true
    else { return Response(status: .ok, headers: fields, body: content.bytes) }
    // bytes=0-99, bytes=100- or bytes=-100
    let bounds = text.dropFirst("bytes=".count)
      .split(separator: "-", omittingEmptySubsequences: false)
    let count = content.count
    let range: Range<Int>?
    switch (bounds.count, bounds.first.flatMap { Int($0) }, bounds.last.flatMap { Int($0) }) {
    case (2, let first?, let last?): range = first <= last ? first..<min(last, .max - 1) + 1 : nil
    case (2, let first?, nil) where bounds[1].isEmpty: range = first < count ? first..<count : nil
    case (2, nil, let length?) where bounds[0].isEmpty:
      range = length > 0 ? max(0, count - length)..<count : nil
    default: return Response(status: .ok, headers: fields, body: content.bytes)
    }
    guard let range, range.lowerBound < count else {
      fields[.contentRange] = "bytes */\(count)"
      return Response(status: .rangeNotSatisfiable, headers: fields)
    }
    let part = range.clamped(to: 0..<count)
    fields[.contentRange] = "bytes \(part.lowerBound)-\(part.upperBound - 1)/\(count)"
    return Response(status: .partialContent, headers: fields, body: content.bytes(in: part))
  }

  private func session(_ request: Request, _ id: String) async throws(GraphError) -> Response {
    .json(try await emulator.uploadSession(id).json)
  }

  private func fragment(_ request: Request, _ id: String) async throws(GraphError) -> Response {
    try await emulator.receive(request, upload: id)
  }

  private func deleteSession(
    _ request: Request, _ id: String
  ) async throws(GraphError) -> Response {
    guard await emulator.deleteUpload(id) else { throw .noItem }
    return Response(status: .noContent)
  }

  private func copyProgress(
    _ request: Request, _ id: String
  ) async throws(GraphError) -> Response {
    try await emulator.copyProgress(id)
  }
}
