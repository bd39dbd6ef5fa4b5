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
  static func check(_ reply: HTTPReply, for authority: Authority) throws(AuthenticationError) {
    let metadata = (try? JSON(parsing: reply.body))?["metadata"]?.array ?? []
    let isVouchedFor = metadata.contains {
      $0["aliases"]?.array?.contains(.string(authority.environment)) == true
    }
    guard reply.response.status == .ok, isVouchedFor else {
      throw AuthenticationError(
        .untrustedAuthority,
        Sentence(
          "Microsoft does not recognize '{host}' as a sign-in service. If you trust it, add it to"
            + " the known authorities of the app.",
          ["host": authority.environment]), step: .discovery)
    }
  }
}
