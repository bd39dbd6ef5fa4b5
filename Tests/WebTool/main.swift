import AuthCore
import CGtk
import CurlHTTP
import Glibc
import Gtk
import WebSignIn

// Opens the sign-in window alone, for tests of what it offers to its caller.
//
// usage: web-tool RESOURCES CA_FILE REDIRECT_URI START_URL [--ways] [--cookies DIRECTORY]
//
// Prints `browser` or `code` when the user chooses that way, and then the URL or the error code.

let arguments = Array(CommandLine.arguments.dropFirst())
guard arguments.count >= 4 else {
  print("usage: web-tool RESOURCES CA_FILE REDIRECT_URI START_URL [--ways] [--cookies DIRECTORY]")
  exit(2)
}
let cookies = arguments.firstIndex(of: "--cookies").map { arguments[$0 + 1] }
let ways =
  arguments.contains("--ways")
  ? OtherWays(useBrowser: { print("browser") }, useCode: { print("code") }) : OtherWays()

gtk_init()
adw_init()
MainLoop.attachMainQueue()
let loop = g_main_loop_new(nil, 0)
let work = Task {
  do {
    try Resources.load(arguments[0])
    let session = EmbeddedWebSession(
      parent: nil, trust: .file(arguments[1]), otherWays: ways, cookieDirectory: cookies)
    let request = WebAuthenticationRequest(
      startURL: arguments[3], redirectURI: try RedirectURI(arguments[2]),
      prefersEphemeralSession: cookies == nil)
    print(try await session.authenticate(request))
  } catch let error as AuthenticationError {
    print("\(error.code): \(error.message)")
  } catch {
    print("\(error)")
  }
  fflush(nil)
  g_main_loop_quit(loop)
}
g_main_loop_run(loop)
