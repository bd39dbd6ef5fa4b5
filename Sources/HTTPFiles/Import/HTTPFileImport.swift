import AuthCore
import CurlHTTP
public import Sentences

/// Requests of other programs as a file of requests.
///
/// Secrets are not imported: a token in `Authorization` becomes a placeholder for the account's own
/// token, and other secrets become variables without a value, or are left out.
public struct HTTPFileImport: Sendable {
  /// What was read.
  public struct Source: RawRepresentable, Sendable, Hashable {
    /// A word for programs.
    public let rawValue: String

    /// Creates one from its word.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Command lines of curl.
    public static let curl = Source(rawValue: "curl")
    /// A collection of Postman.
    public static let postman = Source(rawValue: "postman")
    /// An HTTP archive, which browsers export.
    public static let har = Source(rawValue: "har")
    /// The samples of Microsoft's Graph Explorer.
    public static let graphExplorer = Source(rawValue: "graph-explorer")
  }

  /// Why nothing was imported.
  public struct Failure: Error, Sendable, Equatable {
    /// The line, from 1, where it is known.
    public var line: Int?
    /// The column, from 1, where it is known.
    public var column: Int?
    /// What is wrong, in a whole sentence.
    public let reason: Sentence

    init(_ reason: Sentence) { self.reason = reason }

    /// A failure at an offset in a text.
    init(_ reason: Sentence, at offset: Int, in bytes: [UInt8]) {
      self.reason = reason
      let before = bytes[..<min(max(offset, 0), bytes.count)]
      let start = before.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
      line = before.count { $0 == UInt8(ascii: "\n") } + 1
      // The bytes that continue a character are not counted.
      column = before[start...].count { $0 & 0xC0 != 0x80 } + 1
    }
  }

  /// What was read.
  public let source: Source
  /// The requests.
  public let file: HTTPFile
  /// What was left out or changed.
  public let remarks: [Sentence]

  /// The largest input that is read, in bytes: archives contain the responses, too.
  public static let largest = 32 << 20

  /// Imports what `bytes` are found to be.
  ///
  /// - Throws: when they are none of the sources, or have an error.
  public init(_ bytes: [UInt8]) throws(Failure) {
    guard bytes.count <= Self.largest else {
      throw Failure(
        Sentence(
          "The content is too large: {reason}.",
          ["reason": FileReader.tooLarge(Self.largest).reason]))
    }
    let text = MarkedText.utf8(bytes)
    var requests = ImportedRequests()
    if text.first(where: { !Self.blanks.contains($0) }) == UInt8(ascii: "{") {
      source = try Self.readJSON(text, &requests)
    } else {
      source = .curl
      try CurlCommands.read(text, &requests)
    }
    (file, remarks) = try requests.finish()
  }

  private static let blanks = Array(" \t\r\n".utf8)

  private static func readJSON(
    _ bytes: [UInt8], _ requests: inout ImportedRequests
  ) throws(Failure) -> Source {
    let json: JSON
    do throws(JSONError) {
      json = try JSON(parsing: bytes)
    } catch {
      var failure = Failure(Sentence("The JSON is invalid: {reason}.", ["reason": error.reason]))
      (failure.line, failure.column) = (error.line, error.column)
      throw failure
    }
    if let entries = json["log"]?["entries"]?.array {
      HTTPArchive.read(entries, &requests)
      return .har
    }
    if json["info"]?.object != nil, json["item"]?.array != nil {
      var reader = PostmanReader()
      reader.read(json, &requests)
      return .postman
    }
    if let samples = GraphExplorerSamples.list(in: json) {
      GraphExplorerSamples.read(samples, &requests)
      return .graphExplorer
    }
    if json["requests"]?.array != nil, json["order"] != nil {
      throw Failure(
        Sentence("This is an old Postman collection. Export it as version 2.1 in Postman."))
    }
    throw .unknown
  }
}

extension HTTPFileImport.Failure {
  /// The input is none of the sources.
  static let unknown = HTTPFileImport.Failure(
    Sentence(
      "This is neither a curl command, nor a Postman collection, nor a HAR file, nor the samples of"
        + " Graph Explorer."))
}
