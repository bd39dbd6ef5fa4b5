import AuthCore
import CurlHTTP
import FoundationEssentials
import HTTPTypes
import Localization
public import MicrosoftGraph

/// A request as the person wrote it, which nothing changes.
public struct ExplorerRequest: Sendable, Equatable {
  /// What is done with a resource.
  ///
  /// An enum: Microsoft Graph has no other methods.
  public enum Method: String, Sendable, CaseIterable {
    /// Reads it.
    case get = "GET"
    /// Creates one, or performs an action.
    case post = "POST"
    /// Replaces it.
    case put = "PUT"
    /// Changes parts of it.
    case patch = "PATCH"
    /// Deletes it.
    case delete = "DELETE"

    /// Whether requests with it usually have a body.
    public var hasBody: Bool {
      switch self {
      case .post, .put, .patch: true
      case .get, .delete: false
      }
    }

    var http: HTTPRequest.Method { HTTPRequest.Method(rawValue) ?? .get }
  }

  /// What is done.
  public var method = Method.get
  /// The resource: a path, with or without version, or a whole URL.
  public var address = ""
  /// The header fields, `Name: value`, one in each line.
  public var fields = ""
  /// The body; empty for none.
  public var body = ""
  /// The path of a file whose contents are the body, in place of a text; nil for none.
  public internal(set) var bodyFile: String?
  /// Whether it was sent with a body that was not kept.
  public internal(set) var lacksBody = false
  /// The body, when it is no text.
  var data: [UInt8]?

  /// Creates a request.
  public init(
    _ method: Method = .get, _ address: String = "", fields: String = "", body: String = ""
  ) {
    self.method = method
    self.address = address
    self.fields = fields
    self.body = body
  }

  /// The request for Graph, without what is wrong in its header fields.
  ///
  /// - Parameter link: the URL of a later page of the list; nil for the address.
  func graphRequest(at link: String? = nil) -> GraphRequest {
    // Every blank around it was pasted with it.
    let text = String(address.trimmed)
    let path = link.map(GraphPath.init(url:)) ?? GraphPath(text)
    var request = GraphRequest(method.http, path)
    if let data {
      request.body = GraphBody(Data(data), contentType: usualType)
    } else if bodyFile != nil {
      // It is read when it is sent.
      request.headerFields[.contentType] = usualType
    } else if !body.isEmpty {
      request.body = GraphBody(Data(body.utf8), contentType: usualType)
    }
    var own = HTTPFields()
    for case .success(let field)? in Self.lines(of: fields).map(\.field) { own.append(field) }
    for name in Set(own.map(\.name)) { request.headerFields[fields: name] = own[fields: name] }
    return request
  }

  /// Whether the body is to be JSON.
  var hasJSON: Bool {
    !body.isEmpty
      && (withoutBody.graphRequest().headerFields[.contentType] ?? usualType).lowercased().contains(
        "json")
  }

  // MARK: - Header fields

  /// What is wrong in the header fields, with its line; nil when nothing is.
  public var fieldProblem: String? {
    for line in Self.lines(of: fields) {
      switch line.field {
      case .success?: continue
      case .failure(let refusal)?: return refusal.text(line.number)
      case nil: return tr("Line {line}: there are too many header fields.", ["line": line.number])
      }
    }
    return nil
  }

  /// The header fields with the numbers of their lines; nil for all the rest of a text that is too
  /// long.
  private static func lines(
    of text: String
  ) -> [(number: Int, field: Result<HTTPField, HTTPField.Refusal>?)] {
    text.split(
      maxSplits: HTTPFields.limit, omittingEmptySubsequences: false, whereSeparator: \.isNewline
    ).enumerated().filter { !$0.element.allSatisfy(\.isWhitespace) }
      .map {
        (
          $0.offset + 1,
          $0.offset < HTTPFields.limit ? HTTPField.validated(String($0.element)) : nil
        )
      }
  }

  // MARK: - Body

  /// The largest body that is checked, in bytes.
  static let largestChecked = 4 << 20

  /// What is wrong in a body that is to be JSON, with its line; nil when nothing is.
  ///
  /// A large one takes its time, on another thread than the caller's.
  @concurrent
  static func problem(ofBody body: String) async -> String? {
    guard body.utf8.count <= largestChecked else { return nil }
    do throws(JSONError) {
      _ = try JSON(parsing: body.utf8)
      return nil
    } catch {
      return tr(
        "The body is not valid JSON, line {line}, column {column}: {reason}.",
        ["line": error.line, "column": error.column, "reason": error.reason])
    }
  }
}

// MARK: - The version

extension ExplorerRequest {
  /// The version that the address names; nil when it names none.
  public var version: GraphClient.Version? {
    get { versionPlace.flatMap { GraphClient.Version(rawValue: String(address[$0])) } }
    set {
      guard let newValue, newValue != version else { return }
      if let place = versionPlace { return address.replaceSubrange(place, with: newValue.rawValue) }
      // Without one, it is this.
      guard newValue != .v1 else { return }
      let start = pathStart
      let hasSlash = start > address.startIndex && address[address.index(before: start)] == "/"
      let slash = start == address.endIndex ? "" : "/"
      address.insert(contentsOf: (hasSlash ? "" : "/") + newValue.rawValue + slash, at: start)
    }
  }

  private var versionPlace: Range<String.Index>? {
    let start = pathStart
    let end = address[start...].firstIndex { "/?#".contains($0) || $0.isWhitespace }
    let place = start..<(end ?? address.endIndex)
    return [GraphClient.Version.v1, .beta].contains { $0.rawValue == address[place] } ? place : nil
  }

  /// Where the path begins, after its slashes.
  private var pathStart: String.Index {
    var rest = address.drop(while: \.isWhitespace)
    if let scheme = rest.firstRange(of: "://"),
      rest[..<scheme.lowerBound].allSatisfy({ $0.isASCII && $0.isLetter })
    {
      rest = rest[scheme.upperBound...].drop { !"/?#".contains($0) }
    }
    return rest.drop { $0 == "/" }.startIndex
  }
}

extension ExplorerRequest {
  /// Why the address cannot be requested, whatever the host; nil when it can.
  var addressProblem: String? {
    if let commandProblem { return commandProblem }
    let text = address.drop(while: \.isWhitespace)
    guard let end = text.firstRange(of: "://")?.lowerBound,
      text[..<end].allSatisfy({ $0.isASCII && $0.isLetter }), text[..<end].lowercased() != "https"
    else { return pathProblem }
    return tr("The request cannot be sent: tokens are sent with https only.")
  }

  /// The first placeholder in the path, such as `{id}` in Microsoft's documentation; nil without one.
  var placeholder: String? { placeholderRange.map { String(address[$0]) } }

  /// Where the first placeholder is in ``address``, in Unicode scalars; nil without one.
  public var placeholderPlace: Range<Int>? {
    placeholderRange.map { range in
      let scalars = address.unicodeScalars
      let start = scalars.distance(from: scalars.startIndex, to: range.lowerBound)
      return start..<start + scalars[range].count
    }
  }

  private var placeholderRange: Range<String.Index>? {
    let path = address.prefix { $0 != "?" }
    // Two of them are around the name of a variable.
    var last: Character?
    for start in path.indices {
      defer { last = path[start] }
      guard path[start] == "{", last != "{" else { continue }
      let rest = path[start...].dropFirst()
      let name = rest.prefix { $0.isASCII && ($0.isLetter || $0 == "-" || $0 == "_") }
      if !name.isEmpty, rest[name.endIndex...].first == "}" {
        return start..<path.index(after: name.endIndex)
      }
    }
    return nil
  }
}

extension HTTPField.Refusal {
  /// Why a line is no header field that can be sent.
  fileprivate func text(_ line: Int) -> String {
    switch self {
    case .notAField:
      tr("Line {line} is not a header field. Write it as “Name: value”.", ["line": line])
    case .isSetHere(let name):
      tr(
        "Line {line}: “{name}” is set by Entrance and cannot be changed.",
        ["line": line, "name": name.rawName])
    case .invalidValue(let name):
      tr(
        "Line {line}: the value of “{name}” has characters that cannot be sent.",
        ["line": line, "name": name.rawName])
    }
  }
}
