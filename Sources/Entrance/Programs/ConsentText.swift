import AuthCore
import EntranceKit
import Gtk
import Localization

/// What the person is asked about a program, in words.
@MainActor
struct ConsentText {
  let title: String
  let body: String

  init(_ request: ProgramRequest, _ preferences: Preferences) {
    let name = InstalledPrograms()[request.program]?.name ?? request.program.name.plain
    title = tr("Allow “{program}” to Use Your Account?", ["program": name])
    body = tr(
      "{place}\n\nThe program wants to act as {account} of the app {app} with these permissions:"
        + "\n{scopes}",
      [
        "place": request.program.identifier.plain,
        "account": preferences.shown(request.username.plain), "app": request.app.plain,
        "scopes": request.scopes.map(\.plain).joined(separator: "\n"),
      ])
  }
}
