import AuthCore
import Glibc
import Sentences

/// Prints results on standard output and everything else on standard error.
///
/// Lines are for users, in their language. JSON is for programs, and always in English.
struct Output {
  /// Whether a result is one JSON document.
  let isJSON: Bool

  /// Prints a result: `lines` for people, or the object of `members` for programs.
  ///
  /// - Throws: when not all of it could be written.
  func print(
    _ lines: [Line], _ members: [(name: String, value: JSON)]
  ) throws(CommandError) {
    let text = isJSON ? Self.object(members).prettyText + "\n" : Self.text(lines)
    try print(raw: text.utf8)
  }

  /// Prints bytes as they are.
  ///
  /// - Throws: when not all of them could be written.
  func print(raw bytes: some Sequence<UInt8>) throws(CommandError) {
    guard !Self.write(Array(bytes), to: STDOUT_FILENO) else { return }
    let failure = Self.failure()
    if errno == EPIPE {
      // Whoever reads has enough: the program ends as all do then. GLib has the signal ignored.
      signal(SIGPIPE, SIG_DFL)
      raise(SIGPIPE)
    }
    throw failure
  }

  /// Writes a result to a file that only the person can read.
  ///
  /// - Parameter force: whether a file that is there is overwritten.
  static func write(_ bytes: [UInt8], to path: String, force: Bool) throws(CommandError) {
    do throws(StorageFailure) {
      _ = try PrivateFile(path: path).write(bytes, replacing: force)
    } catch {
      throw .fileNotWritten(path, error, force: force)
    }
  }

  /// Closes standard output, by which some file systems tell that what was written is not kept.
  static func close() throws(CommandError) {
    guard Glibc.close(STDOUT_FILENO) == 0 else { throw failure() }
  }

  /// Says something to the person, on standard error.
  func say(_ sentence: Sentence) {
    say(Line(sentence))
  }

  /// Says that a response in the browser was not the one that the command waits for.
  @Sendable func sayOtherResponse() {
    warn(
      Sentence(
        "The browser returned a response to another request, which was ignored. Continue on the page"
          + " that this command opened, or press Ctrl+C to cancel."))
  }

  /// Prints a warning or an error for the user on standard error.
  func warn(_ sentence: Sentence) {
    say(Line(sentence, behind: "entrancectl: "))
  }

  private func say(_ line: Line) {
    _ = Self.write(Array(Self.text([line]).utf8), to: STDERR_FILENO)
  }

  /// Writes a part of a line on the terminal of standard error.
  static func writeError(_ text: String) { _ = write(Array(text.utf8), to: STDERR_FILENO) }

  /// Says why the command failed.
  func report(_ error: CommandError) {
    guard !isJSON else {
      let members: [(name: String, value: JSON)] = [
        ("code", .string(error.code)),
        ("message", .string("\(error.message)")),
        ("nextStep", error.nextStep.map { .string("\($0)") } ?? .null),
        ("exitStatus", .number("\(error.exitStatus.number)")),
        ("details", Self.object(error.details)),
      ]
      do throws(CommandError) {
        return try print([], [("error", Self.object(members))])
      } catch {
        return Output(isJSON: false).report(error)
      }
    }
    warn(error.message)
    if let nextStep = error.nextStep { say(nextStep) }
    if !error.details.isEmpty { say(.empty) }
    for detail in error.details {
      say(Line(Self.sentence(detail.name, Self.text(detail.value)), behind: "  "))
    }
  }

  /// Says why the command failed after its result was printed, which stays the only document.
  ///
  /// - Returns: the error to throw.
  static func reported(_ error: CommandError) -> CommandError {
    Output(isJSON: false).report(error)
    var error = error
    error.isReported = true
    return error
  }

  /// A JSON object with its members in this order.
  static func object(_ members: [(name: String, value: JSON)]) -> JSON {
    .object(members.map { JSON.Member($0.name, $0.value) })
  }

  /// A detail of an error, for users.
  private static func sentence(_ name: String, _ value: String) -> Sentence {
    switch name {
    case "step": Sentence("Step: {step}", ["step": value])
    case "error": Sentence("Error: {error}", ["error": value])
    case "suberror": Sentence("Suberror: {error}", ["error": value])
    case "codes": Sentence("Codes: {codes}", ["codes": value])
    case "httpStatus": Sentence("HTTP status: {status}", ["status": value])
    case "retryAfter": Sentence("Retry after: {seconds} s", ["seconds": value])
    case "isThrottled":
      Sentence("Not sent: the same request was refused a short time ago")
    case "correlationID": Sentence("Correlation ID: {id}", ["id": value])
    case "requestID": Sentence("Request ID: {id}", ["id": value])
    case "clientRequestID": Sentence("Client request ID: {id}", ["id": value])
    case "server": Sentence("Server: {words}", ["words": value])
    case "line": Sentence("Line: {number}", ["number": value])
    case "column": Sentence("Column: {number}", ["number": value])
    case "field": Sentence("Field: {name}", ["name": value])
    default: Sentence("{label}: {value}", ["label": name, "value": value])
    }
  }

  private static func text(_ value: JSON) -> String {
    if let list = value.array { return list.map(text).joined(separator: ", ") }
    return value.string ?? value.compactText
  }

  private static func text(_ lines: [Line]) -> String {
    lines.map { $0.text + "\n" }.joined()
  }

  private static func failure() -> CommandError {
    CommandError(
      "outputNotWritten",
      Sentence(
        "Standard output could not be written: {reason}.", ["reason": Sentence.systemError]),
      nextStep: Sentence("Part of the result may be missing."))
  }

  /// Writes all of `bytes`; false when that failed, with the reason in `errno`.
  private static func write(_ bytes: [UInt8], to descriptor: Int32) -> Bool {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      if count < 0 && errno == EINTR { continue }
      if count < 0 && errno == EAGAIN {
        // Whoever gave us the stream does not wait; we do.
        var waiting = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        poll(&waiting, 1, -1)
        continue
      }
      guard count > 0 else { return false }
      rest = rest.dropFirst(count)
    }
    return true
  }
}

extension Account {
  /// The account, for programs.
  var members: [(name: String, value: JSON)] {
    [
      ("username", .string(username)),
      ("name", name.map { .string($0) } ?? .null),
      ("homeAccountID", .string(id)),
      ("environment", .string(environment)),
    ]
  }
}
