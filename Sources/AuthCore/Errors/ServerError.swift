import CurlHTTP
import HTTPTypes
import Sentences

/// A server's error (RFC 6749, sections 4.1.2.1 and 5.2), with Microsoft's additions.
struct ServerError: Sendable {
  var error: String
  var suberror: String?
  var description: String?
  var codes: [Int] = []
  var correlationID: String?
  var claims: ClaimsRequest?
  var httpStatus: Int?
  var step: AuthenticationError.Step
  /// The authority that sent it.
  var authority = Authority.common

  /// Parses the error of a redirect.
  init(
    authorizationResponse error: String, _ parameters: [String: String], from authority: Authority
  ) {
    self.error = error
    self.authority = authority
    suberror = parameters["error_subcode"] ?? parameters["suberror"]
    description = parameters["error_description"]
    correlationID = parameters["correlation_id"]
    step = .authorization
    codes = Self.codes(in: description)
    // `1|50076|basic_action||`: version, code, suberror, and unused parts.
    let clientData = parameters["clidata"]?.split(separator: "|", omittingEmptySubsequences: false)
    if let clientData, clientData.count > 2, clientData[0] == "1" {
      if codes.isEmpty, let code = Int(clientData[1]), code > 0 { codes = [code] }
      if suberror == nil, !clientData[2].isEmpty { suberror = String(clientData[2]) }
    }
  }

  /// Parses the error of a token response; nil when `reply` contains none.
  init?(tokenResponse reply: HTTPReply, _ json: JSON, from authority: Authority) {
    guard let error = json["error"]?.string, !error.isEmpty else { return nil }
    self.error = error
    self.authority = authority
    suberror = json["suberror"]?.string
    description = json["error_description"]?.string
    correlationID = json["correlation_id"]?.string
    claims = json["claims"]?.string.flatMap { try? ClaimsRequest(json: $0) }
    httpStatus = reply.response.status.code
    step = .token
    codes = json["error_codes"]?.array?.compactMap(\.integer) ?? Self.codes(in: description)
  }

  /// The `AADSTS` numbers in the server's message.
  static func codes(in description: String?) -> [Int] {
    // By bytes: it can also be any page.
    let bytes = Array((description ?? "").utf8)
    let mark = "AADSTS"
    var known: Set<Int> = []
    return bytes.places(of: mark).compactMap { place in
      let digits = bytes[(place + mark.utf8.count)...].prefix(while: \.isDigit)
      return Int(String(decoding: digits, as: UTF8.self))
    }.filter { known.insert($0).inserted }
  }

  /// The error for the caller.
  var authenticationError: AuthenticationError {
    var result = AuthenticationError(code, sentence, step: step)
    result.oauthError = Self.plain(error, limit: 100)
    result.suberror = suberror.map { Self.plain($0, limit: 100) }
    result.serverDescription = description.map { Self.plain($0, limit: 2000) }
    result.serverErrorCodes = codes
    result.correlationID = correlationID.map { Self.plain($0, limit: 100) }
    result.httpStatus = httpStatus
    result.claims = claims
    return result
  }

  private var code: AuthenticationError.Code {
    if let httpStatus, HTTPResponse.Status(code: httpStatus).isOutage { return .serverUnavailable }
    let known = OAuthError(error)
    // "Forgot your password?" is a request by the user, though the server reports `access_denied`.
    if known == .accessDenied, description?.contains(ErrorGuidance.passwordReset) == true {
      return .serverError
    }
    // A request without pages is never sent, so the user saw them and refused there. Microsoft's
    // numbers tell that apart from permissions that nobody was asked for.
    if known == .consentRequired, step == .authorization, codes.isEmpty || codes.contains(65004) {
      return .userCanceled
    }
    return known?.code ?? .serverError
  }

  private var sentence: Sentence {
    // The user left the first page, before any consent. The error code alone says something else.
    if code == .userCanceled, OAuthSuberror(suberror) == .cancel {
      return Sentence("The sign-in was canceled.")
    }
    if let guidance = ErrorGuidance(codes: codes, suberror: suberror, description: description) {
      return guidance.sentence
    }
    switch code {
    case .userCanceled where OAuthError(error) == .consentRequired:
      return Sentence([
        Sentence("You declined this app’s permissions."),
        Sentence("To use the app, sign in again and accept them."),
      ])
    case .userCanceled where OAuthError(error) == .authorizationDeclined:
      return Sentence("The sign-in on the other device was declined.")
    case .userCanceled:
      // The service may have refused by a rule of its own, and then only its words tell.
      return description.map {
        Sentence(
          "The sign-in was declined. {service}: {words}",
          [
            "service": authority.signInService,
            "words": Self.plain(Self.firstSentence($0), limit: 300),
          ])
      } ?? Sentence("The sign-in was declined.")
    case .deviceCodeExpired:
      return Sentence("The code was not entered in time. Sign in again to get a new one.")
    case .interactionRequired:
      return Sentence("{service} asks you to sign in again.", ["service": authority.serviceName])
    case .serverUnavailable where httpStatus == 429:
      return Sentence(
        "{service} received too many requests (HTTP 429). Try again later.",
        ["service": authority.signInService])
    case .serverUnavailable:
      return Sentence(
        "{service} is not available at the moment. Try again later.",
        ["service": authority.signInService])
    default:
      return Self.refusal(error, description, by: authority)
    }
  }

  /// Says that a service refused a request, in its own words if it has any.
  static func refusal(
    _ error: String, _ description: String?, by authority: Authority
  ) -> Sentence {
    let service = authority.signInService
    return description.map {
      Sentence(
        "{service} refused the request: {words}",
        ["service": service, "words": plain(firstSentence($0), limit: 300)])
    }
      ?? Sentence(
        "{service} refused the request ({error}).",
        ["service": service, "error": plain(error, limit: 100)])
  }

  /// The first sentence of the server's message, without the IDs that follow it.
  private static func firstSentence(_ text: String) -> String {
    let end = text.firstRange(of: " Trace ID:")?.lowerBound ?? text.endIndex
    return String(text[..<end])
  }

  /// The beginning of `text`, on one line without control characters, so that it cannot pass for a
  /// log line.
  private static func plain(_ text: String, limit: Int) -> String {
    var result = String.UnicodeScalarView()
    for scalar in text.unicodeScalars.prefix(limit) {
      result.append(scalar.isPlain ? scalar : " ")
    }
    return String(result)
  }
}
