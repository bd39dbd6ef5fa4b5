import AuthCore
import Connections
import Gtk
import Localization
import Sentences

// What is wrong with `apps.json`, a connection or the demo.
extension NoConnectionPage {
  /// `apps.json` is invalid, or has no such connection.
  ///
  /// - Parameters:
  ///   - app: the app's name; nil when the file is invalid.
  ///   - edit: opens the form that can correct it; nil when there is none.
  static func badConnection(
    _ reason: String, of app: String?, path: String, edit: (@MainActor () -> Void)?,
    tryAgain: @escaping @MainActor () -> Void, openFile: @escaping @MainActor () -> Void,
    tryDemo: @escaping @MainActor () -> Void
  ) -> NoConnectionPage {
    let ways = [
      Choice(label: tr("Try _Again"), action: tryAgain),
      Choice(label: tr("Open Configuration _File"), action: openFile),
    ]
    let choices =
      edit.map { [Choice(label: tr("_Edit App…"), action: $0)] + ways }
      ?? ways + [Choice(label: tr("Try the _Demo"), action: tryDemo)]
    let advice =
      if path != EntranceIdentity.connectionsPath || ConnectionFile.isOfAdministrator(path) {
        tr("Ask your administrator to correct it, then try again.")
      } else if !ConnectionFile.isEditable(path) {
        tr("Make sure that you may read and change the file, then try again.")
      } else if edit == nil {
        tr("Edit the file, then try again.")
      } else {
        tr("Edit the app or its file, then try again.")
      }
    return NoConnectionPage(
      icon: "dialog-warning-symbolic",
      title: app.map { tr("“{app}” Cannot Be Used", ["app": $0.plain]) }
        ?? tr("The List of Apps Cannot Be Used"),
      description: advice,
      details: "\(path)\n\n\(reason)", first: choices[0], second: choices[1], third: choices[2])
  }

  /// Says what is wrong with the file, as in the tutorials.
  static func reason(_ error: ConnectionFileError) -> String {
    let reason = tr(error.sentence)
    guard error.isAboutAuthority else { return noContext(reason) }
    return "\(tr("Unable to create authority URL"))\n\(reason)"
  }

  /// Says why a connection cannot be used.
  static func reason(_ problem: ConnectionProblem) -> String {
    switch problem {
    case .trust(let sentence): tr(sentence)
    case .api(let sentence): noContext(tr(sentence))
    }
  }

  private static func noContext(_ reason: String) -> String {
    tr("Unable to create Application Context {error}", ["error": reason])
  }

  /// The identity service did not start.
  static func demoFailed(
    _ reason: String, tryAgain: @escaping @MainActor () -> Void,
    leave: @escaping @MainActor () -> Void
  ) -> NoConnectionPage {
    NoConnectionPage(
      icon: "dialog-warning-symbolic",
      title: tr("The Demo Could Not Start"),
      description: tr("The demo runs on this computer and needs no network."),
      details: reason,
      first: Choice(label: tr("Try _Again"), action: tryAgain),
      second: Choice(label: tr("Lea_ve Demo"), action: leave))
  }
}

extension ConnectionFiles {
  /// The path of the file that has `connection`.
  func path(of connection: Connection) -> String {
    let paths = [own] + system
    return paths.first { (try? ConnectionFile.load($0))?.contains(connection) == true } ?? own
  }
}
