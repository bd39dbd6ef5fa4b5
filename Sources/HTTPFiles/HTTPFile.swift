import CurlHTTP
public import Sentences

/// A file of requests, as editors read it: VS Code's REST Client, JetBrains' HTTP client and Visual
/// Studio.
///
/// The bytes of the file are the truth: what is not changed stays as it is, to the byte. Only a file in
/// UTF-16 with a byte order mark is one in UTF-8 with its mark from here on.
///
/// A request that this project cannot send, for example one with a script, does not make the others
/// useless: it is in the list, with its ``Request/problems``.
public struct HTTPFile: Sendable, Equatable {
  /// The file, in UTF-8, with a byte order mark if it had one.
  public private(set) var bytes: [UInt8]
  /// The requests, in the order of the file.
  public private(set) var requests: [Request] = []
  /// The variables, `@name = value`; the last of a name is its value.
  public private(set) var variables: [Variable] = []
  /// What is not part of a request, and has no effect here.
  public private(set) var notes: [Remark] = []

  /// The largest file that is read, in bytes.
  public static let largest = 8 << 20

  /// Something about a line.
  public struct Remark: Error, Sendable, Equatable {
    /// The number of the line, from 1.
    public let line: Int
    /// What is the matter, and what to do.
    public let reason: Sentence
    /// The variable that has no value; nil when it is about something else.
    package let variable: String?

    init(_ line: Int, _ reason: Sentence, variable: String? = nil) {
      self.line = line
      self.reason = reason
      self.variable = variable
    }
  }

  /// A variable, `@name = value`.
  public struct Variable: Sendable, Hashable {
    /// The name.
    public let name: String
    /// The value as it is written: it can refer to other variables.
    public let value: String
    /// The number of its line, from 1.
    public let line: Int
  }

  /// Parses a file.
  ///
  /// - Throws: when it is not UTF-8 and has no byte order mark of UTF-16, or is larger than
  ///   ``largest``.
  public init(_ bytes: [UInt8]) throws(Remark) {
    // Programs that know the text by the mark of UTF-16 know that of UTF-8.
    let bytes =
      MarkedText.isUTF16(bytes) ? MarkedText.utf8Mark + MarkedText.utf8(bytes) : bytes
    guard bytes.count <= Self.largest else {
      throw Remark(1, FileReader.tooLarge(Self.largest).reason)
    }
    self.bytes = bytes
    var parser = HTTPFileParser(bytes)
    try parser.parse()
    (requests, variables, notes) = (parser.requests, parser.variables, parser.notes)
  }

  /// The requests called `name`; for a number, the request with it, unless one has it as its name.
  public func requests(called name: String) -> [Request] {
    let named = requests.filter { $0.name == name }
    guard named.isEmpty, let number = Int(name), (1..<requests.count + 1).contains(number) else {
      return named
    }
    return [requests[number - 1]]
  }
}

extension HTTPFile {
  /// A request as it is written.
  public struct Request: Sendable, Equatable {
    /// The name: that of `# @name`, or else what follows `###`.
    public internal(set) var name: String?
    /// What is sent, with its variables.
    public internal(set) var content: Content
    /// Why it cannot be sent; empty when it can.
    public internal(set) var problems: [Remark] = []
    /// What in it has no effect here.
    public internal(set) var notes: [Remark] = []
    /// The number of its first line, from 1.
    public internal(set) var line: Int
    var place: Place
  }

  /// What a request sends; all texts can have variables.
  public struct Content: Sendable, Hashable {
    /// The method.
    public var method: String
    /// The address, with its whole query.
    public var url: String
    /// The header fields.
    public var fields: [Field]
    /// The body, with lines that end in `\n`, without empty lines at its end.
    public var body: String

    /// Creates the content of a request.
    public init(method: String = "GET", url: String, fields: [Field] = [], body: String = "") {
      self.method = method
      self.url = url
      self.fields = fields
      self.body = body
    }
  }

  /// A header field.
  public struct Field: Sendable, Hashable {
    /// The name.
    public var name: String
    /// The value.
    public var value: String

    /// Creates a header field.
    public init(_ name: String, _ value: String) {
      self.name = name
      self.value = value
    }
  }

  /// Where the parts of a request are, as offsets; ends are those of lines without their ending.
  struct Place: Sendable, Equatable {
    /// From the separator, or the start of the file, to the next separator.
    var block: Range<Int>
    /// The separator; nil for a request before the first one.
    var separator: Range<Int>?
    /// The line with `@name`.
    var nameLine: Range<Int>?
    /// The request line with the lines that continue it.
    var requestLine = 0..<0
    /// Whether the method is written.
    var hasMethod = true
    /// The version at its end, such as ` HTTP/1.1`.
    var version = ""
    /// From the end of the line before it.
    var fields: [Range<Int>] = []
    /// The number of each field's line.
    var fieldLines: [Int] = []
    /// The end of the last line of the head.
    var headEnd = 0
    /// Nil without a body.
    var body: Range<Int>?
    /// The number of the first line of the body.
    var bodyLine = 0
  }
}

extension HTTPFile.Request {
  /// A part of a request.
  ///
  /// An enum: a request has no other parts.
  public enum Part: Sendable {
    /// The address.
    case address
    /// The header fields.
    case fields
    /// The body.
    case body
  }

  /// The part that is in a line; nil when it is in none of them.
  public func part(at line: Int) -> Part? {
    if line == self.line { return .address }
    if place.fieldLines.contains(line) { return .fields }
    let count = content.body.utf8.count { $0 == UInt8(ascii: "\n") }
    let isBody = place.body != nil && line >= place.bodyLine && line <= place.bodyLine + count
    return isBody ? .body : nil
  }
}
