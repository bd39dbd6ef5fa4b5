public import HTTPTypes

extension HTTPRequest {
  /// Creates a request for an absolute `https` URL.
  ///
  /// A fragment is removed.
  public init(url: String, method: HTTPRequest.Method = .get) {
    let whole = url.prefix { $0 != "#" }
    let scheme = whole.firstRange(of: "://").map { whole[..<$0.lowerBound] }
    let rest = whole.dropFirst(scheme.map { $0.count + 3 } ?? 0)
    let authority = rest.prefix { $0 != "/" && $0 != "?" }
    let path = rest.dropFirst(authority.count)
    self.init(
      method: method, scheme: scheme.map(String.init), authority: String(authority),
      path: path.hasPrefix("/") ? String(path) : "/" + path)
  }
}

extension HTTPField.Name {
  /// `client-request-id`: the client's request ID, which Microsoft's servers log.
  public static let clientRequestID = Self("client-request-id").unsafelyUnwrapped
  /// `return-client-request-id`: asks the server to return that ID.
  static let returnClientRequestID = Self("return-client-request-id").unsafelyUnwrapped
}
