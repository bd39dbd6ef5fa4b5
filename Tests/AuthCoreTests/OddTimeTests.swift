import AuthCore
import FoundationEssentials
import TestSupport
import Testing

/// Other programs write caches too, and files can be corrupted: no number in them may crash the
/// process.
@Suite("Times outside of the calendar")
struct OddTimeTests {
  static let values = [
    "1e30", "-1e30", "1e999", "nan", "inf", "-inf", "9223372036854775807", "-9223372036854775808",
    "253402300800", "-62135596801", "-62135596800", "",
  ]
  static let members = [
    "cached_at", "expires_on", "extended_expires_on", "ext_expires_on", "refresh_on",
    "signed_in_at", "last_modification_time",
  ]

  let authority = ScriptedAuthority()
  let clock = ManualClock()
  let directory: TemporaryDirectory
  var path: String { directory.path + "/cache.json" }

  init() throws {
    directory = try TemporaryDirectory()
  }

  /// Sets each member called `name` to the text `value`, or to a number if it is a valid one.
  static func change(_ json: JSON, _ name: String, to value: String, isNumber: Bool) -> JSON {
    switch json {
    case .object(let members):
      .object(
        members.map {
          guard $0.name == name else {
            return .init($0.name, change($0.value, name, to: value, isNumber: isNumber))
          }
          return .init(name, isNumber ? .number(value) : .string(value))
        })
    case .array(let elements):
      .array(elements.map { change($0, name, to: value, isNumber: isNumber) })
    default: json
    }
  }

  /// Signs in, and returns the cache's content, with all members that contain times.
  func cache() async throws -> (Account, JSON) {
    authority.edit(.tokens) { $0["refresh_in"] = .number("1800") }
    let account = try await app().acquireToken(
      .init(scopes: ["User.Read"], session: authority.pages)
    ).account
    let json = try JSON(parsing: try directory.read("cache.json"))
    let text = json.compactText.replacing(
      #""cached_at":"#, with: #""ext_expires_on":"1800003600","cached_at":"#)
    return (account, try JSON(parsing: Data(text.utf8)))
  }

  func app() throws -> PublicClientApplication {
    try TestApplication.make(authority, clock: clock, store: FileTokenCacheStore(path: path))
  }

  @Test("Storing, renewing and reloading an account works with such times", arguments: members)
  func renewal(member: String) async throws {
    let (account, json) = try await cache()
    for value in Self.values {
      for isNumber in [false, true] {
        guard !isNumber || (try? JSON(parsing: Data(value.utf8))) != nil else { continue }
        let odd = Self.change(json, member, to: value, isNumber: isNumber)
        try directory.write("cache.json", odd.compactText)
        let app = try app()
        #expect(await app.accounts() == [account], "\(member) \(value)")
        var parameters = SilentTokenParameters(scopes: ["User.Read"], account: account)
        parameters.forceRefresh = true
        let renewed = try await app.acquireTokenSilent(parameters)
        #expect(renewed.storageFailure == nil)
        let next = try self.app()
        parameters.forceRefresh = false
        #expect(
          try await next.acquireTokenSilent(parameters).accessToken == renewed.accessToken,
          "\(member) \(value)")
        #expect(await next.accounts() == [account])
      }
    }
  }

  @Test("A cache with such times can be shown and imported", arguments: members)
  func contents(member: String) async throws {
    let (account, json) = try await cache()
    for value in Self.values {
      let odd = Self.change(json, member, to: value, isNumber: false)
      let contents = try UnifiedCache(Secret(Data(odd.compactText.utf8)))
      let dates = contents.accounts.flatMap(\.apps).flatMap(\.accessTokens).map(\.expiresOn)
      for case let date? in dates { #expect(date.formatted(.iso8601).count == 20) }
      let file = "\(directory.path)/\(member) as \(value)"
      let stores: [any TokenCacheStore] = [
        MemoryTokenCacheStore(), FileTokenCacheStore(path: file),
      ]
      for store in stores {
        _ = try await contents.merge(into: store)
        let app = try TestApplication.make(authority, clock: clock, store: store)
        #expect(await app.accounts() == [account], "\(member) \(value)")
      }
    }
  }

  @Test(
    "A broker's token may have any expiry",
    arguments: [253_402_300_800, 9_223_372_036_854_775_808, 1e30, .infinity, .nan])
  func broker(end: Double) async throws {
    let date = Date(timeIntervalSince1970: end)
    let app = try TestApplication.make(authority, clock: clock, broker: Broker(date: date))
    let result = try await app.acquireToken(
      .init(scopes: ["User.Read"], session: authority.pages))
    #expect(result.source == .broker)
    #expect(result.expiresOn <= clock.now + 48 * 3600)
    #expect(result.expiresOn >= clock.now)
    #expect(await app.accounts().map(\.id) == [Person.adele.identifier])
  }

  /// A broker whose tokens expire at a given date.
  struct Broker: TokenBroker {
    var date: Date
    let account = Person.adele.brokerAccount

    private var token: BrokerToken {
      BrokerToken(
        accessToken: Secret("broker-canary"), expiresOn: date, extendedExpiresOn: date,
        scopes: ["User.Read"], idToken: nil, account: account, clientInfo: nil)
    }

    func version(correlationID: String) -> String? { "1.0" }
    func accounts(clientID: String, correlationID: String) -> [BrokerAccount]? { [account] }
    func acquireTokenSilently(_ request: BrokerTokenRequest) -> BrokerToken? { token }
    func acquireTokenInteractively(_ request: BrokerTokenRequest) -> BrokerToken? { token }
    func remove(_ account: BrokerAccount, clientID: String, correlationID: String) -> Void? { () }
    func singleSignOnCookies(for url: String, _ request: BrokerTokenRequest) -> [WebCookie]? { [] }
  }
}
