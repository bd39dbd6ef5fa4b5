import HTTPTypes

extension Set<Fault> {
  /// What the token endpoint answers before it has read a request.
  var tokenRefusal: Response? {
    if contains(.tokenThrottled) { return .pause(.tooManyRequests) }
    if contains(.tokenUnavailable) { return .pause(.serviceUnavailable) }
    if contains(.tokenServerError) { return Response(status: .internalServerError) }
    return nil
  }

  /// What the token endpoint answers in place of `json`; nil when that is what it answers.
  func tokenReply(for json: JSON) -> Response? {
    if contains(.tokenPage) {
      return .text("<html>Welcome to this hotel</html>", type: "text/html")
    }
    if contains(.tokenTruncated) { return .text(String(json.text.dropLast(40))) }
    if contains(.tokenDuplicate) {
      return .text("{\"access_token\":\"another\"," + json.text.dropFirst())
    }
    if contains(.tokenHuge) {
      var json = json
      json["padding"] = .string(String(repeating: "x", count: 2 << 20))
      return .text(json.text)
    }
    if contains(.tokenRedirect) {
      return Response(status: .temporaryRedirect, headers: [.location: "/elsewhere"])
    }
    if contains(.tokenErrorOK) { return .text("{\"error\":\"invalid_grant\"}") }
    return nil
  }

  /// How long the answer of a route waits.
  func delay(of route: String) -> Duration? {
    contains(.tokenSlow) && route.hasSuffix("/token") ? .seconds(600) : nil
  }
}

extension Response {
  /// A refusal that asks for half a minute.
  fileprivate static func pause(_ status: HTTPResponse.Status) -> Response {
    Response(status: status, headers: [.retryAfter: "30"])
  }
}
