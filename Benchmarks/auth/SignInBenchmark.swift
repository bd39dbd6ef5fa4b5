import AuthCore
import BenchmarkSupport
import CurlHTTP
import FoundationEssentials
import Glibc
import HTTPTypes

/// From the redirect to the result, beside the request that it takes: the code for the tokens.
enum SignInBenchmark {
  static func run(authority url: String, caFile: String) async throws {
    let authority = try Authority(url)
    var configuration = try PublicClientApplicationConfiguration(
      clientID: AuthBenchmark.clientID,
      redirectURI: RedirectURI("msauth.io.github.entrance.entrance://auth"), authority: authority,
      knownAuthorities: [authority])
    configuration.caFile = caFile
    let store = MemoryTokenCacheStore()
    let app = PublicClientApplication(configuration: configuration, store: store)
    let pages = Pages()
    let result = try await app.acquireToken(
      InteractiveTokenParameters(scopes: ["User.Read"], session: pages))
    let redirectToResult = await pages.millisecondsSinceRedirect
    precondition(result.source == .server)
    print(#"{"sign-in": \#(redirectToResult), "bare": \#(try await bare(store, url, caFile))}"#)
  }

  /// Milliseconds of a request for tokens alone, over a connection that is open as the app's was.
  private static func bare(
    _ store: MemoryTokenCacheStore, _ authority: String, _ caFile: String
  ) async throws -> Double {
    let cache = try JSON(parsing: store.load()[0].contents.exposed)
    let token = cache["RefreshToken"]?.object?.first?.value["secret"]?.string ?? ""
    let client = CurlClient(.init(caFile: caFile))
    var request = HTTPRequest(url: "\(authority)/oauth2/v2.0/token", method: .post)
    request.headerFields[.contentType] = "application/x-www-form-urlencoded"
    let form = FormEncoding.body([
      ("client_id", AuthBenchmark.clientID), ("grant_type", "refresh_token"),
      ("refresh_token", token), ("scope", "User.Read openid profile offline_access"),
      ("client_info", "1"),
    ])
    return try await inTurn(samples: 9) { _ in
      let reply = try await client.execute(request, body: Data(form.utf8))
      precondition(reply.response.status == .ok, "\(reply.response.status)")
    }[0] / 1000
  }
}

/// A person elsewhere: is told where to go, and says where it ended.
private actor Pages: WebAuthenticationSession {
  private var redirectedAt = ContinuousClock.now

  var millisecondsSinceRedirect: Double {
    microseconds(since: redirectedAt) / 1000
  }

  func authenticate(
    _ request: WebAuthenticationRequest
  ) async throws(AuthenticationError) -> String {
    print(request.startURL)
    fflush(nil)
    let url = readLine() ?? ""
    redirectedAt = .now
    return url
  }
}
