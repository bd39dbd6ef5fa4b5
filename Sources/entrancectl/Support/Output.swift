import AuthCore
import CurlHTTP
import Glibc
import HTTPTypes
import MicrosoftGraph
import Sentences

/// Prints results on standard output and everything else on standard error.
///
/// Lines are for users, in their language. JSON is for programs, and always in English.
struct Output {
  /// Whether a result is one JSON document.
  let isJSON: Bool

  /// Prints a result: `lines` for people, or `json` for programs.
  ///
  /// - Throws: when not all of it could be written.
  func print(_ lines: [Line], _ json: JSON) throws(CommandError) {
    guard isJSON else { return try print(lines) }
    try print(document: json)
  }

  /// Prints lines.
  func print(_ lines: [Line]) throws(CommandError) {
    try print(raw: Self.text(lines).utf8)
  }

  /// Prints a JSON document.
  func print(document json: JSON) throws(CommandError) {
    try print(raw: (json.prettyText + "\n").utf8)
  }

  /// Prints a text from outside: as lines on a terminal, which would act on control characters.
  func print(text bytes: some Collection<UInt8>) throws(CommandError) {
    guard isatty(STDOUT_FILENO) != 0 else { return try print(raw: bytes) }
    var lines = String(decoding: bytes, as: UTF8.self)
      .split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
    if lines.last?.isEmpty == true { lines.removeLast() }
    try print(lines.map { Line(Sentence(verbatim: String($0))) })
  }

  /// Prints bytes as they are.
  ///
  /// - Throws: when not all of them could be written.
  func print(raw bytes: some Sequence<UInt8>) throws(CommandError) {
    guard Self.write(Array(bytes), to: STDOUT_FILENO) else { throw Self.failure() }
  }

  /// Writes a result to a file.
  ///
  /// - Parameters:
  ///   - force: whether a file that is there is overwritten.
  ///   - isPrivate: whether only the person can read it. Otherwise it has the permissions of the file that
  ///     it replaces, or those of any new file.
  static func write(
    _ bytes: [UInt8], to path: String, force: Bool, isPrivate: Bool = true
  ) throws(CommandError) {
    try checkPlace(path, force: force)
    let target = SymbolicLink.target(of: path)
    let mode = isPrivate ? nil : ordinaryMode(of: target)
    do throws(StorageFailure) {
      _ = try PrivateFile(path: target).write(bytes, replacing: force)
    } catch {
      throw .fileNotWritten(path, error, force: force)
    }
    if let mode { chmod(target, mode) }
  }

  /// Sees whether a file may be written, before the work for it begins: its folder is there, and the
  /// file is not, or is one that may be overwritten.
  static func checkPlace(_ path: String, force: Bool) throws(CommandError) {
    var status = stat()
    if stat(path, &status) == 0 {
      // A device or a pipe cannot be replaced, and must not be.
      guard status.st_mode & S_IFMT == S_IFREG else { throw .notRegular(path) }
      guard force else { throw .fileExists(path) }
    }
    do throws(StorageFailure) {
      try PrivateFile(path: SymbolicLink.target(of: path)).checkCreation()
    } catch {
      throw .fileNotWritten(path, error, force: force)
    }
  }

  /// The permissions of the file at `path`, or those that a new one gets.
  private static func ordinaryMode(of path: String) -> mode_t {
    var status = stat()
    guard stat(path, &status) != 0 else { return status.st_mode & 0o777 }
    let mask = umask(0)
    umask(mask)
    return 0o666 & ~mask
  }

  private static let isClosed = LockedValue(false)

  /// Closes standard output once, by which some file systems tell that what was written is not kept.
  static func close() throws(CommandError) {
    let wasClosed = isClosed.withLock { isClosed in
      defer { isClosed = true }
      return isClosed
    }
    guard !wasClosed else { return }
    let problem = Glibc.close(STDOUT_FILENO) == 0 ? nil : failure()
    // No other file may get this number.
    _ = open("/dev/null", O_WRONLY | O_CLOEXEC)
    if let problem { throw problem }
  }

  /// Says something to the person, on standard error.
  static func say(_ sentence: Sentence) {
    say(Line(sentence))
  }

  /// Says that a response in the browser was not the one that the command waits for.
  @Sendable static func sayOtherResponse() {
    warn(
      Sentence(
        "The browser returned a response to another request, which was ignored. Continue on the page"
          + " that this command opened, or press Ctrl+C to cancel."))
  }

  /// Prints a warning or an error for the user on standard error.
  static func warn(_ sentence: Sentence) {
    say(Line(sentence, behind: "entrancectl: "))
  }

  private static func say(_ line: Line) {
    _ = write(Array(text([line]).utf8), to: STDERR_FILENO)
  }

  /// Writes a part of a line on the terminal of standard error.
  static func writeError(_ text: String) { _ = write(Array(text.utf8), to: STDERR_FILENO) }

  /// Says why the command failed, unless that is said already.
  func report(_ error: CommandError) {
    guard !error.isReported else { return }
    guard !isJSON else {
      let response = error.response.map { response -> [JSON.Member] in
        var response = response
        // Nobody has asked for it here, as with -i, and who has it may act as the person.
        response.headerFields[.setCookie] = nil
        return [JSON.Member("headerFields", response.fields), response.bodyMember]
      }
      let json: JSON = [
        "code": JSON(error.code), "message": JSON(error.message),
        "nextStep": JSON(error.nextStep), "exitStatus": JSON(Int(error.exitStatus.number)),
        "details": .object(error.details + (response ?? [])),
      ]
      // If that fails, this is said already.
      try? print(document: ["error": json])
      return
    }
    Self.warn(error.message)
    if let nextStep = error.nextStep { Self.say(nextStep) }
    if !error.details.isEmpty { Self.say(.empty) }
    for detail in error.details {
      Self.say(Line(Self.sentence(detail.name, Self.text(detail.value)), behind: "  "))
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

  /// The error after standard output could not be written, which is said on standard error: what was
  /// printed may be a part of a JSON document, and no other one may follow it.
  private static func failure() -> CommandError {
    let isClosed = errno == EPIPE
    var failure = CommandError(
      "outputNotWritten",
      Sentence(
        "Standard output could not be written: {reason}.", ["reason": Sentence.systemError]),
      nextStep: Sentence("Part of the result may be missing."))
    guard isClosed, !Signals.ignored.contains(SIGPIPE) else { return reported(failure) }
    // Whoever reads has enough: the program clears up, and ends as all do then.
    failure.isReported = true
    failure.exitStatus = .interrupted(SIGPIPE)
    return failure
  }

  /// Writes all of `bytes`; false when that failed, with the reason in `errno`.
  ///
  /// Ends when the task is canceled meanwhile. What is written after that, such as why the command
  /// ends, needs a reader that has room for it.
  private static func write(_ bytes: [UInt8], to descriptor: Int32) -> Bool {
    let wasCanceled = Task.isCancelled
    let most = isFile(descriptor) ? bytes.count : pipeSize
    var rest = bytes[...]
    while !rest.isEmpty {
      var waiting = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
      // Not for ever, to notice that the task was canceled.
      let isReady = poll(&waiting, 1, 100) > 0
      guard !Task.isCancelled || wasCanceled && isReady else {
        errno = ECANCELED
        return false
      }
      guard isReady else { continue }
      let piece = rest.prefix(most)
      let count = piece.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      // Whoever gave us the stream may not wait; we do.
      if count < 0 && (errno == EINTR || errno == EAGAIN) { continue }
      guard count > 0 else { return false }
      rest = rest.dropFirst(count)
    }
    return true
  }

  /// How many bytes a pipe that is ready takes at once; it would wait with more (pipe(7)):
  /// `PIPE_BUF` of `<linux/limits.h>`.
  private static let pipeSize = 4096

  /// Whether it is a file, which takes everything at once, with nothing in between of other programs
  /// that add to it.
  static func isFile(_ descriptor: Int32) -> Bool {
    var status = stat()
    return fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
  }
}

extension Account {
  /// The account, for programs.
  var json: JSON {
    [
      "username": JSON(username), "name": JSON(name), "homeAccountID": JSON(id),
      "environment": JSON(environment),
    ]
  }
}
