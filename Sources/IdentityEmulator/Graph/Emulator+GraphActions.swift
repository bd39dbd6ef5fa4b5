import FoundationEssentials
import HTTPTypes

extension JSON {
  /// A parameter of an action, whose name Microsoft's SDKs begin with a capital letter.
  func parameter(_ name: String) -> JSON? {
    fields?.first { $0.0.lowercased() == name.lowercased() }?.1
  }
}

/// Actions, and the mail that they send and move.
extension Emulator {
  func attachment(
    _ body: JSON, id: String
  ) throws(GraphError) -> (item: JSON, content: GraphContent) {
    guard let data = body["contentBytes"]?.string.flatMap({ Data(base64Encoded: $0) }) else {
      throw .notPlayed("an attachment without contentBytes in base64")
    }
    return (
      GraphMessage.attachment(
        id: id, name: body["name"]?.string ?? "",
        type: body["contentType"]?.string ?? "application/octet-stream", size: data.count),
      .bytes(Array(data))
    )
  }

  func addAttachments(
    _ list: JSON?, to message: String, owner: String
  ) throws(GraphError) {
    for body in list?.items ?? [] {
      let made = try attachment(body, id: "AAMkAGI1\(Random.token(bytes: 24))BEg=")
      changeGraph(.attachments(owner: owner, message: message)) {
        $0.put(made.item, content: made.content)
      }
      noteAttachment(of: message, owner: owner)
    }
  }

  /// Notes that a message has an attachment.
  func noteAttachment(of message: String, owner: String) {
    changeGraph(.messages(owner)) { set in
      guard var json = set.bare(message) else { return }
      json["hasAttachments"] = true
      set.put(json)
    }
  }

  func act(
    _ name: String, _ entity: GraphEntity, _ request: Request, _ caller: GraphCaller
  ) throws(GraphError) -> Response {
    switch name {
    case "sendMail":
      let body = try body(request)
      guard let message = body.parameter("message") else {
        throw .requestBadRequest("A value is required for 'Message'.")
      }
      try check(message, .message)
      // Microsoft's examples have it as a text, too.
      let isSaved =
        switch body.parameter("saveToSentItems") {
        case .bool(false)?, .string("false")?: false
        default: true
        }
      try send(message, attachments: message["attachments"], isSaved: isSaved, caller)
      return Response(status: .accepted)
    case "send":
      guard case .messages(let owner) = entity.key, let draft = graphSet(entity.key).bare(entity.id)
      else { throw missing(entity) }
      let set = graphSet(.attachments(owner: owner, message: entity.id))
      let attachments = set.ids.compactMap { id -> JSON? in
        guard var item = set.bare(id), let content = set.content(id) else { return nil }
        item["contentBytes"] = .string(Data(content.bytes).base64EncodedString())
        return item
      }
      changeGraph(entity.key) { $0.remove(entity.id) }
      try send(draft, attachments: .array(attachments), caller)
      return Response(status: .accepted)
    case "move", "copy":
      if case .items = entity.key { return try copyFile(entity, request, caller) }
      return try moveMessage(entity, try body(request), keeps: name == "copy", caller)
    case "createUploadSession":
      guard case .items(let drive) = entity.key else { throw .methodNotAllowed }
      let item = graphSet(entity.key).bare(entity.id)
      return try createUploadSession(
        drive, item?["parentReference"]?["id"]?.string ?? "", item?["name"]?.string ?? "",
        replaces: entity.id, request, caller)
    default: throw .notPlayed("'\(name)'")
    }
  }

  /// Keeps a message as sent, and brings it to those of the recipients who are here.
  private func send(
    _ message: JSON, attachments: JSON?, isSaved: Bool = true, _ caller: GraphCaller
  ) throws(GraphError) {
    var sent = defaults(.messages(caller.id), caller)
    for (name, value) in message.fields ?? []
    where name != "attachments" && name != "id" && !name.hasPrefix("@") {
      sent[name] = value
    }
    sent["isDraft"] = false
    let text = sent["body"]?["content"]?.string ?? ""
    sent["bodyPreview"] = .string(String(text.prefix(255)))
    let recipients = ["toRecipients", "ccRecipients", "bccRecipients"]
      .flatMap { sent[$0]?.items ?? [] }
      .compactMap { $0["emailAddress"]?["address"]?.string?.lowercased() }
    guard !recipients.isEmpty else {
      throw GraphError(
        status: .badRequest, code: "ErrorInvalidRecipients",
        message: "At least one recipient is not valid.")
    }
    var boxes = [(owner: caller.id, folder: "sentitems", isRead: true)]
    if !isSaved { boxes = [] }
    for user in users where recipients.contains(user.username) {
      let tenant = user.objectID(in: caller.tenant) == nil ? user.homeTenant : caller.tenant
      boxes.append((user.graphID(in: tenant), "inbox", false))
    }
    for box in boxes {
      var copy = sent
      let id = GraphMessage.newID()
      copy["id"] = .string(id)
      copy["isRead"] = .bool(box.isRead)
      copy["parentFolderId"] = .string(GraphMessage.folderID(box.folder) ?? "")
      let made = copy
      changeGraph(.messages(box.owner)) { $0.put(made, isFirst: true) }
      try addAttachments(attachments, to: id, owner: box.owner)
    }
  }

  private func moveMessage(
    _ entity: GraphEntity, _ body: JSON, keeps: Bool, _ caller: GraphCaller
  ) throws(GraphError) -> Response {
    guard case .messages(let owner) = entity.key, var item = graphSet(entity.key).bare(entity.id),
      let name = body.parameter("destinationId")?.string
    else { throw .requestBadRequest("A value is required for 'DestinationId'.") }
    let folder = GraphMessage.folderID(name) ?? name
    guard graphSet(.mailFolders(owner)).bare(folder) != nil else { throw .notInMailbox }
    // A message that is moved gets another ID.
    let id = GraphMessage.newID()
    item["id"] = .string(id)
    item["parentFolderId"] = .string(folder)
    let moved = item
    let attachments = graphSet(.attachments(owner: owner, message: entity.id))
    changeGraph(entity.key) { set in
      if !keeps { set.remove(entity.id) }
      set.put(moved, isFirst: true)
    }
    changeGraph(.attachments(owner: owner, message: id)) { $0 = attachments }
    return try shown(entity.other(id), .created, caller)
  }
}
