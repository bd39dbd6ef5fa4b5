import CurlHTTP
import Sentences

/// Splits command lines into words, as a POSIX shell with `$'…'` does.
///
/// The value of a shell's variable becomes a variable of the file, `{{NAME}}`.
struct ShellWords {
  /// A word, without its quotation marks.
  struct Word {
    var text: String
    /// Where it begins.
    var offset: Int
  }

  /// The names of the variables.
  private(set) var variables: [String] = []
  private let bytes: [UInt8]
  private var index = 0
  private var commands: [[Word]] = [[]]
  /// The word that is being read; nil between two words.
  private var word: (bytes: [UInt8], offset: Int)?
  /// Whether the next word is the file of a redirection.
  private var isRedirection = false

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// The commands, each with at least one word.
  mutating func split() throws(HTTPFileImport.Failure) -> [[Word]] {
    while index < bytes.count { try step() }
    endCommand()
    return commands.filter { !$0.isEmpty }
  }

  private mutating func step() throws(HTTPFileImport.Failure) {
    let byte = bytes[index]
    let start = index
    index += 1
    switch byte {
    case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\r"): endWord()
    case UInt8(ascii: "\n"), UInt8(ascii: ";"), UInt8(ascii: "&"), UInt8(ascii: "|"): endCommand()
    case UInt8(ascii: "#") where word == nil:
      while index < bytes.count, bytes[index] != UInt8(ascii: "\n") { index += 1 }
    case UInt8(ascii: "\\"): escape()
    case UInt8(ascii: "'"): try quote(start)
    case UInt8(ascii: "\""): try doubleQuote(start)
    case UInt8(ascii: "$"):
      switch next {
      case UInt8(ascii: "'"):
        index += 1
        try escapedQuote(start)
      case UInt8(ascii: "\""):
        index += 1
        try doubleQuote(start)
      default: try variable(start)
      }
    case UInt8(ascii: "`"): throw failure(Self.substitution, start)
    case UInt8(ascii: "<"), UInt8(ascii: ">"): try redirect(start)
    default: put(byte, start)
    }
  }

  private var next: UInt8? { index < bytes.count ? bytes[index] : nil }

  private static let substitution = Sentence(
    "A command within the command cannot be imported. Put its output in its place.")

  private func failure(_ reason: Sentence, _ offset: Int) -> HTTPFileImport.Failure {
    HTTPFileImport.Failure(reason, at: offset, in: bytes)
  }

  // MARK: Words

  private mutating func put(_ byte: UInt8, _ offset: Int) {
    begin(offset)
    word?.bytes.append(byte)
  }

  private mutating func begin(_ offset: Int) {
    if word == nil { word = ([], offset) }
  }

  private mutating func endWord() {
    guard let word else { return }
    self.word = nil
    if isRedirection {
      isRedirection = false
    } else {
      commands[commands.count - 1].append(
        Word(text: String(decoding: word.bytes, as: UTF8.self), offset: word.offset))
    }
  }

  private mutating func endCommand() {
    endWord()
    isRedirection = false
    if commands.last?.isEmpty == false { commands.append([]) }
  }

  /// `>`, `2>`, `>>`, `>&1` and `<`: the file is no part of the command.
  private mutating func redirect(_ start: Int) throws(HTTPFileImport.Failure) {
    if bytes[start] == UInt8(ascii: "<"), next == UInt8(ascii: "<") {
      throw failure(
        Sentence("A text after “{operator}” cannot be imported.", ["operator": "<<"]), start)
    }
    if let word, word.bytes.allSatisfy(\.isDigit), word.offset + word.bytes.count == start {
      self.word = nil
    }
    endWord()
    while let next, next == UInt8(ascii: ">") || next == UInt8(ascii: "&") { index += 1 }
    isRedirection = true
  }

  // MARK: Quotation

  /// A backslash outside of quotation marks: before the end of a line, the line continues.
  private mutating func escape() {
    let start = index - 1
    guard let byte = next else { return }
    index += 1
    if byte == UInt8(ascii: "\n") { return }
    if byte == UInt8(ascii: "\r"), next == UInt8(ascii: "\n") {
      index += 1
      return
    }
    put(byte, start)
  }

  private func unclosed(_ start: Int) -> HTTPFileImport.Failure {
    failure(Sentence("The quotation mark is not closed."), start)
  }

  private mutating func quote(_ start: Int) throws(HTTPFileImport.Failure) {
    begin(start)
    while let byte = next {
      index += 1
      if byte == UInt8(ascii: "'") { return }
      put(byte, start)
    }
    throw unclosed(start)
  }

  private mutating func doubleQuote(_ start: Int) throws(HTTPFileImport.Failure) {
    begin(start)
    while let byte = next {
      let offset = index
      index += 1
      switch byte {
      case UInt8(ascii: "\""): return
      case UInt8(ascii: "`"): throw failure(Self.substitution, offset)
      case UInt8(ascii: "$"): try variable(offset)
      case UInt8(ascii: "\\"):
        guard let escaped = next else { throw unclosed(start) }
        if escaped == UInt8(ascii: "\n") {
          index += 1
        } else if "$`\"\\".utf8.contains(escaped) {
          index += 1
          put(escaped, start)
        } else {
          put(byte, start)
        }
      default: put(byte, start)
      }
    }
    throw unclosed(start)
  }

  /// `$'…'`, whose backslashes are those of C.
  private mutating func escapedQuote(_ start: Int) throws(HTTPFileImport.Failure) {
    begin(start)
    while let byte = next {
      index += 1
      if byte == UInt8(ascii: "'") { return }
      guard byte == UInt8(ascii: "\\"), let letter = next else {
        put(byte, start)
        continue
      }
      index += 1
      switch letter {
      // Without a digit, the shell takes them as they are.
      case UInt8(ascii: "x") where next?.hexValue != nil:
        put(UInt8(truncatingIfNeeded: number(radix: 16, most: 2)), start)
      case UInt8(ascii: "u") where next?.hexValue != nil,
        UInt8(ascii: "U") where next?.hexValue != nil:
        let value = number(radix: 16, most: letter == UInt8(ascii: "u") ? 4 : 8)
        let scalar = Unicode.Scalar(value) ?? "\u{FFFD}"
        for byte in String(Character(scalar)).utf8 { put(byte, start) }
      case UInt8(ascii: "0")...UInt8(ascii: "7"):
        index -= 1
        put(UInt8(truncatingIfNeeded: number(radix: 8, most: 3)), start)
      default:
        if let control = Self.controls[letter] {
          put(control, start)
        } else if "\\'\"?".utf8.contains(letter) {
          put(letter, start)
        } else {
          put(byte, start)
          put(letter, start)
        }
      }
    }
    throw unclosed(start)
  }

  private static let controls: [UInt8: UInt8] = [
    UInt8(ascii: "a"): 7, UInt8(ascii: "b"): 8, UInt8(ascii: "e"): 27, UInt8(ascii: "E"): 27,
    UInt8(ascii: "f"): 12, UInt8(ascii: "n"): 10, UInt8(ascii: "r"): 13, UInt8(ascii: "t"): 9,
    UInt8(ascii: "v"): 11,
  ]

  /// The digits that follow, at most `most`: eight of base 16 fill 32 bits.
  private mutating func number(radix: UInt8, most: Int) -> UInt32 {
    var value: UInt32 = 0
    for _ in 0..<most {
      guard let digit = next?.hexValue, digit < radix else { break }
      value = value &* UInt32(radix) &+ UInt32(digit)
      index += 1
    }
    return value
  }

  // MARK: Variables

  /// What follows a `$`: the options of OData are taken as they are, because who wrote the command
  /// has forgotten the quotation marks.
  private mutating func variable(_ start: Int) throws(HTTPFileImport.Failure) {
    let hasBrace = next == UInt8(ascii: "{")
    if next == UInt8(ascii: "(") { throw failure(Self.substitution, start) }
    var end = index + (hasBrace ? 1 : 0)
    let first = end
    while end < bytes.count, bytes[end].isAlphanumeric || bytes[end] == UInt8(ascii: "_") {
      end += 1
    }
    let name = String(decoding: bytes[first..<end], as: UTF8.self)
    let isNumber = name.first?.isNumber == true
    if hasBrace {
      guard end < bytes.count, bytes[end] == UInt8(ascii: "}"), !name.isEmpty, !isNumber else {
        throw failure(
          Sentence("The value of a variable cannot be changed here. Put the value in its place."),
          start)
      }
      end += 1
    } else if name.isEmpty || isNumber || Self.options.contains(name) {
      put(UInt8(ascii: "$"), start)
      return
    }
    index = end
    if !variables.contains(name), variables.count < 100 { variables.append(name) }
    for byte in "{{\(name)}}".utf8 { put(byte, start) }
  }

  private static let options: Set<String> = [
    "apply", "batch", "compute", "count", "deltatoken", "expand", "filter", "format", "levels",
    "metadata", "orderby", "ref", "search", "select", "skip", "skiptoken", "top", "value",
  ]
}
