import CurlHTTP
import HTTPTypes
import Sentences

/// Microsoft's instance discovery: confirms a sign-in host that is not in ``KnownClouds``.
enum InstanceDiscovery {
  /// The discovery URL for `authority`.
  ///
  /// - Parameter cloud: a host of the app's cloud, so that an app of a sovereign cloud sends no
  ///   requests outside of it. A host in no cloud stands for the worldwide one.
  static func url(for authority: Authority, in cloud: String) -> String {
    let host = KnownClouds.preferredHost(of: cloud) ?? Authority.common.environment
    let endpoint = FormEncoding.percentEncoded("\(authority)/oauth2/v2.0/authorize")
    return "https://\(host)/common/discovery/instance?api-version=1.1&authorization_endpoint="
      + endpoint
  }

  /// Throws unless the response confirms `authority`.
  ///
  /// Only Microsoft's JSON is a refusal: a network that requires a sign-in of its own returns a
  /// page. Another error of Microsoft's says nothing about the host.
  static func check(_ reply: HTTPReply, for authority: Authority) throws(AuthenticationError) {
    let status = reply.response.status
    let body = try? JSON(parsing: reply.body)
    let code = status == .ok ? nil : body?["error"]?.string
    guard let json = body, json.object != nil, status == .ok || code == "invalid_instance" else {
      var error = AuthenticationError.notFromSignInService(step: .discovery)
      if let code, !code.isEmpty { error.sentence = ServerError.refusal(code, nil, by: .common) }
      error.httpStatus = status.code
      throw error
    }
    let metadata = status == .ok ? json["metadata"]?.array ?? [] : []
    let isVouchedFor = metadata.contains {
      $0["aliases"]?.array?.contains(.string(authority.environment)) == true
    }
    guard isVouchedFor else {
      throw AuthenticationError(
        .untrustedAuthority,
        Sentence(
          "Microsoft does not recognize “{host}” as a sign-in service. If you trust it, add it to"
            + " the known authorities of the app.",
          ["host": authority.environment]), step: .discovery)
    }
  }
}
