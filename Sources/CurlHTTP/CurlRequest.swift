import FoundationEssentials
import HTTPTypes
import Sentences

/// A validated request, ready for libcurl.
struct CurlRequest: Sendable {
  /// The host, without port; with it, the only part of the request that an error may contain.
  let host: String
  /// The host with the port, if one is written.
  let authority: String
  /// The whole URL.
  let url: String
  /// The method's name.
  let method: String
  /// Whether libcurl must send a body, even an empty one with its length.
  let sendsBody: Bool
  /// Header lines in libcurl's notation.
  let headerLines: [String]
  /// The body; empty for none.
  let body: RequestBody
  /// The time and size limits of the exchange.
  let limits: HTTPLimits

  private static let methods: [HTTPRequest.Method] = [.get, .post, .put, .patch, .delete]

  /// Validates `request`, so that nothing can split a message or avoid TLS.
  init(_ request: HTTPRequest, body: RequestBody, limits: HTTPLimits) throws(HTTPError) {
    let authority = request.authority ?? ""
    guard let host = Self.host(ofAuthority: authority) else {
      throw HTTPError(.invalidRequest, host: "", Sentence("The request has no valid host."))
    }
    func refusal(_ reason: Sentence) -> HTTPError {
      HTTPError(
        .invalidRequest, host: host,
        Sentence("The request to {host} {reason}.", ["host": host, "reason": reason]))
    }
    guard request.scheme?.lowercased() == "https" else {
      throw refusal(Sentence("does not use https"))
    }
    guard Self.methods.contains(request.method) else {
      throw refusal(Sentence("has an unknown method"))
    }
    let path = request.path ?? "/"
    guard path.utf8.first == UInt8(ascii: "/"),
      path.utf8.allSatisfy({ (0x21...0x7E).contains($0) && $0 != UInt8(ascii: "#") })
    else { throw refusal(Sentence("contains a character that is not allowed in a URL")) }

    self.host = host
    self.authority = authority
    url = "https://\(authority)\(path)"
    method = request.method.rawValue
    sendsBody = body.count != 0 || method == "POST" || method == "PUT" || method == "PATCH"
    headerLines = try Self.headerLines(
      request.headerFields, sendsBody: sendsBody, refusal: refusal)
    self.body = body
    self.limits = limits
  }

  /// The host, with its port when that is not 443.
  var hostAndPort: String { authority.hasSuffix(":443") ? host : authority }

  /// Scheme and authority with a trailing slash: the input for choosing a proxy.
  var origin: String { "https://\(authority)/" }

  /// The body, if it is small enough to be sent together with the head; nil if libcurl asks for it
  /// piece by piece.
  var smallBody: Data? {
    if case .data(let data) = body, data.count <= 64 << 10 { data } else { nil }
  }

  /// Whether it can be sent twice, with the same effect as once (RFC 9110, section 9.2.2).
  var isRepeatable: Bool { method != "POST" && method != "PATCH" && body.isRepeatable }

  private static func headerLines(
    _ fields: HTTPFields, sendsBody: Bool, refusal: (Sentence) -> HTTPError
  ) throws(HTTPError) -> [String] {
    var lines: [String] = []
    lines.reserveCapacity(fields.count + 3)
    for field in fields {
      guard !field.name.isTransports else {
        throw refusal(Sentence("sets a header field that the caller cannot set"))
      }
      guard field.withUnsafeBytesOfValue({ !$0.contains(where: \.isControl) }) else {
        throw refusal(Sentence("contains a control character in a header field"))
      }
      // "Name:" would remove the field; "Name;" sends it empty.
      lines.append(
        field.value.isEmpty ? field.name.rawName + ";" : field.name.rawName + ": " + field.value)
    }
    if !fields.contains(.acceptEncoding) { lines.append("Accept-Encoding: gzip") }
    if sendsBody {
      // By default libcurl adds a content type, and waits a second for "100 Continue".
      if !fields.contains(.contentType) { lines.append("Content-Type:") }
      lines.append("Expect:")
    }
    return lines
  }

  /// The host in `authority` (`host`, `host:port`, `[IPv6]:port`), if it is well formed.
  private static func host(ofAuthority authority: String) -> String? {
    let colonSign = UInt8(ascii: ":")
    let (opening, closing) = (UInt8(ascii: "["), UInt8(ascii: "]"))
    var host = authority.utf8[...]
    if let colon = host.lastIndex(of: colonSign), host.last != closing {
      let port = host[host.index(after: colon)...]
      // `UInt16` also reads a sign.
      guard port.allSatisfy(\.isDigit), UInt16(Substring(port)) != nil else { return nil }
      host = host[..<colon]
    }
    if host.first == opening, host.last == closing {
      let address = host.dropFirst().dropLast()
      let isAddress = address.allSatisfy { $0.hexValue != nil || $0 == colonSign }
      return address.contains(colonSign) && isAddress ? String(Substring(host)) : nil
    }
    let isName = host.allSatisfy { $0.isAlphanumeric || "-._".utf8.contains($0) }
    return !host.isEmpty && isName ? String(Substring(host)) : nil
  }
}

extension HTTPField.Name {
  /// Whether the field is for framing and routing or for the next hop: the transport writes such
  /// fields itself (RFC 9110, section 7.6.1; RFC 9113, section 8.2.2).
  package var isTransports: Bool {
    switch canonicalName {
    case "connection", "content-length", "expect", "host", "http2-settings", "keep-alive",
      "proxy-authorization", "proxy-connection", "te", "trailer", "transfer-encoding", "upgrade":
      true
    default: false
    }
  }
}

extension UInt8 {
  /// Whether a header field cannot contain it (RFC 9110, section 5.5).
  fileprivate var isControl: Bool { self < 0x20 && self != UInt8(ascii: "\t") || self == 0x7F }
}
