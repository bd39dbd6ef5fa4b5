import AuthCore
import CurlHTTP
import FoundationEssentials
import HTTPTypes
import Localization
import MicrosoftGraph

/// A request with its answer as a text for others, in which secrets, names and identifiers are
/// replaced by the stand-ins of ``Cassette``.
public enum ExplorerReport: String, Sendable, CaseIterable {
  /// A recording in HAR 1.2.
  case har
  /// Markdown, for a report: status, request ID, and the beginning of the answer.
  case markdown

  /// What it is, in words.
  public var label: String {
    switch self {
    case .har: "HAR"
    case .markdown: "Markdown"
    }
  }

  /// Makes the text on another thread than the caller's.
  ///
  /// - Parameter url: where the request was sent.
  @concurrent
  func text(_ answer: ExplorerAnswer, url: String) async -> String {
    let recording = Self.exchange(answer, url).recording
    switch self {
    case .har: return recording.prettyText + "\n"
    case .markdown: return Self.markdown(answer, recording["log"]?["entries"]?.array?.first)
    }
  }

  /// The largest body of an answer that is in a report, in bytes: nobody reads a larger one.
  private static let largestBody = 4 << 20

  /// The request and its answer.
  static func exchange(_ answer: ExplorerAnswer, _ url: String) -> Cassette.Exchange {
    let written = answer.sentRequest
    var request = HTTPRequest(url: url, method: written.method)
    request.headerFields = written.headerFields
    let response = HTTPResponse(
      status: .init(code: answer.status ?? 0), headerFields: answer.fields)
    let body = answer.body.count <= largestBody ? answer.body : Data()
    return Cassette.Exchange(
      request, body: Data(answer.request.body.utf8),
      HTTPReply(response: response, body: body), start: answer.date,
      duration: answer.duration ?? .zero)
  }

  // MARK: - Markdown

  /// The Markdown about an answer.
  ///
  /// - Parameters:
  ///   - entry: the entry of a recording that has the request; nil for none.
  ///   - attachment: the name of the file beside it that has a recording; nil for none.
  static func markdown(
    _ answer: ExplorerAnswer, _ entry: JSON?, attachment: String? = nil
  ) -> String {
    let url = entry?["request"]?["url"]?.string ?? ""
    var lines = ["\(answer.request.method.rawValue) \(code(url))", ""]
    func add(_ name: String, _ value: String?) {
      if let value, !value.isEmpty { lines.append("- \(name): \(value)") }
    }
    add(tr("Status"), answer.statusText)
    // What the service's support asks for; it tells nothing about a person.
    add(tr("Request ID"), answer.requestID.map(code))
    // A recording that answers is not asked at that time.
    if answer.duration != nil { add(tr("Sent"), answer.date.formatted(.iso8601)) }
    add(tr("Duration and size"), answer.meta)
    add(tr("Recording"), attachment.map(reference))
    if let text = entry?["response"]?["content"]?["text"]?.string, text.utf8.count <= largestBody,
      let json = try? JSON(parsing: text.utf8)
    {
      let excerpt = excerpt(of: json.prettyText)
      // Longer than any in the text (CommonMark, section 4.5).
      let fence = String(repeating: "`", count: max(3, longestRun(in: excerpt) + 1))
      lines += ["", fence + "json", excerpt, fence]
    }
    return lines.joined(separator: "\n") + "\n"
  }

  /// A link to the file called `name` in the same folder (CommonMark, section 6.3).
  private static func reference(to name: String) -> String {
    "[\(code(name))](\(FormEncoding.percentEncoded(name)))"
  }

  /// The text as code (CommonMark, section 6.1).
  private static func code(_ text: String) -> String {
    let text = text.plain
    let mark = String(repeating: "`", count: longestRun(in: text) + 1)
    return text.contains("`") ? "\(mark) \(text) \(mark)" : mark + text + mark
  }

  private static func longestRun(in text: String) -> Int {
    text.split { $0 != "`" }.map(\.count).max() ?? 0
  }

  private static let shownLines = 40
  private static let shownOfLine = 200

  private static func excerpt(of text: String) -> String {
    let lines = text.split(
      separator: "\n", maxSplits: shownLines, omittingEmptySubsequences: false)
    var excerpt = lines.prefix(shownLines).map { line in
      line.count > shownOfLine ? line.prefix(shownOfLine) + "…" : line
    }
    if lines.count > shownLines { excerpt.append("…") }
    return excerpt.joined(separator: "\n")
  }
}

extension ExplorerModel {
  /// The answer with its request as a text for others; nil without one from the service.
  public func report(_ kind: ExplorerReport) async -> String? {
    guard let answer, answer.status != nil, answer.duration != nil,
      let url = try? graph.url(of: answer.sentRequest)
    else { return nil }
    return await kind.text(answer, url: window.workspace.privacy.shown(address: url))
  }
}
