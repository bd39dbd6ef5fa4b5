import FoundationEssentials
import HTTPTypes

/// Collects a reply from libcurl's callbacks: a header line or a piece of the body at a time.
struct CurlResponse {
  /// The limit in bytes for all header lines together, including trailers and interim replies.
  private static let headLimit = 256 << 10

  /// Why the rest of the reply is rejected; nil when it is not.
  private(set) var problem: HTTPError.Code?

  private let bodyLimit: Int
  /// Takes the response piece by piece; nil to collect it.
  private let pipe: BodyPipe?
  /// The number of bytes that the pipe has taken.
  private var passedOn = 0
  private var headSize = 0
  /// The head of the final response; nil until all of it has arrived.
  private var head: HTTPResponse?
  private var isHTTP2 = false
  private var status = 0
  /// The fields of the head so far.
  private var fields = HTTPFields()
  /// The value of the last field, if it is folded into several lines.
  private var foldedValue: [UInt8] = []
  private var body = Data()
  private var gunzip: Gunzip?

  init(bodyLimit: Int, pipe: BodyPipe? = nil) {
    self.bodyLimit = bodyLimit
    self.pipe = pipe
  }

  /// Whether any part of a reply has arrived.
  var hasBegun: Bool { headSize > 0 }

  /// Whether all of the head of the final response has arrived.
  var hasHead: Bool { head != nil }

  /// Adds a header line; returns false to abort the transfer.
  mutating func receiveHeaderLine(_ bytes: UnsafeRawBufferPointer) -> Bool {
    headSize += bytes.count
    guard headSize <= Self.headLimit, !bytes.contains(0) else { return refuse(.invalidResponse) }
    // Lines after the final reply's head are trailers, which are ignored.
    if head != nil { return true }

    let line = bytes.trimmingSuffix { $0 == UInt8(ascii: "\r") || $0 == UInt8(ascii: "\n") }
    if line.isEmpty {
      unfold()
      guard !fields.contains(where: \.value.hasTooManyAccents) else {
        return refuse(.invalidResponse)
      }
      guard status >= 200 else { return true }
      let head = HTTPResponse(status: .init(code: status), headerFields: fields)
      self.head = head
      pipe?.receive(head: head)
      return true
    }
    if line.starts(with: "HTTP/".utf8) { return receiveStatusLine(line) }
    if line[line.startIndex].isBlank {
      // A continuation of the previous field (RFC 9112, 5.2).
      guard let field = fields.last else { return refuse(.invalidResponse) }
      if foldedValue.isEmpty { foldedValue = field.withUnsafeBytesOfValue { [UInt8]($0) } }
      foldedValue.append(UInt8(ascii: " "))
      foldedValue += line.trimmingBlanks()
      return true
    }
    unfold()
    guard fields.count < HTTPFields.limit, let colon = line.firstIndex(of: UInt8(ascii: ":")),
      let name = HTTPField.Name(String(decoding: line[..<colon], as: UTF8.self))
    else { return refuse(.invalidResponse) }
    let value = line[line.index(after: colon)...].trimmingBlanks()
    fields.append(HTTPField(name: name, lenientValue: value))
    return true
  }

  /// Adds a piece of the body; returns false to abort the transfer.
  mutating func receiveBody(_ bytes: UnsafeRawBufferPointer) -> Bool {
    if body.isEmpty, passedOn == 0, gunzip == nil {
      switch head?.headerFields[.contentEncoding]?.lowercased() {
      case nil, "identity": break
      case "gzip", "x-gzip": gunzip = Gunzip()
      default: return refuse(.invalidResponse)
      }
    }
    let bodyLimit = bodyLimit - passedOn
    if let gunzip {
      defer { passOn() }
      switch gunzip.expand(bytes, into: &body, limit: bodyLimit) {
      case nil: return true
      case .outputTooLarge: return refuse(.bodyTooLarge)
      case .malformedInput: return refuse(.invalidResponse)
      }
    }
    guard bytes.count <= bodyLimit - body.count else { return refuse(.bodyTooLarge) }
    if let pipe {
      passedOn += bytes.count
      pipe.receive(bytes)
    } else {
      body.append(contentsOf: bytes)
    }
    return true
  }

  /// The whole reply, after libcurl has reported the end; nil if it is malformed.
  func reply() -> HTTPReply? {
    guard let head, hasOneLength(head), hasKnownEnd(head) else { return nil }
    if let gunzip, !gunzip.isAtEnd { return nil }
    return HTTPReply(response: head, body: body)
  }

  /// Passes what was decoded to the pipe.
  private mutating func passOn() {
    guard let pipe else { return }
    passedOn += body.count
    body.withUnsafeBytes(pipe.receive)
    body = Data()
  }

  private mutating func refuse(_ code: HTTPError.Code) -> Bool {
    problem = code
    return false
  }

  /// `HTTP/1.1 200 OK` or `HTTP/2 200` starts a new head, which replaces an interim one.
  private mutating func receiveStatusLine(_ line: Slice<UnsafeRawBufferPointer>) -> Bool {
    let version = line.prefix { !$0.isBlank }
    let code = line[version.endIndex...].drop(while: \.isBlank).prefix { !$0.isBlank }
    guard code.allSatisfy(\.isDigit), let number = Int(String(decoding: code, as: UTF8.self)),
      (100...999).contains(number)
    else { return refuse(.invalidResponse) }
    status = number
    isHTTP2 = version.elementsEqual("HTTP/2".utf8)
    fields = HTTPFields()
    // Room for those of most replies at once.
    fields.reserveCapacity(16)
    foldedValue = []
    return true
  }

  /// Gives the last field its value, when all of its lines have arrived.
  private mutating func unfold() {
    guard !foldedValue.isEmpty else { return }
    let last = fields.endIndex - 1
    fields[last] = HTTPField(name: fields[last].name, lenientValue: foldedValue)
    foldedValue = []
  }

  /// libcurl uses the last of several lengths; two different ones are an attack or an error.
  private func hasOneLength(_ head: HTTPResponse) -> Bool {
    let lengths = head.headerFields[values: .contentLength]
    return lengths.allSatisfy { length in
      length == lengths.first && length.utf8.allSatisfy(\.isDigit)
    }
  }

  /// Whether something other than the end of the connection marks the end of the body.
  private func hasKnownEnd(_ head: HTTPResponse) -> Bool {
    isHTTP2 || status == 204 || status == 304 || head.headerFields.contains(.contentLength)
      || head.headerFields[.transferEncoding]?.lowercased().hasSuffix("chunked") == true
      || gunzip?.isAtEnd == true
  }
}

extension BidirectionalCollection<UInt8> where SubSequence: BidirectionalCollection<UInt8> {
  fileprivate func trimmingSuffix(while matches: (UInt8) -> Bool) -> SubSequence {
    self[..<(lastIndex { !matches($0) }.map { index(after: $0) } ?? startIndex)]
  }

  fileprivate func trimmingBlanks() -> SubSequence.SubSequence {
    drop(while: \.isBlank).trimmingSuffix(while: \.isBlank)
  }
}
