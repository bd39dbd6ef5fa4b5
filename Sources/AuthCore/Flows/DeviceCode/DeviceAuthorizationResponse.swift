import CurlHTTP
import FoundationEssentials
import HTTPTypes
import Sentences

/// A validated device authorization response (RFC 8628, section 3.2).
struct DeviceAuthorizationResponse: Sendable {
  /// What to show to the user.
  var code: DeviceCode
  /// The device code for polling.
  var deviceCode: Secret<String>
  /// The polling interval in seconds.
  var interval: Int

  /// The interval when the server sends none (RFC 8628, section 3.2).
  static let defaultInterval = 5.0
  /// The accepted intervals: a shorter one would burden the server, a longer one is likely an
  /// error.
  static let intervals = 1.0...60
  /// The longest accepted lifetime of a code, in seconds; longer ones are cut to it.
  static let maximumLifetime = 3600.0
  /// The longest accepted user code: the services' own have about nine characters.
  static let maximumUserCodeLength = 20

  /// Parses and validates `reply`.
  ///
  /// The verification URI must be on a host of `authority`, because the user will sign in there.
  /// External ID's own page replaces Microsoft's.
  init(
    _ reply: HTTPReply, receivedAt: Date, from authority: Authority
  ) throws(AuthenticationError) {
    guard reply.response.status == .ok, let json = try? JSON(parsing: reply.body) else {
      var error = TokenResponse.failure(reply, from: authority)
      error.step = .authorization
      throw error.withPause(of: reply, receivedAt: receivedAt)
    }
    guard let deviceCode = json["device_code"]?.string, !deviceCode.isEmpty,
      TokenText.isVisible(deviceCode)
    else {
      throw .unusableResponse(Sentence("it has no device code"), step: .authorization)
    }
    guard let userCode = json["user_code"]?.string, Self.canBeTyped(userCode) else {
      throw .unusableResponse(Sentence("its user code is not valid"), step: .authorization)
    }
    func page(_ member: String) throws(AuthenticationError) -> String? {
      if let url = json[member]?.string, let host = Self.host(of: url) {
        if KnownClouds.pageHosts(of: authority.environment).contains(host) { return url }
        // External ID names Microsoft's page, where its own accounts cannot sign in.
        if authority.kind == .externalID, KnownClouds.deviceCodeHosts.contains(host) { return nil }
      }
      throw .unusableResponse(
        Sentence("its address does not belong to the sign-in service"), step: .authorization)
    }
    guard let lifetime = json["expires_in"]?.number, lifetime > 0 else {
      throw .unusableResponse(
        Sentence("it does not say how long the code is valid"), step: .authorization)
    }
    let interval = json["interval"]?.number ?? Self.defaultInterval
    self.code = DeviceCode(
      userCode: userCode,
      verificationURI: try page("verification_uri")
        ?? "https://\(authority.environment)/common/oauth2/deviceauth",
      verificationURIComplete: json.optional("verification_uri_complete") == nil
        ? nil : try page("verification_uri_complete"),
      expiresOn: receivedAt + min(lifetime, Self.maximumLifetime))
    self.deviceCode = Secret(deviceCode)
    self.interval = Int(
      min(max(interval, Self.intervals.lowerBound), Self.intervals.upperBound).rounded(.up))
  }

  /// Whether it consists of letters and digits, optionally in groups separated by hyphens (RFC
  /// 8628, section 6.1), so that it cannot contain a message.
  private static func canBeTyped(_ code: String) -> Bool {
    code.utf8.count <= maximumUserCodeLength
      && code.split(separator: "-", omittingEmptySubsequences: false).allSatisfy {
        !$0.isEmpty && $0.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber) }
      }
  }

  /// The host of a page that can be shown; nil when `url` is none.
  private static func host(of url: String) -> String? {
    let url = AuthorityURL.normalized(url)
    guard url.hasPrefix("https://"), url.utf8.count <= 2048,
      url.utf8.allSatisfy({ $0.isVisibleASCII && $0 != UInt8(ascii: "\\") })
    else { return nil }
    return HTTPRequest(url: url).authority
  }
}
