/// What the loopback listener says to a request: the redirect that is waited for, or something else.
struct LoopbackAnswer: Sendable {
  /// What the browser shows.
  var page: LoopbackPage
  /// The redirect's URL, when this was it.
  ///
  /// Whether it came in a query or, with `response_mode=form_post`, in a body: here it is in the query.
  var redirect: String?

  /// Judges `request` for someone who waits for the answer to `pending`.
  ///
  /// Any program and any web page on this machine can send one. So it must be meant for this listener by its
  /// `Host`, which a page that was rebound to this machine's address has wrong, and know the `state`.
  init(to request: LoopbackRequest, pending: WebAuthenticationRequest) {
    let target = request.target.split(
      separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    guard request.host.lowercased() == pending.redirectURI.loopbackAuthority else {
      self.init(page: .refusal(status: 403))
      return
    }
    guard target[0] == pending.redirectURI.path else {
      self.init(page: .refusal(status: 404))
      return
    }
    let parameters: Substring
    switch request.method {
    case "GET":
      parameters = target.count > 1 ? target[1] : ""
    case "POST" where request.contentType == "application/x-www-form-urlencoded":
      guard let text = String(validating: request.body, as: UTF8.self),
        text.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7f && $0 != UInt8(ascii: "#") })
      else {
        self.init(page: .refusal(status: 400))
        return
      }
      parameters = text[...]
    case "POST":
      self.init(page: .refusal(status: 415))
      return
    default:
      self.init(page: .refusal(status: 405))
      return
    }
    let url = "\(pending.redirectURI)?\(parameters)"
    guard pending.isAnswered(by: url) else {
      self.init(page: .stranger)
      return
    }
    let error = FormEncoding.parse(parameters)?.first { $0.name == "error" }?.value
    self.init(page: .end(error: error), redirect: url)
  }

  private init(page: LoopbackPage, redirect: String? = nil) {
    self.page = page
    self.redirect = redirect
  }
}
