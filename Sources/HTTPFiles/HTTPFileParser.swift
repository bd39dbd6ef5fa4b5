import CurlHTTP
import Sentences

/// Reads the lines of a file of requests.
struct HTTPFileParser {
  private let bytes: [UInt8]
  private var lines: [Line] = []
  private(set) var requests: [HTTPFile.Request] = []
  private(set) var variables: [HTTPFile.Variable] = []
  private(set) var notes: [HTTPFile.Remark] = []

  /// A line, without its ending.
  struct Line {
    var range: Range<Int>
    /// Where the next line begins.
    var next: Int
    var text: Substring
    /// Its number, from 1.
    var number: Int

    var trimmed: Substring { text.trimmed }
    var isBlank: Bool { trimmed.isEmpty }
    var isSeparator: Bool { text.hasPrefix("###") }
    var isComment: Bool { trimmed.hasPrefix("#") || trimmed.hasPrefix("//") }
    var isIndented: Bool { text.first == " " || text.first == "\t" }
  }

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  mutating func parse() throws(HTTPFile.Remark) {
    try split()
    var start = 0
    for index in lines.indices.dropFirst() where lines[index].isSeparator {
      parseBlock(start..<index)
      start = index
    }
    if !lines.isEmpty { parseBlock(start..<lines.count) }
  }

  private mutating func split() throws(HTTPFile.Remark) {
    var start = bytes.starts(with: MarkedText.utf8Mark) ? 3 : 0
    while start < bytes.count {
      let end = bytes[start...].firstIndex(of: UInt8(ascii: "\n")) ?? bytes.count
      let number = lines.count + 1
      let hasReturn = end > start && bytes[end - 1] == UInt8(ascii: "\r")
      let range = start..<(hasReturn ? end - 1 : end)
      guard let text = String(validating: bytes[range], as: UTF8.self) else {
        throw HTTPFile.Remark(
          number, Sentence("The text is not UTF-8. Save the file in this encoding."))
      }
      guard !text.hasTooManyAccents else {
        throw HTTPFile.Remark(number, Sentence("A letter has too many accents."))
      }
      start = min(end + 1, bytes.count)
      lines.append(Line(range: range, next: start, text: text[...], number: number))
    }
  }

  // MARK: One request

  /// Parses what is between two separators.
  private mutating func parseBlock(_ block: Range<Int>) {
    let first = lines[block.lowerBound]
    var place = HTTPFile.Place(block: first.range.lowerBound..<lines[block.upperBound - 1].next)
    if first.isSeparator { place.separator = first.range }
    let title = first.isSeparator ? first.text.drop { $0 == "#" }.trimmed : ""
    var request = HTTPFile.Request(
      name: title.isEmpty ? nil : String(title), content: HTTPFile.Content(url: ""),
      line: first.number, place: place)
    var index = block.lowerBound + (first.isSeparator ? 1 : 0)
    while index < block.upperBound {
      let line = lines[index]
      if line.isBlank {
      } else if line.isComment {
        note(line, &request)
      } else if line.trimmed.hasPrefix("@") {
        define(line, &request)
      } else if line.isScript {
        request.problems.append(.script(line.number))
        if line.text.contains("{%"), !line.text.contains("%}") {
          index += 1
          while index < block.upperBound, !lines[index].text.contains("%}") { index += 1 }
        }
      } else if line.isDirective {
        notes.append(
          HTTPFile.Remark(
            line.number, Sentence("“{text}” has no effect here.", ["text": "\(line.trimmed)"])))
      } else if line.trimmed.hasPrefix("HTTP/") {
        // The answer to a request, which an editor has written there.
        return
      } else {
        parseRequest(index..<block.upperBound, &request)
        requests.append(request)
        return
      }
      index += 1
    }
    // Nothing is sent by it.
    notes += request.problems + request.notes
  }

  /// Reads what a comment tells editors.
  private func note(_ line: Line, _ request: inout HTTPFile.Request) {
    let text = line.trimmed.drop { $0 == "#" || $0 == "/" }.trimmed
    guard text.first == "@" else { return }
    let name = text.dropFirst().prefix { !$0.isWhitespace && $0 != "=" }
    let value = text.dropFirst(name.count + 1).trimmed.drop { $0 == "=" }.trimmed
    switch name {
    case "name":
      guard !value.isEmpty else { return }
      request.name = String(value)
      request.place.nameLine = line.range
    case "no-redirect", "no-log", "no-cookie-jar":
      // Redirects are not followed, and nothing is logged or kept.
      break
    case "prompt":
      let name = value.prefix { !$0.isWhitespace }
      request.notes.append(
        HTTPFile.Remark(
          line.number,
          Sentence(
            "“@prompt” is not supported. Define “@{name} = value” in the file.",
            ["name": "\(name)"])))
    default:
      request.notes.append(
        HTTPFile.Remark(line.number, Sentence("“@{name}” has no effect.", ["name": "\(name)"])))
    }
  }

  /// Reads `@name = value`.
  private mutating func define(_ line: Line, _ request: inout HTTPFile.Request) {
    let text = line.trimmed.dropFirst()
    let name = text.prefix { !$0.isWhitespace && $0 != "=" }
    let value = text.dropFirst(name.count).trimmed
    guard !name.isEmpty, value.first == "=" else {
      request.problems.append(
        HTTPFile.Remark(
          line.number, Sentence("This is not a variable. Write it as “@name = value”.")))
      return
    }
    variables.append(
      HTTPFile.Variable(
        name: String(name), value: Self.unescaped(value.dropFirst().trimmed), line: line.number))
  }

  /// A value in which `\n`, `\r` and `\t` are control characters, and `\` is before any other one.
  private static func unescaped(_ text: Substring) -> String {
    guard text.contains("\\") else { return String(text) }
    var result = ""
    var isEscaped = false
    for character in text {
      if isEscaped {
        result.append(["n": "\n", "r": "\r", "t": "\t"][character] ?? character)
        isEscaped = false
      } else if character == "\\" {
        isEscaped = true
      } else {
        result.append(character)
      }
    }
    return result
  }

  private mutating func parseRequest(_ range: Range<Int>, _ request: inout HTTPFile.Request) {
    var index = range.lowerBound
    var target = String(lines[index].trimmed)
    var end = lines[index].range.upperBound
    request.line = lines[index].number
    index += 1
    // A comment may stand between the lines of the address.
    for next in index..<range.upperBound where !lines[next].isComment {
      guard lines[next].continuesTarget else { break }
      target += lines[next].trimmed
      end = lines[next].range.upperBound
      index = next + 1
    }
    request.place.requestLine = lines[range.lowerBound].range.lowerBound..<end
    request.place.headEnd = end
    parseTarget(target, &request)
    while index < range.upperBound, !lines[index].isBlank {
      parseField(lines[index], &request)
      request.place.headEnd = lines[index].range.upperBound
      index += 1
    }
    parseBody((index + 1)..<max(range.upperBound, index + 1), &request)
  }

  /// Parses `METHOD URL HTTP/1.1`.
  private func parseTarget(_ text: String, _ request: inout HTTPFile.Request) {
    var url = text[...]
    let word = text.prefix { $0.isASCII && $0.isLetter }
    if !word.isEmpty, word.endIndex < text.endIndex, text[word.endIndex].isWhitespace {
      request.content.method = word.uppercased()
      url = text[word.endIndex...].trimmed
      if !Self.methods.contains(request.content.method) {
        request.problems.append(
          HTTPFile.Remark(
            request.line,
            word == "curl"
              ? Sentence("A command is not a request. Write it as “GET https://…”.")
              : Sentence("“{name}” is not a method that can be sent.", ["name": "\(word)"])))
      }
    } else {
      request.place.hasMethod = false
    }
    // By scalars: the way back over characters such as flags begins at the first one each time.
    if let space = url.unicodeScalars.lastIndex(where: \.properties.isWhitespace),
      url[space...].dropFirst().prefix(5).uppercased() == "HTTP/"
    {
      let address = url[..<space].trimmed
      request.place.version = String(url[address.endIndex...])
      url = address
    }
    request.content.url = String(url)
  }

  private static let methods: Set<String> = [
    "GET", "HEAD", "POST", "PUT", "DELETE", "CONNECT", "PATCH", "OPTIONS", "TRACE",
  ]

  private func parseField(_ line: Line, _ request: inout HTTPFile.Request) {
    guard !line.isComment else { return }
    guard !line.isScript, !line.isHandler else {
      request.problems.append(.script(line.number))
      return
    }
    let text = line.trimmed
    let name = text.prefix { $0 != ":" && !$0.isWhitespace }
    guard !name.isEmpty, name.endIndex < text.endIndex, text[name.endIndex] == ":" else {
      request.problems.append(
        HTTPFile.Remark(
          line.number,
          Sentence(
            "This is not a header field. Write it as “Name: value”, and an empty line before the"
              + " body.")))
      return
    }
    request.content.fields.append(
      HTTPFile.Field(String(name), String(text[name.endIndex...].dropFirst().trimmed)))
    request.place.fields.append(request.place.headEnd..<line.range.upperBound)
    request.place.fieldLines.append(line.number)
  }

  private func parseBody(_ range: Range<Int>, _ request: inout HTTPFile.Request) {
    var end = range.upperBound
    if let handler = range.first(where: { lines[$0].isHandler }) {
      request.problems.append(.script(lines[handler].number))
      end = handler
    }
    for index in range.lowerBound..<max(range.lowerBound, end) {
      let line = lines[index]
      if line.text.hasPrefix("<> ") {
        request.notes.append(
          HTTPFile.Remark(line.number, Sentence("An earlier response has no effect here.")))
      } else if line.isScript, line.text.contains("{%") {
        request.problems.append(.script(line.number))
      }
    }
    // What is at the end is about the next request.
    while end > range.lowerBound, lines[end - 1].isBlank || lines[end - 1].text.isOmitted {
      end -= 1
    }
    guard end > range.lowerBound else { return }
    request.place.body = lines[range.lowerBound].range.lowerBound..<lines[end - 1].range.upperBound
    request.place.bodyLine = lines[range.lowerBound].number
    request.content.body = lines[range.lowerBound..<end].map(\.text).joined(separator: "\n")
  }
}

extension HTTPFileParser.Line {
  /// Whether the line continues the address: a part of the query, or an indented part of the path.
  var continuesTarget: Bool {
    let text = trimmed
    guard let first = text.first else { return false }
    return first == "?" || first == "&" || isIndented && first == "/" && !text.hasPrefix("//")
  }

  /// `< {% … %}` before a request, or a file with such a script.
  var isScript: Bool {
    text.hasPrefix("{%") || (text.hasPrefix("<") && text.dropFirst().trimmed.hasPrefix("{%"))
      || (text.hasPrefix("< ") && text.trimmed.hasSuffix(".js"))
  }

  /// What is done with a response: `> {% … %}`, `> script.js`, `>> file`, `>>! file`.
  var isHandler: Bool {
    guard text.first == ">" else { return false }
    let rest = text.dropFirst()
    return rest.trimmed.hasPrefix("{%") || (rest.first == " " && rest.trimmed.hasSuffix(".js"))
      || rest.hasPrefix("> ") || rest.hasPrefix(">! ")
  }

  /// What JetBrains' client does with other files.
  var isDirective: Bool { text.hasPrefix("import ") || text.hasPrefix("run ") }
}

extension StringProtocol {
  /// Whether a line of a body is not sent: a comment, or the name of an earlier response.
  var isOmitted: Bool {
    let text = trimmed
    return text.hasPrefix("#") || text.hasPrefix("//") || hasPrefix("<> ")
  }

  /// Whether a line of a body is `< file` or `<@ file`.
  var namesFile: Bool {
    guard first == "<" else { return false }
    let next = dropFirst().first
    return next == "@" || next?.isWhitespace == true
  }
}

extension HTTPFile.Content {
  /// Whether a file sends the whole body as it is: no line of it is a comment there, a script, the
  /// name of a file, or the start of another request.
  package var isBodySentWhole: Bool {
    body.split(separator: "\n").allSatisfy { text in
      let line = HTTPFileParser.Line(range: 0..<0, next: 0, text: text, number: 0)
      return !text.isOmitted && !text.namesFile && !line.isScript && !line.isHandler
    }
  }
}

extension HTTPFile.Remark {
  static func script(_ line: Int) -> HTTPFile.Remark {
    HTTPFile.Remark(
      line,
      Sentence("Scripts, and files for responses, cannot be used here. Remove them."))
  }
}
