import AuthCore
import CurlHTTP
import HTTPFiles
import Sentences

/// A file of requests that an argument names.
struct RequestFileArgument {
  let path: String
  let file: HTTPFile

  init(_ path: String) throws(CommandError) {
    self.path = path
    let bytes = try Input.read(path)
    do throws(HTTPFile.Remark) {
      file = try HTTPFile(Array(bytes))
    } catch {
      throw Self.error(in: path, error.line, error.reason)
    }
  }

  /// The folder of the file.
  var directory: String { HTTPFile.directory(of: path) }

  /// The host of an address, and its port if it has one; empty without a host.
  static func host(of url: String) -> Substring {
    url.drop { $0 != "/" }.dropFirst(2).prefix { !"/?#".contains($0) }
  }

  /// The values of variables: those that were given, and of the file `.env` beside this one.
  func values(_ given: [String: String], hasPlaceholders: Bool = false) -> HTTPFile.Values {
    HTTPFile.Values(
      besideFileAt: path, given: given, hasPlaceholders: hasPlaceholders,
      environment: { ProcessEnvironment.variable($0) })
  }

  /// The request called `name`, or the only one.
  func request(_ name: String?) throws(CommandError) -> HTTPFile.Request {
    let all = file.requests
    guard !all.isEmpty else {
      throw CommandError(
        usage: Sentence("The file “{path}” contains no requests.", ["path": Input.name(of: path)])
      )
    }
    let found = name.map(file.requests(called:)) ?? all
    if found.count == 1, let request = found.first { return request }
    let message =
      if let name {
        found.isEmpty
          ? Sentence("There is no request called “{name}”.", ["name": name])
          : Sentence("Several requests have the name “{name}”.", ["name": name])
      } else {
        Sentence("The file “{path}” contains several requests.", ["path": Input.name(of: path)])
      }
    let count = Dictionary(grouping: all, by: \.name).mapValues(\.count)
    let names = all.enumerated().map { index, request in
      // A name that several have, or none, is no choice.
      request.name.flatMap { count[$0] == 1 ? $0 : nil } ?? String(index + 1)
    }
    var error = CommandError(
      usage: message,
      nextStep: Sentence("Choose one, by its name or number; they are listed below."))
    error.details = zip(names, all).map { name, request in
      JSON.Member(name, .string("\(request.content.method) \(request.content.url)"))
    }
    throw error
  }

  /// What is wrong in a line.
  static func error(in path: String, _ line: Int, _ reason: Sentence) -> CommandError {
    var error = CommandError(
      usage: Sentence([
        Sentence("The request in “{path}” cannot be used.", ["path": Input.name(of: path)]),
        reason,
      ]))
    error.add("line", line)
    return error
  }

  /// Says what has no effect.
  func say(_ notes: [HTTPFile.Remark]) {
    for note in notes {
      Output.warn(
        Sentence(
          "{path}, line {number}: {note}",
          ["path": Input.name(of: path), "number": note.line, "note": note.reason]))
    }
  }
}
