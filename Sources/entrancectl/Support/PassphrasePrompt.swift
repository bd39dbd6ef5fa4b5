import AuthCore
import CurlHTTP
import Glibc
import Localization
import Sentences

/// Gets the passphrase of the encrypted files: from a file, or from the person at the terminal.
struct PassphrasePrompt {
  /// The file that holds it in its first line; nil to ask.
  let file: String?
  /// Whether the person may be asked.
  let asksPerson: Bool

  /// How often a person may try.
  var attempts: Int { file == nil ? 3 : 1 }

  /// The passphrase that was set: the first that is right of those that are returned.
  func read() throws(CommandError) -> [Secret<String>] {
    if let file { return try Self.firstLine(of: file) }
    guard asksPerson else {
      throw .inputRequired(
        Sentence("The passphrase of the encrypted files is needed."),
        nextStep: Sentence("Specify a file that contains it with --passphrase-file."))
    }
    let terminal = try Terminal()
    return [try terminal.ask(Sentence("Passphrase of the encrypted accounts:"))]
  }

  /// A new passphrase, which the person types twice.
  func readNew() throws(CommandError) -> [Secret<String>] {
    if let file { return [try Self.firstLine(of: file)[0]] }
    let terminal = try Terminal()
    terminal.say(
      Sentence([
        Sentence("Accounts will be kept in encrypted files. Choose a passphrase for them."),
        Sentence("Use at least eight characters."),
      ]))
    while true {
      let passphrase = try terminal.ask(Sentence("New passphrase:"))
      if try terminal.ask(Sentence("Confirm the passphrase:")) == passphrase {
        return [passphrase]
      }
      terminal.say(Sentence("The passphrases do not match."))
    }
  }

  /// Whether the person at the terminal says yes; false where there is none, and nobody to ask.
  func agrees(to question: Sentence) throws(CommandError) -> Bool {
    guard asksPerson, let terminal = try? Terminal() else { return false }
    let answer = try terminal.ask(
      Sentence("{question} [y/N]", ["question": question]), shows: true)
    // In English and in the user's language.
    return ["y", "yes", tr("y"), tr("yes")].contains { isSame(answer.exposed, as: $0) }
  }

  /// Whether an answer is `word`, without regard to case, and to accents that were not typed.
  private func isSame(_ answer: String, as word: String) -> Bool {
    let answer = answer.lowercased()
    // A letter equals the same letter with its accent as a scalar of its own.
    let accents = (0x300...0x36f).compactMap(Unicode.Scalar.init).map(Character.init)
    return answer.count == word.count
      && zip(answer, word.lowercased()).allSatisfy { typed, letter in
        typed == letter || accents.contains { "\(typed)\($0)" == String(letter) }
      }
  }

  /// Says something at the terminal.
  func say(_ sentence: Sentence) {
    guard let terminal = try? Terminal() else { return }
    terminal.say(sentence)
  }

  /// The first line of a file, without its end and the file's byte order mark; then also with them,
  /// because earlier versions took the mark, or the carriage return, for a part of the passphrase.
  private static func firstLine(of path: String) throws(CommandError) -> [Secret<String>] {
    func failure(_ reason: Sentence) -> CommandError {
      CommandError(
        option: "--passphrase-file",
        Sentence(
          "The passphrase could not be read from “{path}”: {reason}.",
          ["path": path, "reason": reason]))
    }
    let isExposed: Bool
    var line: [UInt8] = []
    var isEnded = false
    do throws(FileReader.Failure) {
      let file = try FileReader(path, allowsStreams: true)
      let mode = file.status.st_mode
      isExposed = mode & S_IFMT == S_IFREG && mode & 0o077 != 0
      while !isExposed, !isEnded, line.count < Terminal.limit,
        let byte = try file.piece(1).first
      {
        isEnded = byte == UInt8(ascii: "\n")
        if !isEnded { line.append(byte) }
      }
    } catch {
      throw Task.isCancelled ? Self.canceled : failure(error.cause)
    }
    guard !isExposed else {
      throw failure(Sentence("others can read or write it; run 'chmod 600' on it to fix that"))
    }
    guard String(validating: line, as: UTF8.self) != nil else {
      throw failure(Sentence("it is not text"))
    }
    let text = isEnded && line.last == UInt8(ascii: "\r") ? Array(line.dropLast()) : line
    var forms = [MarkedText.utf8(text)]
    for form in [text, line] where form != forms.last { forms.append(form) }
    return forms.map { Secret(String(decoding: $0, as: UTF8.self)) }
  }

  fileprivate static let canceled = CommandError(
    "userCanceled", Sentence("Nothing was entered."))
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
        Sentence("There is no terminal on which to ask for the passphrase of the encrypted files."),
        nextStep: Sentence(
          "Specify a file that contains it with --passphrase-file, or find the cause with"
            + " 'entrancectl doctor'."))
    }
  }

  deinit { close(file) }

  func say(_ sentence: Sentence) {
    write(Line(sentence).text + "\n")
  }

  /// Reads a line, which does not show unless `shows` says so.
  ///
  /// Ctrl+C ends it: it cancels the task.
  func ask(_ question: Sentence, shows: Bool = false) throws(CommandError) -> Secret<String> {
    var settings = termios()
    tcgetattr(file, &settings)
    var silent = settings
    if !shows { silent.c_lflag &= ~tcflag_t(ECHO) }
    tcsetattr(file, TCSAFLUSH, &silent)
    defer {
      tcsetattr(file, TCSAFLUSH, &settings)
      if !shows { write("\n") }
    }
    write(Line(question).text + " ")
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
        throw CommandError("invalidPassphrase", Sentence("The passphrase is not UTF-8 text."))
      }
      return Secret(text)
    }
    throw PassphrasePrompt.canceled
  }

  private func write(_ text: String) {
    let bytes = Array(text.utf8)
    _ = Glibc.write(file, bytes, bytes.count)
  }
}
