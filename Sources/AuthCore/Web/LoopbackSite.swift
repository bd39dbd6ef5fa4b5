import CurlHTTP
import Sentences

/// What a browser finds on this machine during one sign-in: the way to the first page, and the redirect.
///
/// The browser is started with the address of the way in, so that the list of processes, which everyone on
/// this machine can read, shows neither `state` nor who signs in or out. It is good once, and both addresses
/// are this person's alone as far as the system tells whose a connection is.
///
/// Any program and any web page on this machine can send a request. So one must be meant for this listener by
/// its `Host`, which a page that was rebound to this machine's address has wrong, and know a secret: the path
/// of the way in, or the `state`.
final class LoopbackSite: LoopbackService {
  /// What to open in the browser.
  var address: String { "http://\(host)\(wayIn.withLock { $0.path })" }
  /// The language of its pages.
  private let language: PageLanguage

  private let pending: WebAuthenticationRequest
  private let onOtherResponse: @Sendable () -> Void
  private let hasOtherResponse = LockedValue(false)
  private let host: String
  /// The path of the way in, and whether it was taken.
  private let wayIn = LockedValue((path: LoopbackSite.newPath(), wasTaken: false))

  /// Creates the site of a sign-in.
  ///
  /// - Parameters:
  ///   - pending: the sign-in.
  ///   - host: the host and port of the site.
  ///   - language: the language of its pages.
  ///   - onOtherResponse: called when this person's browser brings the answer to another sign-in;
  ///     once, because any page can make it do so again and again.
  /// - Throws: when no browser can be redirected to the URL of the first page.
  init(
    for pending: WebAuthenticationRequest, at host: String, in language: PageLanguage = .english,
    onOtherResponse: @escaping @Sendable () -> Void = {}
  ) throws(AuthenticationError) {
    guard pending.startURL.utf8.allSatisfy(\.isVisibleASCII) else {
      throw AuthenticationError(
        .webAuthenticationFailed,
        Sentence(
          "The sign-in service’s page cannot be opened: its address contains an invalid character."),
        step: .authorization)
    }
    self.pending = pending
    self.language = language
    self.onOtherResponse = onOtherResponse
    self.host = host
  }

  /// Makes another way in, because the previous one may have been taken; that one no longer works.
  func renewAddress() {
    wayIn.withLock { $0 = (Self.newPath(), false) }
  }

  private static func newPath() -> String { "/" + Base64URL.encode(Runtime().randomBytes(16)) }

  /// Judges `request`, and asks whether it is this person's own when that matters.
  func response(to request: LoopbackRequest, isOwn: () -> Bool) -> LoopbackResponse {
    let target = request.target.split(
      separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    guard request.host.lowercased() == host else { return refusal(status: 403) }
    let path = wayIn.withLock { $0.path }
    if constantTimeEqual(String(target[0]), path) { return start(request.method, isOwn) }
    guard pending.redirectURI.isLoopback, target[0] == pending.redirectURI.path else {
      return refusal(status: 404)
    }
    let parameters: Substring
    switch request.method {
    case "GET":
      parameters = target.count > 1 ? target[1] : ""
    case "POST" where request.contentType == "application/x-www-form-urlencoded":
      guard let text = String(validating: request.body, as: UTF8.self),
        text.utf8.allSatisfy({ $0.isVisibleASCII && $0 != UInt8(ascii: "#") })
      else { return refusal(status: 400) }
      parameters = text[...]
    case "POST":
      return refusal(status: 415)
    default:
      return refusal(status: 405)
    }
    // The result has the parameters in its query, also if they came in a body (`form_post`).
    let url = "\(pending.redirectURI)?\(parameters)"
    guard pending.isAnswered(by: url) else {
      if !hasOtherResponse.withLock({ $0 }), isOwn() {
        hasOtherResponse.withLock { $0 = true }
        onOtherResponse()
      }
      return response(.stranger)
    }
    guard isOwn() else { return response(.someoneElse) }
    let error = FormEncoding.parse(parameters)?.first { $0.name == "error" }?.value
    return response(.end(error: error), result: url)
  }

  func refusal(status: Int) -> LoopbackResponse { response(.refusal(status: status)) }

  private func response(_ page: LoopbackPage, result: String? = nil) -> LoopbackResponse {
    page.response(in: language, result: result)
  }

  private func start(_ method: String, _ isOwn: () -> Bool) -> LoopbackResponse {
    guard method == "GET" else { return refusal(status: 405) }
    guard isOwn() else { return response(.someoneElse) }
    let isFirst = wayIn.withLock { wayIn in
      defer { wayIn.wasTaken = true }
      return !wayIn.wasTaken
    }
    guard isFirst else { return response(.startedBefore) }
    return LoopbackResponse(
      status: 302, fields: ["Location: \(pending.startURL)", "Referrer-Policy: no-referrer"])
  }
}
