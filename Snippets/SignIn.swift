import AuthCore
import FoundationEssentials
import Glibc
import MicrosoftGraph

let settings = ProcessInfo.processInfo.environment
let api = settings["API"] ?? "https://graph.microsoft.com/v1.0/me"
let scopes = ["User.Read"]
do {
  let authority = try Authority(settings["AUTHORITY"] ?? "https://login.microsoftonline.com/common")
  let app = PublicClientApplication(
    configuration: try PublicClientApplicationConfiguration(
      clientID: settings["CLIENT_ID"] ?? "", redirectURI: RedirectURI("http://localhost"),
      authority: authority, knownAuthorities: [authority], caFile: settings["CA_FILE"]),
    store: FileTokenCacheStore(path: "\(settings["HOME"] ?? "")/.sign-in-tokens.json"))
  let result =
    if let account = await app.currentAccount().current {
      try await app.acquireTokenSilent(SilentTokenParameters(scopes: scopes, account: account))
    } else {
      try await app.acquireToken(
        DeviceCodeTokenParameters(scopes: scopes) {
          print($0.message)
          fflush(nil)
        })
    }
  let graph = try GraphClient(api: api, caFile: settings["CA_FILE"])
  let me = try await graph.get(api, authorization: result.authorizationHeader).json()
  print("Hello, \(me["displayName"]?.string ?? result.account.username).")
} catch {
  fputs("It did not work: \(error)\n", fdopen(STDERR_FILENO, "w"))
  exit(1)
}
