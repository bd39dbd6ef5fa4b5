import CurlHTTP
import FoundationEssentials
import HTTPTypes
import Sentences

/// A successful token response (RFC 6749, section 5.1), parsed but not yet checked against the
/// request.
struct TokenResponse: Sendable {
  var accessToken: Secret<String>
  var refreshToken: Secret<String>?
  var idToken: Secret<String>?
  /// The account in `client_info`.
  var homeAccountID: HomeAccountID?
  /// The granted scopes; nil when the server lists none, which means all that were requested.
  var scopes: Scopes?
  /// Seconds until the access token expires.
  var expiresIn: Int
  /// Seconds until it expires even during an outage.
  var extendedExpiresIn: Int?
  /// Seconds after which it is due for renewal, though still valid.
  var refreshIn: Int?
  /// The optional members that were ignored, because they are not what they should be.
  var oddMembers: [String] = []

  /// The longest accepted lifetime; longer ones are cut to it.
  static let maximumLifetime = 48 * 3600
  /// The longest accepted lifetime during an outage; Microsoft grants 73 hours.
  static let maximumExtendedLifetime = 7 * 24 * 3600

  /// Parses `reply`.
  ///
  /// - Parameters:
  ///   - isBound: whether the access token was to be bound to a key.
  ///   - authority: the authority of the request.
  /// - Throws: ``AuthenticationError`` with the server's error, if it sent one, and
  ///   ``AuthenticationError/Code/invalidResponse`` for anything else that is not a token response.
  init(
    _ reply: HTTPReply, receivedAt: Date, isBound: Bool, from authority: Authority
  ) throws(AuthenticationError) {
    do throws(AuthenticationError) {
      try self.init(reply, isBound: isBound, from: authority)
    } catch {
      var error = error
      // Without a pause of the service's own, the usual one: see ``Throttle``.
      error.retryAfter = PauseLength.after(reply, at: receivedAt).map(Duration.seconds)
      error.isPauseRequested = reply.response.headerFields[.retryAfter] != nil
      throw error
    }
  }

  private init(
    _ reply: HTTPReply, isBound: Bool, from authority: Authority
  ) throws(AuthenticationError) {
    guard let json = try? JSON(parsing: reply.body), json.object != nil,
      ServerError(tokenResponse: reply, json, from: authority) == nil,
      reply.response.status == .ok
    else { throw Self.failure(reply, from: authority) }
    guard let token = json["access_token"]?.string, !token.isEmpty else {
      throw .unusableResponse(Sentence("it has no access token"))
    }
    guard TokenText.isAccessToken(token) else {
      throw .unusableResponse(Sentence("its access token contains invalid characters"))
    }
    guard json["token_type"]?.string?.lowercased() == (isBound ? "pop" : "bearer") else {
      throw .unusableResponse(Sentence("its access token is of a different type than requested"))
    }
    accessToken = Secret(token)
    refreshToken = json["refresh_token"]?.string.flatMap { $0.isEmpty ? nil : Secret($0) }
    guard refreshToken.map({ TokenText.isVisible($0.exposed) }) != false else {
      throw .unusableResponse(Sentence("its refresh token contains invalid characters"))
    }
    // An optional member with an odd value is no reason to refuse tokens that cannot be had twice.
    var oddMembers: [String] = []
    func optional<Value>(_ name: String, _ read: (JSON) -> Value?) -> Value? {
      guard let member = json.optional(name) else { return nil }
      let value = read(member)
      if value == nil { oddMembers.append(name) }
      return value
    }
    idToken = optional("id_token") { $0.string.map(Secret.init) }
    homeAccountID = optional("client_info") {
      $0.string.flatMap(HomeAccountID.init(clientInfo:))
    }
    scopes = optional("scope") { $0.string.map(Scopes.init(joined:)) }
    // A minute if the server does not say: RFC 6749 leaves it open.
    expiresIn = optional("expires_in") { Self.seconds($0, upTo: Self.maximumLifetime) } ?? 60
    extendedExpiresIn = optional("ext_expires_in") {
      Self.seconds($0, upTo: Self.maximumExtendedLifetime)
    }
    refreshIn = optional("refresh_in") { Self.seconds($0, upTo: Self.maximumLifetime) }
    self.oddMembers = oddMembers
  }

  /// Whole seconds; nil for anything but a number that is not negative.
  private static func seconds(_ json: JSON, upTo longest: Int) -> Int? {
    json.number.flatMap { $0 < 0 ? nil : Int(min($0, Double(longest))) }
  }

  /// The error for a `reply` without tokens: the server's error, if it sent one.
  static func failure(_ reply: HTTPReply, from authority: Authority) -> AuthenticationError {
    let status = reply.response.status
    if let json = try? JSON(parsing: reply.body),
      let error = ServerError(tokenResponse: reply, json, from: authority)
    {
      return error.authenticationError
    }
    if let outage = AuthenticationError(
      outage: reply, of: authority.signInService, step: .token)
    {
      return outage
    }
    var error: AuthenticationError
    if status.kind == .redirection {
      error = .unusableResponse(Sentence("it is a redirect, and redirects are not followed"))
    } else {
      error = .notFromSignInService(step: .token)
    }
    error.httpStatus = status.code
    return error
  }
}
