import AuthCore
import CurlHTTP
import FoundationEssentials

func seconds(_ d: Duration) -> Double {
  Double(d.components.seconds) + Double(d.components.attoseconds) * 1e-18
}

let n = Int(CommandLine.arguments[1])!
let tenant = "f645ad92-e38d-4d1a-b510-d1b09a74a8ca"
let store = MemoryTokenCacheStore()
let now = Int(Date().timeIntervalSince1970)
let secret = String(repeating: "x", count: 1500)
func uid(_ i: Int) -> String { "9f4880d8-80ba-4c40-97bc-" + String(100_000_000_000 + i) }
for i in 0..<n {
  let hid = "\(uid(i)).\(tenant)"
  let o = "\"home_account_id\":\"\(hid)\",\"environment\":\"login.microsoftonline.com\",\"client_id\":\"c\",\"realm\":\"\(tenant)\""
  let text = "{\"version\":1,\"client_id\":\"c\",\"home_account_id\":\"\(hid)\",\"environment\":\"login.microsoftonline.com\",\"signed_in_at\":\"\(now)\",\"Account\":{\"a\":{\(o),\"username\":\"user\(i)@x\",\"local_account_id\":\"x\",\"authority_type\":\"MSSTS\"}},\"AccessToken\":{\"k\":{\(o),\"secret\":\"\(secret)\",\"target\":\"User.Read Mail.Read openid profile\",\"cached_at\":\"\(now - 10)\",\"expires_on\":\"\(now + 3600)\"}},\"RefreshToken\":{\"r\":{\"secret\":\"rt\"}}}"
  store.save(StoredRecord(id: String(i), contents: Secret(Data(text.utf8))))
}
let app = PublicClientApplication(
  configuration: try PublicClientApplicationConfiguration(
    clientID: "c", redirectURI: RedirectURI("msauth.io.github.entrance.entrance://auth")), store: store)
let clock = ContinuousClock()
let t0 = clock.now
let accounts = await app.accounts()
print("load+accounts", seconds(clock.now - t0) * 1e3, "ms", accounts.count)
func measure(_ name: String, per: Int = 1, _ body: () async throws -> Void) async rethrows {
  for _ in 0..<100 { try await body() }
  var samples: [Double] = []
  for _ in 0..<50 {
    let s = clock.now
    for _ in 0..<100 { try await body() }
    samples.append(seconds(clock.now - s) * 1e4)
  }
  samples.sort()
  print(name, samples[25] / Double(per), "us, min", samples[0] / Double(per))
}
let account = accounts[n / 2]
let exact = SilentTokenParameters(scopes: ["User.Read", "Mail.Read"], account: account)
let subset = SilentTokenParameters(scopes: ["User.Read"], account: account)
try await measure("exact") { _ = try await app.acquireTokenSilent(exact) }
try await measure("subset") { _ = try await app.acquireTokenSilent(subset) }
