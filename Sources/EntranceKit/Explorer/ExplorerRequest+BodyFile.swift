import CurlHTTP

// A request whose body is a file.
extension ExplorerRequest {
  /// Whether it has header fields or a body.
  public var hasContent: Bool { !fields.isEmpty || !body.isEmpty || bodyFile != nil }

  /// Whether the body that it was sent with was not kept, and nothing was put in its place.
  public var isBodyMissing: Bool {
    lacksBody && method.hasBody && body.isEmpty && bodyFile == nil
  }

  /// The same without what was read of its file to send it.
  var withoutContents: ExplorerRequest {
    guard bodyFile != nil else { return self }
    var result = self
    result.data = nil
    return result
  }

  /// The same without its body, which is not copied where only the address and the header fields count.
  var withoutBody: ExplorerRequest {
    var result = self
    (result.body, result.data) = ("", nil)
    return result
  }

  /// The same as a file of requests has it: with a line in its body that stands for the contents of a
  /// file, and its media type, which programs would guess otherwise.
  ///
  /// - Parameters:
  ///   - path: the path of the file.
  ///   - reference: the line, `< ./name`.
  func referring(to path: String, as reference: String) -> ExplorerRequest {
    var result = self
    (result.body, result.bodyFile) = (reference, nil)
    let names = fields.split(whereSeparator: \.isNewline).map {
      $0.prefix { $0 != ":" }.trimmed.lowercased()
    }
    guard !names.contains("content-type") else { return result }
    if let last = result.fields.last, !last.isNewline { result.fields += "\n" }
    result.fields += "Content-Type: \(Self.mediaType(ofFile: path))"
    return result
  }

  /// The media type of a body without a `Content-Type` among its header fields.
  var usualType: String {
    if let bodyFile { return Self.mediaType(ofFile: bodyFile) }
    return data == nil ? Self.usualTypeOfText : Self.unknownType
  }

  /// The media type of a file, by how its name ends; one that nobody knows is only bytes.
  static func mediaType(ofFile path: String) -> String {
    let name = path.split(separator: "/").last ?? ""
    guard let dot = name.lastIndex(of: ".") else { return unknownType }
    return mediaTypes[name[name.index(after: dot)...].lowercased()] ?? unknownType
  }

  private static let usualTypeOfText = "application/json"
  private static let unknownType = "application/octet-stream"

  /// Media types as IANA has registered them, of what people send to Microsoft Graph.
  private static let mediaTypes: [String: String] = [
    "avif": "image/avif", "bmp": "image/bmp", "csv": "text/csv", "doc": "application/msword",
    "docx": "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
    "eml": "message/rfc822", "gif": "image/gif", "htm": "text/html", "html": "text/html",
    "ics": "text/calendar", "jpeg": "image/jpeg", "jpg": "image/jpeg",
    "json": "application/json", "md": "text/markdown", "mp3": "audio/mpeg", "mp4": "video/mp4",
    "pdf": "application/pdf", "png": "image/png", "ppt": "application/vnd.ms-powerpoint",
    "pptx": "application/vnd.openxmlformats-officedocument.presentationml.presentation",
    "svg": "image/svg+xml", "txt": "text/plain", "vcf": "text/vcard", "webp": "image/webp",
    "xls": "application/vnd.ms-excel",
    "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    "xml": "application/xml", "zip": "application/zip",
  ]
}
