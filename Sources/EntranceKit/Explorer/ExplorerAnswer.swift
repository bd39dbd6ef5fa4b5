import AuthCore
public import FoundationEssentials
import HTTPTypes
import Localization
import MicrosoftGraph
import Sentences

/// What came of a request, with what of it is shown.
public struct ExplorerAnswer: Sendable, Identifiable {
  /// What a body is shown as.
  public enum Content: Sendable, Equatable {
    /// There is none.
    case none
    /// Text, which may be JSON.
    case text
    /// A picture, encoded.
    case picture
    /// A PDF document, whose pages can be shown where there is a program for it.
    case document
    /// Something that can only be saved.
    case other
  }

  /// What went wrong, in our own words first.
  public struct Failure: Sendable, Equatable {
    /// One or two sentences.
    public var sentence: String
    /// What the request needs so that it can be answered; nil when that is not known.
    public var hint: String?
    /// The service's own error code and message; empty when it sent none.
    public var server: String
    /// How many seconds the service asks to wait.
    public var retryAfter: Int?
    /// Whether something is not permitted.
    public var isForbidden: Bool
    /// Whether it was canceled, which is no failure.
    public var isCanceled: Bool
    /// What leads to where the app is corrected; nil when that would not help.
    public var correction: AccountAction?
    /// Whether the same request may be answered when it is sent again.
    public var canTryAgain = false
  }

  /// Tells it from other answers.
  public let id: Int
  /// The request that it answers.
  public let request: ExplorerRequest
  /// The account and the organization that it was sent for.
  public private(set) var account: String
  /// The HTTP status; nil when there was no response.
  public private(set) var status: Int?
  /// The status with its meaning, such as `200 OK`, and how much of a batch failed; what happened when
  /// there was no response.
  public private(set) var statusText: String
  /// Whether requests of a batch failed, although the batch itself was answered.
  public private(set) var failsInPart = false
  /// When it was sent.
  let date: Date
  /// When the response was there.
  let received: Date
  /// The header fields.
  let fields: HTTPFields
  /// How long the service took; nil when it was not asked.
  public let duration: Duration?
  /// The service's ID of the request, which its support asks for.
  public let requestID: String?
  /// The media type of the body.
  public let contentType: String
  /// What went wrong; nil for a success.
  public private(set) var failure: Failure?
  /// The same with personal details.
  private var wholeFailure: Failure?
  /// Which permissions the request needs, when it was refused; nil when that is not known.
  public private(set) var explanation: PermissionExplanation?
  /// What the developer should know about a success.
  public var hints: [String] { pageHints + wholeHints.map { hiding?.hidden(in: $0) ?? $0 } }
  /// The same with personal details.
  private var wholeHints: [String] = []
  /// The body, without personal details while they are hidden.
  public let body: Data
  /// The body as it came.
  let original: Data
  /// What the body is shown as.
  public let content: Content
  /// The body as JSON with one line for each member; nil when it is not JSON.
  public let pretty: FoldedText?
  /// The body as text; nil when it is none, or not made yet.
  public private(set) var raw: FoldedText?
  /// The status and the header fields.
  public let headers: FoldedText
  /// The items of a list; nil when it is none, or not made yet.
  public private(set) var table: GraphTable?
  /// The URL of the next page, or of this one when it failed; nil when there is none, or not known
  /// yet, and for a request that may change something: its link would do that again.
  public var nextLink: String? { request.method == .get ? isFailure ? link : followingLink : nil }
  private var followingLink: String?
  /// Whether everything is made: at first, a large answer has only what is shown first.
  public private(set) var isComplete = true

  /// The URL of the page that it is; nil for the address of the request.
  let link: String?
  /// Where the request was sent; nil when that could not be.
  let url: String?
  /// Whether it is what was asked for, and not a page that follows.
  var isFirstPage: Bool { link == nil }
  /// The request as it was sent.
  var sentRequest: GraphRequest { request.graphRequest(at: link) }
  /// What has hidden personal details; nil when they are shown.
  private let hiding: PersonalDetails?

  /// The duration and the size in words.
  public var meta: String {
    [duration.map(Self.text), status == nil ? nil : ByteSize.text(original.count)]
      .compactMap(\.self).joined(separator: " · ")
  }

  /// Whether the body may not be shown because personal details are hidden.
  public var hidesContent: Bool { hiding != nil && content == .other }

  /// The picture; nil when the body is none.
  public var picture: Data? { content == .picture ? body : nil }

  /// The PDF document; nil when the body is none that can be shown.
  public var document: Data? { content == .document ? body : nil }

  /// The name of a file for the body.
  public var fileName: String {
    let address = hiding?.hidden(in: request.address) ?? request.address
    let path = address.prefix { $0 != "?" }.split(separator: "/")
    let name = path.last { !$0.hasPrefix("$") } ?? "response"
    let plain = String(name.filter { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-") })
    let type = contentType.lowercased()
    let ending =
      [
        ("json", "json"), ("png", "png"), ("jpeg", "jpg"), ("csv", "csv"), ("html", "html"),
        ("pdf", "pdf"), ("zip", "zip"), ("text/", "txt"),
      ].first { type.contains($0.0) }?.1 ?? "bin"
    return "\(plain.isEmpty ? "response" : String(plain.prefix(60))).\(ending)"
  }

  private static func text(_ duration: Duration) -> String {
    let (seconds, rest) = duration.components
    let milliseconds = seconds * 1000 + rest / 1_000_000_000_000_000
    return milliseconds < 10_000
      ? tr("{count} ms", ["count": Int(milliseconds)]) : tr("{count} s", ["count": Int(seconds)])
  }
}

// MARK: - Making

extension ExplorerAnswer {
  /// What an answer is made of.
  struct Parts: Sendable {
    var id: Int
    var request: ExplorerRequest
    var account: String
    var duration: Duration?
    /// The URL of the page that was asked for; nil for the address of the request.
    var link: String?
    /// Where the request was sent; nil when that could not be.
    var url: String?
    /// What hides personal details; nil while they are shown.
    var hiding: PersonalDetails?
    /// When the response was there: making the answer takes its time.
    var received = Date()

    /// How many seconds the service took.
    fileprivate var seconds: TimeInterval {
      let (seconds, rest) = (duration ?? .zero).components
      return Double(seconds) + Double(rest) / 1e18
    }
  }

  /// Makes the answer from a response, on another thread than the caller's: that can take seconds.
  @concurrent
  static func make(
    _ parts: Parts, _ response: GraphResponse, to request: GraphRequest
  ) async throws(CancellationError) -> ExplorerAnswer {
    var answer = try ExplorerAnswer(
      parts, status: response.status, response.headerFields, response.body)
    if response.body.count <= largestAtOnce { answer.complete(for: request) }
    return answer
  }

  /// The largest body that is made into an answer at once, in bytes.
  private static let largestAtOnce = 128 << 10

  /// The answer with everything that is not shown first, which takes longer than what is.
  @concurrent
  func completed(for request: GraphRequest) async -> ExplorerAnswer {
    var answer = self
    answer.complete(for: request)
    return answer
  }

  /// Makes the answer from a response that was put together.
  @concurrent
  static func make(
    _ parts: Parts, _ response: GraphResponse, adding hint: String?
  ) async throws(CancellationError) -> ExplorerAnswer {
    var answer = try ExplorerAnswer(
      parts, status: response.status, response.headerFields, response.body)
    answer.complete(for: nil)
    answer.wholeHints = [hint].compactMap(\.self) + answer.wholeHints
    return answer
  }

  /// Makes the answer from an error.
  ///
  /// - Parameters:
  ///   - advice: what to do when there was no answer; nil when there was one.
  ///   - actions: *Try Again*, and what leads to where the app is corrected, if they can help.
  @concurrent
  static func make(
    _ parts: Parts, _ error: GraphError, to request: GraphRequest, advice: String?,
    _ actions: [AccountAction]
  ) async throws(CancellationError) -> ExplorerAnswer {
    // The status of a pause is that of an earlier response.
    let status = error.isPaused ? nil : error.status
    var answer = try ExplorerAnswer(parts, status: status, error.headerFields, error.body)
    answer.complete(for: nil)
    var sentence = tr(error.sentence)
    if answer.isElsewhere {
      sentence = tr(
        "The content is at another address, to which no token is sent. Choose “Save Response…” to"
          + " save it.")
    }
    let server = [error.serverCode, error.serverMessage].compactMap { $0?.shown(upTo: 1000) }
    let failure = Failure(
      sentence: sentence, hint: error.hint(for: request).map { tr($0) } ?? advice,
      server: server.joined(separator: ": "),
      retryAfter: error.retryAfter.map { Int($0.components.seconds) },
      isForbidden: error.code == .forbidden, isCanceled: error.code == .cancelled,
      correction: actions.first { $0 != .tryAgain }, canTryAgain: actions.contains(.tryAgain))
    answer.set(failure, hiding: parts.hiding)
    return answer
  }

  /// The same answer, made anew because personal details are hidden from now on, or shown.
  ///
  /// - Parameters:
  ///   - account: the account and the organization as they are shown.
  ///   - details: what hides personal details; nil while they are shown.
  @concurrent
  func renewed(
    for account: String, hiding details: PersonalDetails?
  ) async throws(CancellationError) -> ExplorerAnswer {
    var answer = self
    if let status {
      var parts = Parts(
        id: id, request: request, account: account, duration: duration, link: link, url: url,
        hiding: details)
      parts.received = received
      answer = try ExplorerAnswer(parts, status: status, fields, original)
      answer.complete(for: isComplete ? nil : sentRequest)
      if isComplete { answer.wholeHints = wholeHints }
      answer.explanation = explanation
    }
    answer.account = account
    answer.set(wholeFailure ?? failure, hiding: details)
    return answer
  }

  private mutating func set(_ failure: Failure?, hiding details: PersonalDetails?) {
    (wholeFailure, self.failure) = (failure, failure)
    guard let details, let failure else { return }
    self.failure?.sentence = details.hidden(in: failure.sentence)
    self.failure?.hint = failure.hint.map { details.hidden(in: $0) }
    self.failure?.server = details.hidden(in: failure.server)
  }

  /// Adds which permissions a refused request needs; nil when that is not known.
  mutating func explain(_ explanation: PermissionExplanation?) {
    guard let explanation else { return }
    self.explanation = explanation
    // Whether a permission is missing is known now.
    var failure = wholeFailure
    failure?.sentence = PermissionExplanation.refusal
    set(failure, hiding: hiding)
  }

  /// The answer to a request that was canceled before its answer could be shown.
  static func canceled(_ parts: Parts) -> ExplorerAnswer {
    ExplorerAnswer(parts)
  }

  private init(
    _ parts: Parts, status: Int?, _ fields: HTTPFields, _ original: Data
  ) throws(CancellationError) {
    let body = try Self.shown(original, hiding: parts.hiding)
    (id, request, account, duration, link, url) = (
      parts.id, parts.request, parts.account, parts.duration, parts.link, parts.url
    )
    (hiding, isComplete) = (parts.hiding, false)
    (self.status, self.body, self.original, self.fields) = (status, body, original, fields)
    (date, received) = (parts.received - parts.seconds, parts.received)
    statusText =
      status.map(HTTPStatusText.text)
      ?? (parts.duration == nil ? tr("Not Sent") : tr("No Response"))
    requestID = fields[Self.requestIDName]?.shown(upTo: 100)
    contentType = (fields[.contentType] ?? "").shown(upTo: 200)
    let lines = fields.map { field in
      let isHidden =
        parts.hiding != nil && PersonalDetails.personalFields.contains(field.name.canonicalName)
      return "\(field.name.rawName): \(isHidden ? PersonalDetails.mark : field.value)".plain
    }
    let fieldText = lines.joined(separator: "\n")
    headers = FoldedText(parts.hiding?.hidden(in: fieldText) ?? fieldText)
    let type = contentType.lowercased()
    let otherText = body.isEmpty || parts.hiding != nil ? nil : Self.text(of: body, type)
    pretty = body.isEmpty ? nil : try ResponseDocument(body)?.folded
    if body.isEmpty {
      (content, raw) = (.none, nil)
    } else if type.hasPrefix("image/"), parts.hiding == nil, ProfilePhoto(body) != nil {
      // Its header states a moderate size, so that it can be decoded.
      (content, raw) = (.picture, nil)
    } else if body.starts(with: Data("%PDF-".utf8)) {
      // Personal details are hidden in no document.
      (content, raw) = (
        parts.hiding == nil && body.count <= Self.largestDocument ? .document : .other, nil
      )
    } else if pretty != nil {
      (content, raw) = (.text, nil)
    } else if parts.hiding == nil, Self.isText(body) {
      (content, raw) = (.text, Self.rawText(of: body))
    } else if let text = otherText {
      (content, raw) = (.text, FoldedText(Self.visible(text)))
    } else {
      // Names are hidden in no text but JSON.
      (content, raw) = (.other, nil)
    }
  }

  /// Adds the views that nobody sees at first, and what is known only of a whole list.
  private mutating func complete(for request: GraphRequest?) {
    guard !isComplete else { return }
    isComplete = true
    if let request, let status {
      let response = GraphResponse(status: status, headerFields: fields, body: original)
      wholeHints = response.hints(for: request).map { tr($0) }
      if let deprecation = response.deprecation { wholeHints.append(tr(deprecation.sentence)) }
    }
    if let jsonProblem { wholeHints.append(jsonProblem) }
    guard pretty != nil else { return }
    raw = Self.rawText(of: body)
    guard body.count <= Self.largestTable, let json = try? JSON(parsing: body) else { return }
    if let batchText = Self.batchText(json, request: self.request) {
      (statusText, failsInPart) = (statusText + " · " + batchText, true)
    }
    table = json["value"]?.array.map { GraphTable($0) }
    if let hint = table?.hint { wholeHints.append(hint) }
    let shown = json["@odata.nextLink"]?.string
    // The link itself is needed, also while personal details are hidden.
    followingLink = shown.flatMap { hiding == nil ? $0 : Self.nextLink(in: original) }
  }

  /// A body as it is shown: while personal details are hidden, JSON is written without the escapes
  /// by which a name would not be recognized.
  private static func shown(
    _ body: Data, hiding details: PersonalDetails?
  ) throws(CancellationError) -> Data {
    guard let details else { return body }
    guard let line = try ResponseDocument.line(of: body) else { return details.hidden(in: body) }
    return Data(details.hidden(in: line).utf8)
  }

  private static func rawText(of body: Data) -> FoldedText {
    FoldedText(visible(String(decoding: body, as: UTF8.self)))
  }

  private static func nextLink(in body: Data) -> String? {
    (try? JSON(parsing: body))?["@odata.nextLink"]?.string
  }

  /// The largest document whose pages are shown, in bytes.
  private static let largestDocument = 32 << 20

  /// The largest body that is also shown as a table, in bytes.
  private static let largestTable = 16 << 20

  private init(_ parts: Parts) {
    (id, request, account, duration, link, url) = (
      parts.id, parts.request, parts.account, nil, parts.link, parts.url
    )
    (status, requestID, pretty) = (nil, nil, nil)
    (body, original, contentType, content, headers) = (Data(), Data(), "", .none, FoldedText(""))
    hiding = nil
    (date, received, fields) = (parts.received, parts.received, [:])
    statusText = tr("Canceled")
    failure = Failure(
      sentence: tr("The request was canceled."), hint: nil, server: "", retryAfter: nil,
      isForbidden: false, isCanceled: true)
  }

  private static let requestIDName = HTTPField.Name("request-id") ?? .eTag
}
