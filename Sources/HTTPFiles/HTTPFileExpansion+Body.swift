import CurlHTTP
import Sentences

/// The body of a request, with the files that it names.
extension HTTPFileExpansion {
  /// The large file that the whole body is; nil for another body.
  mutating func largeFile(
    _ text: String, line first: Int, _ directory: String
  ) throws(HTTPFile.Remark) -> HTTPFile.LargeFile? {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    let sent = lines.indices.filter { !lines[$0].isOmitted }
    guard sent.count == 1, let index = sent.first else { return nil }
    let number = first + index
    guard let named = try Self.file(lines[index], number), !named.hasVariables else { return nil }
    let file = try Self.reading(named.name, in: directory, line: number) {
      () throws(FileReader.Failure) -> BodyFile in try BodyFile(named.name, in: directory)
    }
    guard file.size > FileReader.Limit.body else { return nil }
    note(.file(named.name))
    return HTTPFile.LargeFile(name: named.name, file: file)
  }

  /// The body that is sent.
  mutating func body(
    _ text: String, of type: String, line first: Int, _ directory: String
  ) throws(HTTPFile.Remark) -> [UInt8] {
    let isMultipart = type.lowercased().hasPrefix("multipart/")
    let isForm = type.lowercased().hasPrefix("application/x-www-form-urlencoded")
    let newline = isMultipart ? "\r\n" : "\n"
    var result: [UInt8] = []
    var (isStart, endsWithFile) = (true, false)
    // Of what is read, nothing may be left with the values of its variables.
    var readCount = 0
    for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated()
    where !line.isOmitted {
      let number = first + index
      if !isStart, !(isForm && line.hasPrefix("&")) { result += Array(newline.utf8) }
      (isStart, endsWithFile) = (false, false)
      if let file = try Self.file(line, number) {
        endsWithFile = true
        let bytes = try Self.reading(file.name, in: directory, line: number) {
          () throws(FileReader.Failure) -> [UInt8] in
          try FileReader(file.name, in: directory).read(upTo: FileReader.Limit.record)
        }
        note(.file(file.name))
        if file.hasVariables { readCount += bytes.count }
        guard readCount <= FileReader.Limit.record else {
          throw .tooLarge(number, FileReader.Limit.record)
        }
        if file.hasVariables {
          let text = String(decoding: MarkedText.utf8(bytes), as: UTF8.self)
          result += Array(try expand(text, line: number).utf8)
        } else {
          result += bytes
        }
      } else {
        result += Array(try expand(line, line: number).utf8)
      }
      guard result.count <= FileReader.Limit.input else {
        throw .tooLarge(number, FileReader.Limit.input)
      }
    }
    // A file is sent as it is: it may be the whole body.
    if !endsWithFile, isMultipart || type.lowercased().hasPrefix("application/x-ndjson") {
      result += Array(newline.utf8)
    }
    return result
  }

  /// The file that a line of a body names, `< file` or `<@ file`, whose variables have values then.
  private static func file(
    _ line: Substring, _ number: Int
  ) throws(HTTPFile.Remark) -> (name: String, hasVariables: Bool)? {
    guard line.first == "<" else { return nil }
    var rest = line.dropFirst()
    let hasVariables = rest.first == "@"
    let encoding = hasVariables ? rest.dropFirst().prefix { !$0.isWhitespace } : ""
    if hasVariables { rest = rest.dropFirst(encoding.count + 1) }
    guard rest.first?.isWhitespace == true, !rest.trimmed.isEmpty else { return nil }
    guard ["", "utf8", "utf-8"].contains(encoding.lowercased()) else {
      throw HTTPFile.Remark(
        number, Sentence("The encoding “{name}” cannot be used.", ["name": "\(encoding)"]))
    }
    return (String(rest.trimmed), hasVariables)
  }

  /// What `read` has of the file called `name`, if a body may have it.
  private static func reading<Value>(
    _ name: String, in directory: String, line: Int,
    _ read: () throws(FileReader.Failure) -> Value
  ) throws(HTTPFile.Remark) -> Value {
    func failure(_ reason: Sentence) -> HTTPFile.Remark {
      HTTPFile.Remark(
        line,
        Sentence("The file “{path}” cannot be read: {reason}.", ["path": name, "reason": reason]))
    }
    guard !directory.isEmpty else {
      throw failure(Sentence("requests from standard input are in no folder"))
    }
    // Programs keep their secrets in such files, and in such folders.
    guard !name.split(separator: "/").contains(where: \.isHidden) else {
      throw failure(Sentence("a name in its path begins with a dot"))
    }
    do throws(FileReader.Failure) {
      return try read()
    } catch {
      throw failure(error.cause)
    }
  }
}

extension HTTPFile.Remark {
  fileprivate static func tooLarge(_ line: Int, _ limit: Int) -> HTTPFile.Remark {
    HTTPFile.Remark(line, FileReader.tooLarge(limit).reason)
  }
}

extension Substring {
  /// Whether a part of a path is hidden; `.` and `..` are other folders.
  fileprivate var isHidden: Bool {
    utf8.first == UInt8(ascii: ".") && self != "." && self != ".."
  }
}
