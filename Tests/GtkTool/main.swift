import CGtk
import Glibc
import Gtk

// Checks the Gtk target on a display, in its own main loop: swift test has neither.
//
// usage: gtk-tool CHECK [FOLDER]. Prints failures; exits with 0 when there are none.

let checks: [String: @MainActor () async throws -> Void] = [
  "objects": checkObjects,
  "handlers": checkHandlers,
  "arguments": checkArguments,
  "answers": checkAnswers,
  "actions": checkActions,
  "tables": checkTable,
  "texts": checkTexts,
  "writing": checkWriting,
  "settings": checkSettings,
  "main-loop": checkMainLoop,
  "operations": checkOperations,
  "windows": checkWindows,
  "subprocess": checkSubprocess,
]

guard let name = CommandLine.arguments.dropFirst().first, let check = checks[name] else {
  print("usage: gtk-tool \(checks.keys.sorted().joined(separator: "|")) [FOLDER]")
  exit(2)
}
gtk_init()
MainLoop.attachMainQueue()
let loop = g_main_loop_new(nil, 0)
let work = Task {
  do {
    try await check()
  } catch {
    expect(false, "\(error)")
  }
  g_main_loop_quit(loop)
}
g_main_loop_run(loop)
exit(Expectations.failed == 0 ? 0 : 1)
