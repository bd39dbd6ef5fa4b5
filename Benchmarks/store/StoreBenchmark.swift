// Measures what it takes to add one token response to a store. See store.py, which runs it beside MSAL
// Python.
//
// usage: store-benchmark file DIRECTORY TENANT SIGNED         encrypted files that store.py has made
//        store-benchmark token DIRECTORY TENANT ACCOUNT      the same; times of two new clients: a cached token
//                                                            of ACCOUNT, and the list of all accounts
//        store-benchmark keyring APPLICATION TENANT SIGNED N  the Secret Service; N accounts are read from
//                                                             the standard input
//
// It prints milliseconds as JSON: of adding a response, and of reading the whole store before that.

import AuthCore
import CurlHTTP
import FoundationEssentials
import HTTPTypes
import SecretStore

@main
enum StoreBenchmark {
  static let clientID = "b6c69a37-df96-4db0-9088-2ab96e1d8215"

  static func main() async throws {
    let arguments = CommandLine.arguments
    let (place, tenant) = (arguments[2], arguments[3])
    let key = Secret(Data(repeating: 7, count: EncryptedFileTokenCacheStore.keySize))
    let authority = try Authority("https://login.microsoftonline.com/\(tenant)")
    if arguments[1] == "token" {
      return try await oneToken(arguments[4], authority) {
        EncryptedFileTokenCacheStore(directory: place, key: key)
      }
    }
    let store: any TokenCacheStore
    if arguments[1] == "file" {
      store = EncryptedFileTokenCacheStore(directory: place, key: key)
    } else {
      store = SecretServiceStore(application: place, label: "Benchmark")
      for number in 0..<(Int(arguments[5]) ?? 1) {
        let text = readLine() ?? ""
        try await store.save(StoredRecord(id: "\(number)", contents: Secret(Data(text.utf8))))
      }
    }

    let app = PublicClientApplication(
      configuration: try configuration(authority), store: store,
      runtime: Runtime(
        transport: Service(
          authority: "https://login.microsoftonline.com/\(tenant)",
          signed: try JSON(parsing: FileManager.default.contents(atPath: arguments[4]) ?? Data()))))
    let start = ContinuousClock.now
    guard let account = await app.accounts().first else { throw Unusable() }
    let reading = milliseconds(since: start)

    // Another token each time, by a request that is answered at once.
    var parameters = SilentTokenParameters(scopes: ["Mail.Read", "User.Read"], account: account)
    parameters.forceRefresh = true
    var times: [Double] = []
    for _ in 0..<51 {
      let start = ContinuousClock.now
      let result = try await app.acquireTokenSilent(parameters)
      times.append(milliseconds(since: start))
      precondition(result.source == .server)
    }
    if let failure = await app.storageFailure { throw failure }
    print(#"{"add": \#(times.sorted()[times.count / 2]), "read": \#(reading)}"#)
  }

  private static func oneToken(
    _ identifier: String, _ authority: Authority, _ makeStore: () -> any TokenCacheStore
  ) async throws {
    let client = try configuration(authority)
    var app = PublicClientApplication(configuration: client, store: makeStore())
    var start = ContinuousClock.now
    guard let account = await app.account(identifier: identifier) else { throw Unusable() }
    let result = try await app.acquireTokenSilent(
      SilentTokenParameters(scopes: ["Mail.Read", "User.Read"], account: account))
    let one = milliseconds(since: start)
    precondition(result.source == .cache)
    app = PublicClientApplication(configuration: client, store: makeStore())
    start = ContinuousClock.now
    let accounts = await app.accounts()
    let all = milliseconds(since: start)
    precondition(accounts.contains(account))
    print(#"{"one": \#(one), "all": \#(all)}"#)
  }

  private static func configuration(
    _ authority: Authority
  ) throws -> PublicClientApplicationConfiguration {
    try PublicClientApplicationConfiguration(
      clientID: clientID, redirectURI: RedirectURI("msauth.benchmark://auth"), authority: authority)
  }

  private static func milliseconds(since start: ContinuousClock.Instant) -> Double {
    let time = (ContinuousClock.now - start).components
    return Double(time.seconds) * 1e3 + Double(time.attoseconds) / 1e15
  }

  /// The store holds no account.
  struct Unusable: Error {}
}

/// Answers as the service does, without a network.
private struct Service: HTTPTransport {
  let authority: String
  /// What store.py has signed: an ID token, and the keys that it can be checked with.
  let signed: JSON

  func execute(
    _ request: HTTPRequest, body: Data, limits: HTTPLimits
  ) async throws(HTTPError) -> HTTPReply {
    let path = request.path ?? ""
    let json =
      path.hasSuffix("/token") ? token : path.hasSuffix("/keys") ? signed["keys"] : configuration
    return HTTPReply(
      response: HTTPResponse(status: .ok, headerFields: [.contentType: "application/json"]),
      body: Data((json?.compactText ?? "").utf8))
  }

  private var token: JSON {
    // Another one each time.
    let text = "\(UInt64.random(in: 0...UInt64.max))" + String(repeating: "a", count: 1480)
    return .object([
      .init("token_type", .string("Bearer")), .init("expires_in", .number("3600")),
      .init("scope", .string("Mail.Read User.Read openid profile")),
      .init("access_token", .string(text)),
      .init("refresh_token", .string(String(text.prefix(1000)))),
      .init("id_token", signed["id_token"] ?? .null),
      .init("client_info", signed["client_info"] ?? .null),
    ])
  }

  private var configuration: JSON {
    .object([
      .init("issuer", .string("\(authority)/v2.0")),
      .init("authorization_endpoint", .string("\(authority)/oauth2/v2.0/authorize")),
      .init("token_endpoint", .string("\(authority)/oauth2/v2.0/token")),
      .init("jwks_uri", .string("\(authority)/discovery/v2.0/keys")),
    ])
  }
}
