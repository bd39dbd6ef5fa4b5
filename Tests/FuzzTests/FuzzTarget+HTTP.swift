import FoundationEssentials
import HTTPTypes

@testable import AuthCore
@testable import CurlHTTP
@testable import EntranceKit

extension FuzzTarget {
  /// The value of a `WWW-Authenticate` field.
  func readAuthenticationChallenge(_ bytes: [UInt8]) throws {
    let text = String(decoding: bytes, as: UTF8.self)
    for challenge in AuthenticationChallenge.parse(text) ?? [] {
      try expect(!challenge.scheme.isEmpty, "a challenge has a scheme")
      guard let claims = challenge.claims else { continue }
      try expect(!claims.isEmpty, "claims are not empty")
      try expect(
        (try? ClaimsRequest(json: claims.json)) == claims, "claims are sent back unchanged")
    }
    if let claims = try? ClaimsRequest(json: text) {
      try expect(
        (try? ClaimsRequest(json: claims.json)) == claims, "claims are sent back unchanged")
    }
  }

  /// The value of a `Retry-After` field, which may be a date.
  func readHTTPDate(_ bytes: [UInt8]) throws {
    let text = String(decoding: bytes, as: UTF8.self)
    _ = HTTPDate.date(text, near: Self.now)
    if let pause = PauseLength.retryAfter(text, from: Self.now) {
      try expect((0...PauseLength.longest).contains(pause), "a pause is within its limits")
      try expectWords(pauseOf: Int(pause))
    }
  }

  /// A browser's request to the loopback listener; the first byte sets the size of the pieces.
  func readLoopbackRequest(_ bytes: [UInt8]) throws {
    guard let size = bytes.first, size > 0 else { return }
    let request = Array(bytes.dropFirst())
    var whole = LoopbackRequestReader()
    let progress = whole.take(request)
    var reader = LoopbackRequestReader()
    var last = LoopbackRequestReader.Progress.incomplete
    for start in stride(from: 0, to: request.count, by: Int(size)) where last == .incomplete {
      last = reader.take(request[start..<min(start + Int(size), request.count)])
    }
    try expect(request.isEmpty || last == progress, "the size of the pieces does not matter")
    guard case .complete(let request) = progress else { return }
    try expect(request.target.hasPrefix("/"), "a request has a path")
  }

  /// A gzip body; the first byte sets the size of the pieces.
  func readGzip(_ bytes: [UInt8]) throws {
    guard let size = bytes.first, size > 0 else { return }
    let limit = 100_000
    func expand(by size: Int) -> (body: Data, isAtEnd: Bool, failure: Gunzip.Failure?) {
      let input = bytes.dropFirst()
      let gunzip = Gunzip()
      var body = Data()
      for start in stride(from: input.startIndex, to: input.endIndex, by: size) {
        let failure = input[start..<min(start + size, input.endIndex)].withUnsafeBytes {
          gunzip.expand($0, into: &body, limit: limit)
        }
        if let failure { return (body, false, failure) }
      }
      return (body, gunzip.isAtEnd, nil)
    }
    let whole = expand(by: bytes.count)
    try expect(whole.body.count <= limit, "a body stays below its limit")
    let pieces = expand(by: Int(size))
    try expect(
      whole.isAtEnd == pieces.isAtEnd && (whole.failure == nil) == (pieces.failure == nil)
        && (whole.failure != nil || whole.body == pieces.body),
      "the size of the pieces does not matter")
  }

  /// The head of a response, line by line, as passed by libcurl; the rest is the body.
  func readResponseHead(_ bytes: [UInt8]) throws {
    var response = CurlResponse(bodyLimit: 10_000)
    var rest = bytes[...]
    while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
      let line = rest[...end]
      rest = rest[(end + 1)...]
      guard line.withUnsafeBytes({ response.receiveHeaderLine($0) }) else { return }
      if line == [UInt8(ascii: "\r"), UInt8(ascii: "\n")] { break }
    }
    guard rest.isEmpty || rest.withUnsafeBytes({ response.receiveBody($0) }),
      let reply = response.reply()
    else { return }
    try expect(reply.body.count <= 10_000, "a body stays below its limit")
    try expect((200...999).contains(reply.response.status.code), "a reply has a status")
  }
}
