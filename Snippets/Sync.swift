import AuthCore
import CurlHTTP
import FoundationEssentials
import Glibc
import MicrosoftGraph

struct Item: Decodable, Sendable {
  var name: String
}

let settings = ProcessInfo.processInfo.environment
let home = settings["HOME"] ?? "."
let scopes = ["User.Read", "Mail.Send", "Files.Read"]

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
  // Who signs in, and where the tokens are kept.
  let authority = try Authority(settings["AUTHORITY"] ?? "https://login.microsoftonline.com/common")
  let app = PublicClientApplication(
    configuration: try PublicClientApplicationConfiguration(
      clientID: settings["CLIENT_ID"] ?? "", redirectURI: RedirectURI("http://localhost"),
      authority: authority, knownAuthorities: [authority], caFile: settings["CA_FILE"]),
    store: FileTokenCacheStore(path: "\(home)/.sync-tokens.json"))
  let account = try await acquireToken(from: app).account

  // From here on, the client gets and renews the tokens by itself.
  let graph = GraphClient(
    app: app, account: account, scopes: scopes,
    cloud: settings["GRAPH_HOST"].map { GraphCloud(host: $0) },
    runtime: Runtime(transport: CurlClient(.init(caFile: settings["CA_FILE"]))))

  // A mail.
  let mail = JSON.object([
    JSON.Member(
      "message",
      .object([
        JSON.Member("subject", .string("The sync has begun")),
        JSON.Member(
          "toRecipients",
          .array([
            .object([
              JSON.Member(
                "emailAddress",
                .object([JSON.Member("address", .string(account.username))]))
            ])
          ])),
      ]))
  ])
  _ = try await graph.send(GraphRequest(.post, "/me/sendMail", body: .json(mail)))
  print("Sent a mail to \(account.username).")

  // A file, with its progress. A lost connection is continued, and the file appears when it is complete.
  let name = CommandLine.arguments.dropFirst().first ?? "Report.pdf"
  try await graph.download("/me/drive/root:/\(name):/content").write(to: name) { progress in
    let share = progress.total.map { $0 > 0 ? 100 * progress.completed / $0 : 100 } ?? 0
    let percent = min(share, 100)
    let bar = String(repeating: "#", count: percent / 5)
    print("\r[\(bar)\(String(repeating: " ", count: 20 - bar.count))] \(percent) %", terminator: "")
  }
  print("\nDownloaded \(name).")

  // What has changed in the drive since the last run: everything the first time.
  let stateFile = "\(home)/.sync-state"
  var token = (try? String(contentsOfFile: stateFile, encoding: .utf8))
    .map { GraphDeltaToken(rawValue: $0) }
  var changed = 0
  for try await page in graph.delta("/me/drive/root/delta", of: Item.self, since: token) {
    changed += page.changes.count
    token = page.token ?? token
  }
  try token?.rawValue.write(toFile: stateFile, atomically: true, encoding: .utf8)
  print("\(changed) items have changed.")
  await PublicClientApplication.finishTokenRequests()
} catch {
  fputs("It did not work: \(error)\n", fdopen(STDERR_FILENO, "w"))
  await PublicClientApplication.finishTokenRequests()
  exit(1)
}
