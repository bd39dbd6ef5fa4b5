public import Sentences

extension HTTPFile {
  /// An edit that a file of requests cannot express.
  public struct EditError: Error, Sendable, Equatable {
    /// What cannot be written.
    public let reason: Sentence
  }

  /// Replaces what a request sends; everything else, and what is the same, keeps its bytes.
  ///
  /// - Parameters:
  ///   - index: the index of the request.
  ///   - content: what it sends. Comments within the body are part of it.
  /// - Throws: when the file would not be read like that, for example because a line of the body
  ///   begins with `###`; the file is unchanged then.
  public mutating func replace(_ index: Int, with content: Content) throws(EditError) {
    try change { requests in
      requests[index].content = content
    } _: { file in
      let request = file.requests[index]
      var edits = BodyEdit(of: request, to: content, newline: file.newline).edits
      edits += FieldEdit(of: request, to: content, newline: file.newline).edits
      let old = request.content
      if (old.method, old.url) != (content.method, content.url) {
        let method = request.place.hasMethod || content.method != "GET" ? content.method + " " : ""
        edits.append((request.place.requestLine, method + content.url + request.place.version))
      }
      return edits
    }
  }

  /// Adds a request at the end, without a name if `name` is empty.
  ///
  /// - Throws: when the file would not be read like that; it is unchanged then.
  public mutating func append(_ content: Content, called name: String) throws(EditError) {
    var added = [content.method + " " + content.url]
    added += content.fields.map { "\($0.name): \($0.value)" }
    if !content.body.isEmpty {
      added.append("")
      added += content.body.split(separator: "\n", omittingEmptySubsequences: false).map(
        String.init)
    }
    try change { requests in
      requests.append(
        Request(
          name: name.isEmpty ? nil : name, content: content, line: 0, place: Place(block: 0..<0)))
    } _: { file in
      let end = file.bytes.count
      let isComplete = file.bytes.last.map { $0 == UInt8(ascii: "\n") } ?? true
      let start = (isComplete ? "" : file.newline) + (end == 0 ? "" : file.newline)
      let lines = [name.isEmpty ? "###" : "### " + name] + added
      return [(end..<end, start + lines.map { $0 + file.newline }.joined())]
    }
  }

  /// Gives a request another name.
  public mutating func rename(_ index: Int, to name: String) throws(EditError) {
    try change { requests in
      requests[index].name = name
    } _: { file in
      let place = file.requests[index].place
      if let line = place.nameLine { return [(line, "# @name " + name)] }
      if let line = place.separator { return [(line, "### " + name)] }
      return [(place.block.lowerBound..<place.block.lowerBound, "### " + name + file.newline)]
    }
  }

  /// How lines end: as the first one does.
  private var newline: String {
    guard let end = bytes.firstIndex(of: UInt8(ascii: "\n")), end > 0 else { return "\n" }
    return bytes[end - 1] == UInt8(ascii: "\r") ? "\r\n" : "\n"
  }

  typealias Edit = (range: Range<Int>, text: String)

  /// Makes edits, and reads what has become of the file.
  private mutating func change(
    _ expected: (inout [Request]) -> Void, _ edits: (HTTPFile) -> [Edit]
  ) throws(EditError) {
    var expectedRequests = requests
    expected(&expectedRequests)
    // Of two at the same place, the text of the second one comes first.
    let sorted = edits(self).reversed().sorted {
      ($0.range.lowerBound, $0.range.upperBound) < ($1.range.lowerBound, $1.range.upperBound)
    }
    var changed: [UInt8] = []
    var end = 0
    // Without one that overlaps another, the file is not what was meant, which is found below.
    for edit in sorted where edit.range.lowerBound >= end {
      changed += bytes[end..<edit.range.lowerBound]
      changed += edit.text.utf8
      end = edit.range.upperBound
    }
    changed += bytes[end...]
    // What is read again is what was meant, or else nothing is changed.
    guard let file = try? HTTPFile(changed),
      file.requests.map(\.name) == expectedRequests.map(\.name),
      file.requests.map(\.content) == expectedRequests.map(\.content),
      file.variables.map(\.name) == variables.map(\.name),
      file.variables.map(\.value) == variables.map(\.value)
    else {
      throw EditError(
        reason: Sentence(
          "This cannot be written in a request file. A line cannot begin with “###”, and the"
            + " address and the header fields are one line each."))
    }
    self = file
  }
}

/// The edits that change the header fields: those that are the same at the start and the end stay.
private struct FieldEdit {
  var edits: [HTTPFile.Edit] = []

  init(of request: HTTPFile.Request, to content: HTTPFile.Content, newline: String) {
    let (old, new) = (request.content.fields, content.fields)
    var start = 0
    while start < min(old.count, new.count), old[start] == new[start] { start += 1 }
    var tail = 0
    while tail < min(old.count, new.count) - start,
      old[old.count - 1 - tail] == new[new.count - 1 - tail]
    {
      tail += 1
    }
    let place = request.place
    let removed = place.fields[start..<(old.count - tail)]
    let text = new[start..<(new.count - tail)].map { "\(newline)\($0.name): \($0.value)" }.joined()
    if let first = removed.first {
      edits = removed.dropFirst().map { ($0, "") }
      edits.append((first, text))
    } else if !text.isEmpty {
      let end =
        start == 0 ? place.requestLine.upperBound : place.fields[start - 1].upperBound
      edits = [(end..<end, text)]
    }
  }
}

/// The edit that changes the body.
private struct BodyEdit {
  var edits: [HTTPFile.Edit] = []

  init(of request: HTTPFile.Request, to content: HTTPFile.Content, newline: String) {
    guard request.content.body != content.body else { return }
    let text = content.body.replacing("\n", with: newline)
    let end = request.place.headEnd
    if let body = request.place.body {
      edits = [content.body.isEmpty ? (end..<body.upperBound, "") : (body, text)]
    } else {
      edits = [(end..<end, newline + newline + text)]
    }
  }
}
