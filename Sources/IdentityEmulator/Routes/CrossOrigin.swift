import HTTPTypes

/// What web pages of other origins may ask (Fetch Standard, section 3.2).
enum CrossOrigin {
  /// The answer to a preflight request; nil for any other request.
  static func preflight(_ request: Request) -> Response? {
    guard request.method == .options, request.headers[.origin] != nil,
      let method = request.headers[.accessControlRequestMethod], isShared(request.path)
    else { return nil }
    var fields: HTTPFields = [
      .accessControlAllowOrigin: "*", .accessControlAllowMethods: method,
      .accessControlMaxAge: "86400",
    ]
    fields[.accessControlAllowHeaders] = request.headers[.accessControlRequestHeaders]
    return Response(status: .noContent, headers: fields)
  }

  /// Lets the page that sent the request read the response.
  static func allow(_ request: Request, _ response: inout Response) {
    guard request.headers[.origin] != nil, isShared(request.path) else { return }
    response.headers[.accessControlAllowOrigin] = "*"
    response.headers[.accessControlExposeHeaders] =
      "ETag, Location, Preference-Applied, Content-Range, request-id, client-request-id, "
      + "ReadWriteConsistencyToken, Retry-After, WWW-Authenticate"
  }

  /// Whether pages may read `path`: everything but the pages themselves and the control.
  private static func isShared(_ path: String) -> Bool {
    let last = path.split(separator: "/").last ?? ""
    return !["authorize", "signin", "resume", "logout", "devicelogin"].contains(last)
      && !path.hasPrefix("/control/")
  }
}
