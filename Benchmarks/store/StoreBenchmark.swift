// Measures how long it takes to add a token response to a store, and to read it. See store.py, which runs it.
//
// usage: store-benchmark add DIRECTORY TENANT ACCOUNT SIGNED   encrypted files that store.py has made: one
//                                                              response more of ACCOUNT
//        store-benchmark read DIRECTORY TENANT ACCOUNT         the same: a new client reads a cached token of
//                                                              ACCOUNT, and another all accounts
//        store-benchmark keyring APPLICATION TENANT ACCOUNT SIGNED N  the Secret Service; N accounts are read
//                                                              from the standard input
//
// It prints milliseconds as JSON, of the store and of its floor.

import AuthCore
import BenchmarkSupport
import CurlHTTP
import FoundationEssentials
import HTTPTypes
import SecretStore

@main
enum StoreBenchmark {
  static let clientID = "b6c69a37-df96-4db0-9088-2ab96e1d8215"
  private static let scopes = ["Mail.Read", "User.Read"]

  static func main() async throws {
    let arguments = CommandLine.arguments
    let (place, tenant, account) = (arguments[2], arguments[3], arguments[4])
    let key = Data(repeating: 7, count: EncryptedFileTokenCacheStore.keySize)
    let authority = try Authority("https://login.microsoftonline.com/\(tenant)")
    switch arguments[1] {
    case "add":
      let times = try await add(
        to: EncryptedFileTokenCacheStore(directory: place, key: Secret(key)), account, authority,
        signed: arguments[5], beside: DiskFloor(besideRecordsIn: place))
      print(
        #"{"add": \#(times[0] / 1000), "save": \#(times[1] / 1000), "#
          + #""floor": \#(times[2] / 1000)}"#)
    case "read":
      try await read(account, authority, FileFloor(directory: place, key: key)) {
        EncryptedFileTokenCacheStore(directory: place, key: Secret(key))
      }
    default:
      let store = SecretServiceStore(application: place, label: "Benchmark")
      for number in 0..<(Int(arguments[6]) ?? 1) {
        let text = readLine() ?? ""
        try await store.save(StoredRecord(id: "\(number)", contents: Secret(Data(text.utf8))))
      }
      let times = try await add(to: store, account, authority, signed: arguments[5])
      print(#"{"add": \#(times[0] / 1000)}"#)
    }
  }

  /// Microseconds that it takes to add a response, to write the account's record alone, and that the disk
  /// takes for as many bytes.
  private static func add(
    to store: any TokenCacheStore, _ identifier: String, _ authority: Authority, signed: String,
    beside floor: DiskFloor? = nil
  ) async throws -> [Double] {
    let app = PublicClientApplication(
      configuration: try configuration(authority), store: store,
      runtime: Runtime(
        transport: Service(
          authority: authority.description,
          signed: try JSON(parsing: FileManager.default.contents(atPath: signed) ?? Data()))))
    guard let account = await app.account(identifier: identifier),
      let id = try await store.index().first(where: { $0.account.homeAccountID == identifier })?.id,
      let record = try await store.load(id: id)
    else { throw Unusable() }
    // Another token each time, by a request that is answered at once.
    var parameters = SilentTokenParameters(scopes: scopes, account: account)
    parameters.forceRefresh = true
    let times = try await inTurn(samples: 51) { [parameters] _ in
      let result = try await app.acquireTokenSilent(parameters)
      precondition(result.source == .server)
    } _: { _ in
      try await store.save(record)
    } _: { _ in
      try floor?.write()
    }
    if let failure = await app.storageFailure { throw failure }
    return times
  }

  private static func read(
    _ identifier: String, _ authority: Authority, _ floor: FileFloor,
    _ makeStore: @escaping () -> any TokenCacheStore
  ) async throws {
    let client = try configuration(authority)
    let one = try await inTurn(samples: 15) { _ in
      let app = PublicClientApplication(configuration: client, store: makeStore())
      guard let account = await app.account(identifier: identifier) else { throw Unusable() }
      let result = try await app.acquireTokenSilent(
        SilentTokenParameters(scopes: scopes, account: account))
      precondition(result.source == .cache)
    } _: { _ in
      let tokens = try floor.readRecord(of: identifier)
      precondition(tokens > 0)
    }
    var count = 0
    let all = try await inTurn(samples: 1) { _ in
      let app = PublicClientApplication(configuration: client, store: makeStore())
      count = await app.accounts().count
    } _: { _ in
      let tokens = try floor.readAll()
      precondition(tokens == count)
    }
    print(
      #"{"one": \#(one[0] / 1000), "one-floor": \#(one[1] / 1000), "#
        + #""all": \#(all[0] / 1000), "all-floor": \#(all[1] / 1000)}"#)
  }

  private static func configuration(
    _ authority: Authority
  ) throws -> PublicClientApplicationConfiguration {
    try PublicClientApplicationConfiguration(
      clientID: clientID, redirectURI: RedirectURI("msauth.benchmark://auth"), authority: authority)
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
