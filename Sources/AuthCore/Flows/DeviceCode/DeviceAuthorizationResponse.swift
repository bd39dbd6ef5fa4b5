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
  init(
    _ reply: HTTPReply, receivedAt: Date, from authority: Authority
  ) throws(AuthenticationError) {
    guard reply.response.status == .ok, let json = try? JSON(parsing: reply.body) else {
      var error = TokenResponse.failure(reply, from: authority)
      error.step = .authorization
      throw error
    }
    guard let deviceCode = json["device_code"]?.string, !deviceCode.isEmpty,
      TokenText.isVisible(deviceCode)
    else {
      throw Self.invalid(Sentence("it has no device code"))
    }
    guard let userCode = json["user_code"]?.string, Self.canBeTyped(userCode) else {
      throw Self.invalid(Sentence("its user code is not valid"))
    }
    func address(_ member: String) throws(AuthenticationError) -> String {
      guard let url = json[member]?.string, Self.isPage(url, of: authority) else {
        throw Self.invalid(Sentence("its address does not belong to the sign-in service"))
      }
      return url
    }
    guard let lifetime = json["expires_in"]?.number, lifetime > 0 else {
      throw Self.invalid(Sentence("it does not say how long the code is valid"))
    }
    let interval = json["interval"]?.number ?? Self.defaultInterval
    self.code = DeviceCode(
      userCode: userCode, verificationURI: try address("verification_uri"),
      verificationURIComplete: json.optional("verification_uri_complete") == nil
        ? nil : try address("verification_uri_complete"),
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

  private static func isPage(_ url: String, of authority: Authority) -> Bool {
    let scheme = "https://"
    guard url.hasPrefix(scheme), url.utf8.count <= 2048,
      url.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7f && $0 != UInt8(ascii: "\\") })
    else { return false }
    let host = url.dropFirst(scheme.count).prefix { !"/?#".contains($0) }.lowercased()
    return KnownClouds.pageHosts(of: authority.environment).contains(host)
  }

  private static func invalid(_ reason: Sentence) -> AuthenticationError {
    AuthenticationError(
      .invalidResponse,
      Sentence("The sign-in service's response cannot be used: {reason}.", ["reason": reason]),
      step: .authorization)
  }
}
