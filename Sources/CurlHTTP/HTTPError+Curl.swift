import CCurl
import Sentences

extension HTTPError {
  /// The error for a transfer that libcurl ended with `code`.
  ///
  /// - Parameters:
  ///   - verifyResult: OpenSSL's reason for rejecting a certificate, or 0.
  ///   - caFile: the path of the only trusted authorities; nil for the system's.
  init(_ code: CURLcode, host: String, verifyResult: Int = 0, caFile: String? = nil) {
    switch code {
    case CURLE_COULDNT_RESOLVE_HOST: self.init(.cannotFindHost, host: host)
    case CURLE_COULDNT_CONNECT: self.init(.cannotConnect, host: host)
    case CURLE_OPERATION_TIMEDOUT: self.init(.timedOut, host: host)
    case CURLE_COULDNT_RESOLVE_PROXY, CURLE_PROXY: self.init(.proxyFailure, host: host)
    case CURLE_URL_MALFORMAT: self.init(.invalidRequest, host: host)
    case CURLE_PEER_FAILED_VERIFICATION:
      self.init(.tlsFailure, host: host, Self.refusal(host, verifyResult, caFile))
    case CURLE_SSL_CONNECT_ERROR, CURLE_SSL_CIPHER, CURLE_SSL_ISSUER_ERROR,
      CURLE_SSL_INVALIDCERTSTATUS, CURLE_USE_SSL_FAILED:
      self.init(.tlsFailure, host: host)
    case CURLE_SSL_CACERT_BADFILE:
      self.init(.invalidConfiguration, host: host, Self.unreadableAuthorities)
    case CURLE_FAILED_INIT, CURLE_NOT_BUILT_IN, CURLE_UNKNOWN_OPTION, CURLE_OUT_OF_MEMORY,
      CURLE_SSL_ENGINE_NOTFOUND, CURLE_SSL_ENGINE_SETFAILED:
      self.init(.invalidConfiguration, host: host)
    // Unsupported protocol: the request's was checked, so the reply is HTTP/0.9.
    case CURLE_UNSUPPORTED_PROTOCOL, CURLE_WEIRD_SERVER_REPLY, CURLE_WRITE_ERROR,
      CURLE_BAD_CONTENT_ENCODING:
      self.init(.invalidResponse, host: host)
    // Truncated bodies, resets, and closed HTTP/2 streams.
    default: self.init(.connectionLost, host: host)
    }
  }

  /// The error for `code` with its standard sentence.
  init(_ code: Code, host: String) {
    let sentence =
      switch code {
      case .cancelled: Sentence("The request to {host} was canceled.", ["host": host])
      case .invalidRequest:
        Sentence("The request to {host} cannot be sent.", ["host": host])
      case .cannotFindHost:
        Self.unreachable(
          host, Sentence("there is no such host, or the network is not available"))
      case .networkUnreachable:
        Self.unreachable(host, Sentence("it cannot be reached from this network"))
      case .cannotConnect: Sentence("Could not connect to {host}.", ["host": host])
      case .tlsFailure: Sentence("Could not make a secure connection to {host}.", ["host": host])
      case .timedOut: Sentence("{host} did not respond in time.", ["host": host])
      case .connectionLost:
        Sentence(
          "The connection to {host} was lost before the response was complete.", ["host": host])
      case .proxyFailure:
        Sentence(
          "The proxy could not be reached, or it refused the connection to {host}.", ["host": host])
      case .bodyTooLarge:
        Sentence(
          "The response from {host} is larger than allowed.", ["host": host])
      case .invalidResponse:
        Sentence("The response from {host} is incomplete or malformed.", ["host": host])
      default: Sentence("The network library could not be set up.")
      }
    self.init(code, host: host, sentence)
  }

  /// In the words of the sign-in window.
  private static func unreachable(_ host: String, _ reason: Sentence) -> Sentence {
    Sentence("“{host}” could not be reached: {reason}.", ["host": host, "reason": reason])
  }

  /// Nothing answered: at the host's address, or at that of the proxy in a variable of the
  /// environment, if it has one.
  static func cannotConnect(
    for request: CurlRequest, orProxyIn variable: String? = nil
  ) -> HTTPError {
    let place = request.hostAndPort
    return HTTPError(
      .cannotConnect, host: request.host,
      variable.map {
        Sentence(
          "Could not connect to {host}, or to the proxy in the environment variable {name}.",
          ["host": place, "name": $0])
      } ?? Sentence("Could not connect to {host}.", ["host": place]))
  }

  /// Whether other trusted authorities may help.
  var isAboutTrust: Bool { code == .tlsFailure || code == .invalidConfiguration }

  /// The TLS connection to the proxy failed.
  static func proxyNotSecure(for host: String, isCertificate: Bool) -> HTTPError {
    HTTPError(
      .tlsFailure, host: host,
      isCertificate
        ? Sentence(
          "The certificate of the proxy for {host} could not be verified.", ["host": host])
        : Sentence(
          "Could not make a secure connection to the proxy for {host}.", ["host": host]))
  }

  private static let unreadableAuthorities =
    Sentence("The file of trusted certificate authorities cannot be read, or contains none.")

  /// The sentence for a rejected certificate, by OpenSSL's `X509_V_ERR` number.
  private static func refusal(
    _ host: String, _ verifyResult: Int, _ caFile: String?
  ) -> Sentence {
    switch verifyResult {
    // 1: curl checks the name itself, and leaves the reason unspecified.
    case 1, 62: Sentence("The certificate of {host} is for another name.", ["host": host])
    case 9:
      Sentence(
        "The certificate of {host} is not valid yet. Check this computer’s clock.",
        ["host": host])
    case 10: Sentence("The certificate of {host} has expired.", ["host": host])
    case 18, 19, 20, 21:
      caFile.map { path in
        Sentence(
          "The certificate of {host} does not match the CA file “{file}”.",
          ["host": host, "file": path.split(separator: "/").last.map(String.init) ?? path])
      }
        ?? Sentence(
          "The certificate of {host} was not issued by a trusted authority.", ["host": host])
    default: Sentence("The certificate of {host} could not be verified.", ["host": host])
    }
  }
}
