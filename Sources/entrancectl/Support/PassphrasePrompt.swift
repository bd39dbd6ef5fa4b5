import AuthCore
import Glibc

/// Gets the passphrase of the encrypted files: from a file, or from the person at the terminal.
struct PassphrasePrompt {
  /// The file that holds it in its first line; nil to ask.
  let file: String?

  /// How often a person may try.
  var attempts: Int { file == nil ? 3 : 1 }

  /// The passphrase that was set.
  func read() throws(CommandError) -> Secret<String> {
    if let file { return try Self.firstLine(of: file) }
    let terminal = try Terminal()
    return try terminal.ask("Passphrase of the encrypted accounts: ")
  }

  /// A new passphrase, which the person types twice.
  func readNew() throws(CommandError) -> Secret<String> {
    if let file { return try Self.firstLine(of: file) }
    let terminal = try Terminal()
    terminal.say("Accounts are going to be kept in encrypted files, with a passphrase of yours.")
    while true {
      let passphrase = try terminal.ask("New passphrase: ")
      if try terminal.ask("The same again: ") == passphrase { return passphrase }
      terminal.say("These were not the same.")
    }
  }

  /// Whether the person at the terminal says yes; false where there is none, and nobody to ask.
  func agrees(to question: String) throws(CommandError) -> Bool {
    guard file == nil, let terminal = try? Terminal() else { return false }
    let answer = try terminal.ask("\(question) [y/N] ", shows: true)
    return ["y", "yes"].contains(answer.exposed.lowercased())
  }

  /// Says something at the terminal.
  func say(_ text: String) {
    guard let terminal = try? Terminal() else { return }
    terminal.say(text)
  }

  private static func firstLine(of path: String) throws(CommandError) -> Secret<String> {
    func failure(_ reason: String) -> CommandError {
      CommandError("unreadableFile", "The passphrase was not read from '\(path)': \(reason).")
    }
    let file = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY)
    guard file >= 0 else { throw failure(String(cString: strerror(errno))) }
    defer { close(file) }
    var status = stat()
    guard fstat(file, &status) == 0 else { throw failure(String(cString: strerror(errno))) }
    guard status.st_mode & S_IFMT != S_IFREG || status.st_mode & 0o077 == 0 else {
      throw failure("others can read or write it; 'chmod 600' ends that")
    }
    var line: [UInt8] = []
    var byte: UInt8 = 0
    while line.count < Terminal.limit {
      let count = Glibc.read(file, &byte, 1)
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw failure(String(cString: strerror(errno))) }
      guard count > 0, byte != UInt8(ascii: "\n") else { break }
      line.append(byte)
    }
    guard let text = String(validating: line, as: UTF8.self) else { throw failure("it is no text") }
    return Secret(text)
  }
}

/// The terminal that the program was started from, whatever its standard streams are.
private struct Terminal: ~Copyable {
  private let file: Int32

  /// The most bytes of a line: what a terminal takes.
  static let limit = 4096

  init() throws(CommandError) {
    file = open("/dev/tty", O_RDWR | O_CLOEXEC | O_NOCTTY)
    guard file >= 0 else {
      throw CommandError(
        "storageUnavailable",
        "There is no terminal to ask for the passphrase of the encrypted files on.",
        nextStep: "Name a file that holds it with --passphrase-file, or see what is in the way:"
          + " 'entrancectl doctor'.")
    }
  }

  deinit { close(file) }

  func say(_ text: String) {
    write(text.plain + "\n")
  }

  /// Reads a line, which does not show unless `shows` says so.
  ///
  /// Ctrl+C ends it: it cancels the task.
  func ask(_ question: String, shows: Bool = false) throws(CommandError) -> Secret<String> {
    var settings = termios()
    tcgetattr(file, &settings)
    var silent = settings
    if !shows { silent.c_lflag &= ~tcflag_t(ECHO) }
    tcsetattr(file, TCSAFLUSH, &silent)
    defer {
      tcsetattr(file, TCSAFLUSH, &settings)
      if !shows { write("\n") }
    }
    write(question)
    while !Task.isCancelled {
      var waiting = pollfd(fd: file, events: Int16(POLLIN), revents: 0)
      // Not for ever, to notice that the task was cancelled.
      guard poll(&waiting, 1, 100) > 0 else { continue }
      var line = [UInt8](repeating: 0, count: Self.limit)
      let count = read(file, &line, line.count)
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { break }
      let bytes = line[..<count].prefix { $0 != UInt8(ascii: "\n") }
      guard let text = String(validating: bytes, as: UTF8.self) else {
        throw CommandError("invalidPassphrase", "The passphrase is no text in UTF-8.")
      }
      return Secret(text)
    }
    throw CommandError("userCanceled", "No passphrase was entered.")
  }

  private func write(_ text: String) {
    let bytes = Array(text.utf8)
    _ = Glibc.write(file, bytes, bytes.count)
  }
}
