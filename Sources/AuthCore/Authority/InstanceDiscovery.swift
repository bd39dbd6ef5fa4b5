import CurlHTTP
import HTTPTypes
import Sentences

/// Asks Microsoft whether a host that is not in ``KnownClouds`` signs people in for it.
enum InstanceDiscovery {
  /// The URL to ask about `authority`.
  ///
  /// - Parameter cloud: Whom to ask: an app of a sovereign cloud asks nobody outside of it. Any host that
  ///   is no cloud's stands for the worldwide one.
  static func url(for authority: Authority, in cloud: String) -> String {
    let host = KnownClouds.preferredHost(of: cloud) ?? Authority.common.environment
    let endpoint = FormEncoding.percentEncoded("\(authority)/oauth2/v2.0/authorize")
    return "https://\(host)/common/discovery/instance?api-version=1.1&authorization_endpoint="
      + endpoint
  }

  /// Throws unless the answer vouches for `authority`.
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
            + " the known authorities of the connection.",
          ["host": authority.environment]), step: .discovery)
    }
  }
}
