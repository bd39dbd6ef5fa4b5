import HTTPTypes

/// Files, photos and whole messages.
extension Emulator {
  func content(
    _ entity: GraphEntity, _ request: Request, _ caller: GraphCaller
  ) throws(GraphError) -> Response {
    if let option = request.queryForm.fields.first {
      throw .notPlayed("the query parameter '\(option.name)' of a download")
    }
    let set = graphSet(entity.key)
    if case .messages = entity.key { return .text(mime(set.bare(entity.id)), type: "text/plain") }
    guard let content = set.content(entity.id) else {
      throw .badRequest("A folder has no content.")
    }
    guard case .items(let drive) = entity.key else {
      let type = set.bare(entity.id)?["contentType"]?.string ?? "application/octet-stream"
      return Response(status: .ok, headers: [.contentType: type], body: content.bytes)
    }
    guard request.headers[.ifNoneMatch] != set.eTag(entity.id) else {
      return Response(status: .notModified)
    }
    return .found("\(transferOrigin)/drive/download/\(drive)/\(entity.id)")
  }

  /// A message in the format of RFC 5322.
  private func mime(_ message: JSON?) -> String {
    func addresses(_ name: String) -> String {
      let list = message?[name]?.items ?? message?[name].map { [$0] } ?? []
      return list.compactMap { $0["emailAddress"]?["address"]?.string }.joined(separator: ", ")
    }
    return """
      From: \(addresses("from"))\r
      To: \(addresses("toRecipients"))\r
      Subject: \(message?["subject"]?.string ?? "")\r
      Message-ID: \(message?["internetMessageId"]?.string ?? "")\r
      MIME-Version: 1.0\r
      Content-Type: text/plain; charset=utf-8\r
      \r
      \(message?["body"]?["content"]?.string ?? "")

      """
  }

  func photo(
    _ id: String, isValue: Bool, _ caller: GraphCaller
  ) throws(GraphError) -> Response {
    let tenant = caller.tenant
    let user = users.first { $0.graphID(in: tenant) == id }
    // A guest has no photo in the other organization.
    guard let user, tenant == user.homeTenant || tenant.hasLocalAccounts,
      let color = user.photoColor
    else { throw .notInMailbox }
    let eTag = "\"\(String(color, radix: 16))\""
    guard isValue else {
      return Self.graphResponse(
        with: [
          "@odata.mediaContentType": "image/png", "@odata.mediaEtag": .string(eTag),
          "id": "96x96", "height": 96, "width": 96,
        ], context: "\(caller.base)/$metadata#users('\(id)')/photo/$entity")
    }
    return Response(
      status: .ok, headers: [.contentType: "image/png", .eTag: eTag],
      body: ProfilePhoto.png(background: color))
  }
}
