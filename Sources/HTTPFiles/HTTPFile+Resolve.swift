import AuthCore
package import CurlHTTP
import Sentences

/// Something of this computer that a request sends because its file says so: a file of another
/// person's could send it to them.
package enum HTTPRequestSource: Sendable, Hashable {
  /// The environment variable of this name.
  case environment(String)
  /// The variable of this name in the file `.env`.
  case dotEnv(String)
  /// The file at this path, from the folder of the requests.
  case file(String)
}

extension HTTPFile {
  /// A request as it is sent.
  public struct ResolvedRequest: Sendable, Equatable {
    /// The method.
    public var method: String
    /// The address, complete; it may have characters that must be encoded.
    public var url: String
    /// The header fields, without Authorization.
    public var fields: [Field]
    /// The body; empty when it is the ``largeFile``.
    public var body: [UInt8]
    /// The file that the body consists of, if it is too large to be read before it is sent.
    package var largeFile: LargeFile?
    /// Whether a token is wanted.
    public var usesToken = false
    /// The permissions that the token is to have, as `scopes:` names them; often empty.
    public var scopes: [String] = []
    /// What has no effect.
    public var notes: [Remark]
    /// What it has of this computer, in the order of its first use.
    package var sources: [HTTPRequestSource] = []
  }

  /// A file that a body consists of, which is open.
  package struct LargeFile: Sendable, Equatable {
    /// Its name, as the request has it.
    package let name: String
    /// The file.
    package let file: BodyFile
  }

  /// A request with the values of its variables, and the contents of its files.
  ///
  /// - Parameters:
  ///   - request: a request of this file.
  ///   - values: the values of variables.
  ///   - directory: the folder of this file, which the files of a body are in, as
  ///     ``directory(of:)`` has it; nil to leave out the body.
  /// - Throws: why it cannot be sent.
  public func resolve(
    _ request: Request, _ values: Values, directory: String?
  ) throws(Remark) -> ResolvedRequest {
    try resolve(request, values, directory: directory, opensLargeFile: false)
  }

  /// The same, in which a large file that is the whole body can be opened, instead of read.
  package func resolve(
    _ request: Request, _ values: Values, directory: String?, opensLargeFile: Bool
  ) throws(Remark) -> ResolvedRequest {
    if let problem = request.problems.first, directory != nil { throw problem }
    var expansion = HTTPFileExpansion(values, variables)
    let content = request.content
    var result = ResolvedRequest(
      method: content.method, url: try expansion.expand(content.url, line: request.line),
      fields: [], body: [], notes: request.notes)
    var host: String?
    var size = 0
    var ignored: Set<Substring> = []
    for (field, line) in zip(content.fields, request.place.fieldLines) {
      switch field.name.lowercased() {
      case "authorization":
        guard let words = expansion.token(field.value) else {
          guard directory != nil else { continue }
          throw Remark(
            line,
            Sentence(
              "A token does not belong in a file. Write “Authorization: Bearer {token}”: the token"
                + " of the account is sent in its place.", ["token": "{{$aadV2Token}}"]))
        }
        size += words.reduce(0) { $0 + $1.utf8.count + 1 }
        guard size <= HTTPFileExpansion.largest else { throw .tooLong(line) }
        result.usesToken = true
        result.take(words, line, &ignored)
      case "host": host = try expansion.expand(field.value, line: line)
      case "content-length": break
      case "x-request-type":
        throw Remark(line, Sentence("GraphQL cannot be used here."))
      default:
        let value = directory == nil ? "" : try expansion.expand(field.value, line: line)
        size += value.utf8.count
        guard size <= HTTPFileExpansion.largest else { throw .tooLong(line) }
        result.fields.append(Field(field.name, value))
      }
    }
    result.url = try Self.complete(result.url, host: host, line: request.line)
    if let directory, opensLargeFile {
      result.largeFile = try expansion.largeFile(
        content.body, line: request.place.bodyLine, directory)
    }
    if let directory, result.largeFile == nil, let body = request.place.body, !body.isEmpty {
      let type = result.fields.first { $0.name.lowercased() == "content-type" }?.value ?? ""
      result.body = try expansion.body(
        content.body, of: type, line: request.place.bodyLine, directory)
    }
    result.sources = expansion.sources
    return result
  }

  /// A complete address: with `https` if it has no scheme, and the host of the field if it is a
  /// path.
  private static func complete(
    _ url: String, host: String?, line: Int
  ) throws(Remark) -> String {
    if url.hasPrefix("/") {
      guard let host else {
        throw Remark(
          line,
          Sentence("The address has no host. Write it as “https://graph.microsoft.com/v1.0/…”."))
      }
      return "https://" + host + url
    }
    let scheme = url.prefix { $0 != ":" && $0 != "/" && $0 != "?" }
    return url[scheme.endIndex...].hasPrefix("://") ? url : "https://" + url
  }
}

extension HTTPFile.ResolvedRequest {
  /// Notes what is said about the token.
  fileprivate mutating func take(
    _ words: [Substring], _ line: Int, _ ignored: inout Set<Substring>
  ) {
    for word in words {
      if word.hasPrefix("scopes:") {
        scopes += word.dropFirst(7).split(separator: ",").map(String.init)
      } else if ignored.insert(word).inserted {
        notes.append(
          HTTPFile.Remark(
            line,
            Sentence(
              "“{text}” has no effect: the app and the account are those of the"
                + " command.", ["text": "\(word)"])))
      }
    }
  }
}
