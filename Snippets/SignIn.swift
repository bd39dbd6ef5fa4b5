import AuthCore
import FoundationEssentials
import Glibc
import MicrosoftGraph

let settings = ProcessInfo.processInfo.environment
let api = settings["API"] ?? "https://graph.microsoft.com/v1.0/me"
let scopes = ["User.Read"]

/// Gets a token silently, or else with a code: the first time, and when the sign-in has ended.
func acquireToken(from app: PublicClientApplication) async throws -> AuthenticationResult {
  if let account = await app.currentAccount().current {
    do {
      return try await app.acquireTokenSilent(
        SilentTokenParameters(scopes: scopes, account: account))
    } catch {
      guard error.code == .interactionRequired else { throw error }
    }
  }
  return try await app.acquireToken(
    DeviceCodeTokenParameters(scopes: scopes) {
      print($0.message)
      fflush(nil)
    })
}

do {
  let authority = try Authority(settings["AUTHORITY"] ?? "https://login.microsoftonline.com/common")
  let app = PublicClientApplication(
    configuration: try PublicClientApplicationConfiguration(
      clientID: settings["CLIENT_ID"] ?? "", redirectURI: RedirectURI("http://localhost"),
      authority: authority, knownAuthorities: [authority], caFile: settings["CA_FILE"]),
    store: FileTokenCacheStore(path: "\(settings["HOME"] ?? "")/.sign-in-tokens.json"))
  let result = try await acquireToken(from: app)
  let graph = try GraphClient(api: api, caFile: settings["CA_FILE"])
    .authorized(by: result.authorizationHeader)
  let me = try await graph.get(GraphPath(api)).json()
  print("Hello, \(me["displayName"]?.string ?? result.account.username).")
  await PublicClientApplication.finishTokenRequests()
} catch {
  fputs("It did not work: \(error)\n", fdopen(STDERR_FILENO, "w"))
  await PublicClientApplication.finishTokenRequests()
  exit(1)
}
