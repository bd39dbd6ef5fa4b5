import FoundationEssentials
import HTTPTypes

/// Gathers a reply from what libcurl hands over: one header line or one piece of body at a time.
struct CurlResponse {
  /// The most bytes that all header lines together may have, trailers and interim replies included.
  private static let headLimit = 256 << 10

  /// Why the rest of the reply is refused, if it is.
  private(set) var problem: HTTPError.Code?

  private let bodyLimit: Int
  private var headSize = 0
  private var isHeadComplete = false
  private var isHTTP2 = false
  private var status = 0
  private var fields = HTTPFields()
  private var body = Data()
  private var gunzip: Gunzip?

  init(bodyLimit: Int) {
    self.bodyLimit = bodyLimit
  }

  /// Takes a header line; false if the transfer should be given up.
  mutating func receiveHeaderLine(_ bytes: UnsafeRawBufferPointer) -> Bool {
    headSize += bytes.count
    guard headSize <= Self.headLimit, !bytes.contains(0) else { return refuse(.invalidResponse) }
    // What follows the final reply's head is trailers, which mean nothing here.
    if isHeadComplete { return true }

    let line = bytes.trimmingSuffix { $0 == UInt8(ascii: "\r") || $0 == UInt8(ascii: "\n") }
    if line.isEmpty {
      isHeadComplete = status >= 200
      return true
    }
    if line.starts(with: "HTTP/".utf8) { return receiveStatusLine(line) }
    if line[line.startIndex].isBlank { return continueField(line) }
    guard let colon = line.firstIndex(of: UInt8(ascii: ":")),
      let name = HTTPField.Name(String(decoding: line[..<colon], as: UTF8.self))
    else { return refuse(.invalidResponse) }
    let value = line[line.index(after: colon)...].trimmingBlanks()
    fields.append(HTTPField(name: name, lenientValue: value))
    return true
  }

  /// Takes a piece of the body; false if the transfer should be given up.
  mutating func receiveBody(_ bytes: UnsafeRawBufferPointer) -> Bool {
    if body.isEmpty, gunzip == nil {
      switch fields[.contentEncoding]?.lowercased() {
      case nil, "identity": break
      case "gzip", "x-gzip": gunzip = Gunzip()
      default: return refuse(.invalidResponse)
      }
    }
    if let gunzip {
      switch gunzip.expand(bytes, into: &body, limit: bodyLimit) {
      case nil: return true
      case .outputTooLarge: return refuse(.bodyTooLarge)
      case .malformedInput: return refuse(.invalidResponse)
      }
    }
    guard bytes.count <= bodyLimit - body.count else { return refuse(.bodyTooLarge) }
    body.append(contentsOf: bytes)
    return true
  }

  /// The whole reply, once libcurl says that there is no more; nil if it is not well formed.
  func reply() -> HTTPReply? {
    guard isHeadComplete, hasOneLength, hasKnownEnd else { return nil }
    if let gunzip, !gunzip.isAtEnd { return nil }
    return HTTPReply(
      response: HTTPResponse(status: .init(code: status), headerFields: fields), body: body)
  }

  private mutating func refuse(_ code: HTTPError.Code) -> Bool {
    problem = code
    return false
  }

  /// `HTTP/1.1 200 OK`, `HTTP/2 200`: a new head, in place of an interim one.
  private mutating func receiveStatusLine(_ line: Slice<UnsafeRawBufferPointer>) -> Bool {
    let words = line.split(separator: UInt8(ascii: " "), maxSplits: 2)
    guard words.count >= 2,
      let code = Int(String(decoding: words[1], as: UTF8.self)), (100...999).contains(code)
    else { return refuse(.invalidResponse) }
    status = code
    isHTTP2 = words[0].elementsEqual("HTTP/2".utf8)
    fields = HTTPFields()
    return true
  }

  /// A line that begins with a blank belongs to the field before it (RFC 9112, 5.2).
  private mutating func continueField(_ line: Slice<UnsafeRawBufferPointer>) -> Bool {
    guard let last = fields.indices.last else { return refuse(.invalidResponse) }
    let name = fields[last].name
    let value = fields[last].withUnsafeBytesOfValue { Array($0) }
    fields[last] = HTTPField(
      name: name, lenientValue: value + [UInt8(ascii: " ")] + line.trimmingBlanks())
    return true
  }

  /// libcurl believes the last of several lengths; two that differ are an attack or a fault.
  private var hasOneLength: Bool {
    let lengths = Set(fields[values: .contentLength])
    return lengths.count <= 1
      && lengths.allSatisfy { $0.utf8.allSatisfy { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 } }
  }

  /// Whether something other than the end of the connection marks the end of the body.
  private var hasKnownEnd: Bool {
    isHTTP2 || status == 204 || status == 304 || fields[.contentLength] != nil
      || fields[.transferEncoding]?.lowercased().hasSuffix("chunked") == true
      || gunzip?.isAtEnd == true
  }
}

extension UInt8 {
  fileprivate var isBlank: Bool { self == UInt8(ascii: " ") || self == UInt8(ascii: "\t") }
}

extension BidirectionalCollection<UInt8> where SubSequence: BidirectionalCollection<UInt8> {
  fileprivate func trimmingSuffix(while matches: (UInt8) -> Bool) -> SubSequence {
    self[..<(lastIndex { !matches($0) }.map { index(after: $0) } ?? startIndex)]
  }

  fileprivate func trimmingBlanks() -> SubSequence.SubSequence {
    drop(while: \.isBlank).trimmingSuffix(while: \.isBlank)
  }
}
