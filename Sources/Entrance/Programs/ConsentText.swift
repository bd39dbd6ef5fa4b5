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
    let place = request.program.identifier.plain
    let wish = tr(
      "“{program}” wants to act as {account} (app “{app}”) with these permissions:\n{scopes}",
      [
        "program": name, "account": preferences.shown(request.username.plain),
        "app": request.app.plain, "scopes": request.scopes.map(\.plain).joined(separator: "\n"),
      ])
    // A program without a name of its own is called by its place.
    body = place == name ? wish : "\(place)\n\n\(wish)"
  }
}
