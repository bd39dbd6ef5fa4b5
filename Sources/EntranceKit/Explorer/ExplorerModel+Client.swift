import CurlHTTP
import MicrosoftGraph

/// What sends the requests of the page.
extension ExplorerModel {
  /// The client with the window's tokens; what is throttled is not repeated, because the person
  /// is to see it.
  var client: GraphClient {
    var client = replay?.graph ?? graph.authorized(by: tokens)
    client.retry = .never
    client.limits = Self.limits
    return client
  }

  /// Large answers are what the page is for; a connection that brings nothing more ends sooner.
  private static let limits = HTTPLimits(
    total: .seconds(600), bodySize: 128 << 20, idle: .seconds(60))
}
