import AuthCore
import CurlHTTP
import HTTPTypes
import Sentences

/// The URL that a request is sent to: on the host of the client, and on no other, because the token is
/// only for that host.
extension GraphClient {
  /// The request without token and ID.
  ///
  /// - Throws: ``GraphError`` with code `invalidURL`, also when it is not on ``host``, with code
  ///   `invalidRequest` when it has too many header fields, and with code `noAPI` without a host.
  func httpRequest(_ request: GraphRequest) throws(GraphError) -> HTTPRequest {
    guard !host.isEmpty else { throw .noAPI }
    guard !request.path.isMisleading else {
      throw GraphError(
        .invalidURL,
        Sentence("The request cannot be sent, because a value in its path is empty or only dots."))
    }
    guard request.headerFields.count <= HTTPFields.limit else { throw .tooManyFields }
    var result =
      request.path.isAbsolute
      ? try absoluteRequest(request)
      : HTTPRequest(
        method: request.method, scheme: "https", authority: host, path: absolutePath(request))
    result.headerFields = request.headerFields
    if !request.headerFields.contains(.accept) { result.headerFields[.accept] = "application/json" }
    return result
  }

  private func absoluteRequest(_ request: GraphRequest) throws(GraphError) -> HTTPRequest {
    let url = request.target
    let result = HTTPRequest(url: url, method: request.method)
    let authority = result.authority?.lowercased() ?? ""
    guard result.scheme?.lowercased() == "https", authority == host || authority == host + ":443"
    else {
      throw GraphError(
        .invalidURL,
        Sentence(
          "The request cannot be sent to “{other}”, because the token is only for “{host}”.",
          ["other": authority.isEmpty ? url : authority, "host": host]))
    }
    return result
  }

  /// Where `request` is sent to, encoded.
  ///
  /// - Throws: ``GraphError`` with code `invalidURL`, also when it is not on ``host``.
  package func url(of request: GraphRequest) throws(GraphError) -> String {
    let request = try httpRequest(request)
    return "https://\(request.authority ?? "")\(request.path ?? "")"
  }

  /// The path on the host.
  private func absolutePath(_ request: GraphRequest) -> String {
    let slash = UInt8(ascii: "/")
    let path = Substring(request.target.utf8.drop { $0 == slash })
    let first = Substring(path.utf8.prefix { $0 != slash && $0 != UInt8(ascii: "?") })
    guard let version, !Version.isVersion(first) else { return "/\(path)" }
    return "/\(version.rawValue)/\(path)"
  }
}

extension GraphError {
  /// The app has no API: a token of its service must not be sent to another one's.
  package static let noAPI = GraphError(
    .noAPI,
    Sentence(
      "This app has no API address, so nothing was sent. Enter the address of the API that the"
        + " permissions are for."))

  /// The request has more header fields than any service takes.
  package static let tooManyFields = GraphError(
    .invalidRequest,
    Sentence("The request cannot be sent, because it has too many header fields."))
}
