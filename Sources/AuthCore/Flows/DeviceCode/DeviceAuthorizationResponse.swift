import CurlHTTP
import FoundationEssentials
import HTTPTypes
import Sentences

/// The answer of a device authorization endpoint, checked (RFC 8628, section 3.2).
struct DeviceAuthorizationResponse: Sendable {
  /// What the person is shown.
  var code: DeviceCode
  /// What the token endpoint is asked with.
  var deviceCode: Secret<String>
  /// The seconds between two questions.
  var interval: Int

  /// The pause when the server names none (RFC 8628, section 3.2).
  static let defaultInterval = 5
  /// The pauses that are believed: a shorter one would be a burden, a longer one looks like a fault.
  static let intervals = 1...60
  /// The longest life of a code that is believed, in seconds: longer ones are cut to it.
  static let maximumLifetime = 3600
  /// The longest code that a person is asked to type: the services' own have about nine characters.
  static let maximumUserCodeLength = 20

  /// Reads and checks `reply`.
  ///
  /// The person is about to be sent to an address by this answer, so it must be one where they can sign
  /// in: a host of `authority`'s own.
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
    guard let lifetime = json["expires_in"]?.integer, lifetime > 0 else {
      throw Self.invalid(Sentence("it does not say how long the code is valid"))
    }
    let interval = json["interval"]?.integer ?? Self.defaultInterval
    self.code = DeviceCode(
      userCode: userCode, verificationURI: try address("verification_uri"),
      verificationURIComplete: json["verification_uri_complete"] == nil
        ? nil : try address("verification_uri_complete"),
      expiresOn: receivedAt + Double(min(lifetime, Self.maximumLifetime)))
    self.deviceCode = Secret(deviceCode)
    self.interval = min(max(interval, Self.intervals.lowerBound), Self.intervals.upperBound)
  }

  /// Letters and digits, perhaps in groups with hyphens between them (RFC 8628, section 6.1): nothing that
  /// could pass for a sentence.
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
