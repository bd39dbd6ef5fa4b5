import HTTPTypes

extension Set<Fault> {
  /// The reply of the token endpoint before it has read the request.
  var tokenRefusal: Response? {
    if contains(.tokenThrottled) { return .pause(.tooManyRequests) }
    if contains(.tokenUnavailable) { return .pause(.serviceUnavailable) }
    if contains(.tokenServerError) { return Response(status: .internalServerError) }
    return nil
  }

  /// The reply of the token endpoint instead of `json`; nil for none.
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

  /// The delay of a route.
  func delay(of route: String) -> Duration? {
    contains(.tokenSlow) && route.hasSuffix("/token") ? .seconds(600) : nil
  }
}

extension Response {
  /// A reply that asks to wait for half a minute.
  fileprivate static func pause(_ status: HTTPResponse.Status) -> Response {
    Response(status: status, headers: [.retryAfter: "30"])
  }
}
