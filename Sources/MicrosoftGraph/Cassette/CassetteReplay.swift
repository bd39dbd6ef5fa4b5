import AuthCore
import Crypto
import CryptoExtras
import CurlHTTP
import FoundationEssentials
import HTTPTypes

/// Finds the recorded response to a request.
///
/// A stand-in of the recording is like anything; what the app sends in its place is put into the
/// responses, so that the app recognizes its own client ID, nonce and host.
struct CassetteReplay: Sendable {
  private let entries: [CassetteEntry]
  /// The URLs of the entries: each is compared with each request.
  private let addresses: [Address]
  private var used: Set<Int> = []
  /// What the app sent for a stand-in.
  private var bound: [String: String] = [:]
  /// Signs ID tokens; nil when no key can be made.
  private static let key = try? _RSA.Signing.PrivateKey(keySize: .bits2048)

  init(_ entries: [CassetteEntry]) {
    self.entries = entries
    addresses = entries.map { Address($0.url) }
  }

  /// The requests to something other than a sign-in service.
  var requests: [Cassette.Request] {
    entries.filter { entry in
      !["/oauth2/", "/.well-known/", "/discovery/"].contains { entry.url.contains($0) }
    }.map {
      Cassette.Request(
        method: $0.method, url: $0.url, body: String(decoding: $0.requestBody, as: UTF8.self),
        status: $0.status)
    }
  }

  /// The response to a request; nil when the recording has none.
  mutating func reply(to request: CassetteEntry) -> HTTPReply? {
    let address = Address(request.url)
    for isExact in [true, false] {
      for index in entries.indices where !used.contains(index) {
        guard let bindings = match(index, request, address, isExact: isExact) else { continue }
        used.insert(index)
        bound.merge(bindings) { old, _ in old }
        return reply(entries[index])
      }
    }
    // What is only read can be read again.
    guard request.method == "GET" else { return nil }
    let last = entries.indices.last { match($0, request, address, isExact: false) != nil }
    return last.map { reply(entries[$0]) }
  }

  // MARK: Requests

  /// A URL in parts, decoded.
  private struct Address {
    var scheme = ""
    var host = ""
    var segments: [String] = []
    var parameters: [FormEncoding.Parameter] = []

    init(_ url: String) {
      guard let end = url.firstRange(of: "://") else { return }
      scheme = url[..<end.lowerBound].lowercased()
      var rest = url[end.upperBound...].prefix { $0 != "#" }
      host = rest.prefix { !"/?".contains($0) }.lowercased()
      rest = rest.dropFirst(host.count)
      segments = rest.prefix { $0 != "?" }.split(separator: "/", omittingEmptySubsequences: false)
        .map { part in
          Redaction.decoded(part)
        }
      parameters = FormEncoding.query(of: url).flatMap { FormEncoding.parse($0) } ?? []
    }
  }

  /// What the stand-ins of a recorded request are in another one; nil when it is not like that.
  ///
  /// - Parameters:
  ///   - index: the index of the recorded request.
  ///   - other: the URL of `request`.
  private func match(
    _ index: Int, _ request: CassetteEntry, _ other: Address, isExact: Bool
  ) -> [String: String]? {
    let (recorded, one) = (entries[index], addresses[index])
    guard recorded.method == request.method else { return nil }
    var matcher = Matcher(bound: bound, isExact: isExact)
    guard one.scheme == other.scheme, one.segments.count == other.segments.count,
      matcher.host(one.host, other.host),
      zip(one.segments, other.segments).allSatisfy({ matcher.text($0, $1) }),
      matcher.parameters(one.parameters, other.parameters)
    else { return nil }
    if CassetteEntry.type(recorded.requestFields).contains("x-www-form-urlencoded") {
      let forms = [recorded, request].map {
        FormEncoding.parse(String(decoding: $0.requestBody, as: UTF8.self)) ?? []
      }
      guard matcher.parameters(forms[0], forms[1]) else { return nil }
    }
    return matcher.found
  }

  private struct Matcher {
    let bound: [String: String]
    /// Whether stand-ins are only what they were bound to.
    let isExact: Bool
    var found: [String: String] = [:]

    mutating func text(_ recorded: String, _ sent: String) -> Bool {
      if recorded == sent { return true }
      let name =
        recorded.hasSuffix(":") && sent.hasSuffix(":") ? String(recorded.dropLast()) : recorded
      let value = name == recorded ? sent : String(sent.dropLast())
      guard Redaction.isStandIn(name) else {
        // A scope with the ID of an API.
        return !isExact && Redaction.hasStandIn(recorded)
      }
      if let known = bound[name] ?? found[name] { return known == value }
      // A new value for each sign-in is not known before.
      guard !Redaction.isStandIn(value), !isExact else { return false }
      found[name] = value
      return true
    }

    mutating func host(_ recorded: String, _ sent: String) -> Bool {
      let (name, port) = (recorded.prefix { $0 != ":" }, recorded.drop { $0 != ":" })
      guard Redaction.isStandIn(name) else { return recorded == sent }
      return port == sent.drop { $0 != ":" }
        && text(String(name), String(sent.prefix { $0 != ":" }))
    }

    mutating func parameters(
      _ recorded: [FormEncoding.Parameter], _ sent: [FormEncoding.Parameter]
    ) -> Bool {
      let names = Set(recorded.map(\.name).filter { !Redaction.isStandIn($0) })
      // What has a stand-in as its name keeps its place.
      func compared(_ list: [FormEncoding.Parameter]) -> [FormEncoding.Parameter] {
        let list = list.filter { !$0.name.lowercased().hasPrefix("x-client") }
        return list.filter { names.contains($0.name) }.sorted { $0.name < $1.name }
          + list.filter { !names.contains($0.name) }
      }
      let (one, other) = (compared(recorded), compared(sent))
      guard one.count == other.count else { return false }
      return zip(one, other).allSatisfy { one, other in
        (names.contains(one.name) ? one.name == other.name : text(one.name, other.name))
          && text(one.value, other.value)
      }
    }
  }

  // MARK: Responses

  private func reply(_ entry: CassetteEntry) -> HTTPReply {
    var response = HTTPResponse(status: .init(code: entry.status))
    // The size of what is substituted is another one.
    for field in entry.responseFields where field.name != .contentLength {
      response.headerFields.append(HTTPField(name: field.name, value: substituted(field.value)))
    }
    // What is not in the file has its size.
    var body =
      entry.responseBody.isEmpty
      ? Data(count: min(entry.responseSize, FileReader.Limit.input)) : entry.responseBody
    if CassetteEntry.type(entry.responseFields).contains("json"),
      let json = try? JSON(parsing: body)
    {
      body = Data(substituted(json, "", entry).compactText.utf8)
    }
    return HTTPReply(response: response, body: body)
  }

  private func substituted(_ text: String) -> String {
    guard Redaction.hasStandIn(text) else { return text }
    let bytes = Array(text.utf8)
    var result: [UInt8] = []
    var index = 0
    while index < bytes.count {
      if let standIn = Redaction.standIn(at: index, in: bytes), let value = bound[standIn] {
        result += value.utf8
        index += standIn.utf8.count
      } else {
        result.append(bytes[index])
        index += 1
      }
    }
    return String(decoding: result, as: UTF8.self)
  }

  private func substituted(_ json: JSON, _ name: String, _ entry: CassetteEntry) -> JSON {
    if let text = json.string {
      switch name {
      case "id_token": return .string(signed(text, entry) ?? text)
      case "client_info":
        let data = Base64URL.decode(text) ?? Data()
        return .string(Base64URL.encode(substituted(String(decoding: data, as: UTF8.self)).utf8))
      default: return .string(substituted(text))
      }
    }
    if let list = json.array { return .array(list.map { substituted($0, name, entry) }) }
    guard let members = json.object else { return json }
    if json["kty"]?.string == "RSA", let key = Self.key,
      let parts = try? key.publicKey.getKeyPrimitives()
    {
      // The recorded key cannot sign any more.
      let kept = members.filter { !["n", "e", "x5c", "x5t", "x5t#S256"].contains($0.name) }
      return .object(
        kept.map { substituted($0, entry) } + [
          JSON.Member("n", .string(Base64URL.encode(parts.modulus))),
          JSON.Member("e", .string(Base64URL.encode(parts.publicExponent))),
        ])
    }
    return .object(members.map { substituted($0, entry) })
  }

  private func substituted(_ member: JSON.Member, _ entry: CassetteEntry) -> JSON.Member {
    JSON.Member(substituted(member.name), substituted(member.value, member.name, entry))
  }

  /// A token that is valid now.
  private func signed(_ text: String, _ entry: CassetteEntry) -> String? {
    let parts = text.split(separator: ".")
    guard let key = Self.key, parts.count == 3, let data = Base64URL.decode(parts[1]),
      let claims = try? JSON(parsing: data)
    else { return nil }
    let later = Int(clamping: Int64(Date().timeIntervalSince(entry.start).rounded()))
    let members = (substituted(claims, "", entry).object ?? []).map { member in
      guard ["exp", "iat", "nbf", "auth_time"].contains(member.name),
        let (time, isOverflow) = member.value.integer?.addingReportingOverflow(later), !isOverflow
      else { return member }
      return JSON.Member(member.name, .number("\(time)"))
    }
    let signed = parts[0] + "." + Base64URL.encode(JSON.object(members).compactText.utf8)
    guard
      let signature = try? key.signature(for: Data(signed.utf8), padding: .insecurePKCS1v1_5)
    else { return nil }
    return signed + "." + Base64URL.encode(signature.rawRepresentation)
  }
}
