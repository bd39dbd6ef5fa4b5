import Connections
import Gtk
import Localization
import Sentences

// The reasons why there is no account page.
extension ConnectionPage {
  /// There is no connection in `apps.json`, or no such file.
  ///
  /// - Parameter forms: opens the form of the first one.
  static func noConnection(
    _ forms: ConnectionForms, tryDemo: @escaping @MainActor () -> Void
  ) -> ConnectionPage {
    let setUp: @MainActor (ConnectionDialog.Page) -> Void = { [weak forms] in forms?.add(at: $0) }
    let page = ConnectionPage(
      icon: EntranceIdentity.applicationID,
      title: tr("Welcome to Entrance"),
      description: tr(
        "Sign in with Microsoft, call Microsoft Graph, and see what tokens say. To begin, add an"
          + " app that is registered with Microsoft, or try the demo."),
      choices: [
        Choice(
          label: tr("I Have a _Client ID"),
          explanation: tr("From your organization, or from your own app registration")
        ) { setUp(.form) },
        Choice(
          label: tr("I Have a Configuration _File"),
          explanation: tr("Of another program, or from Entrance on another computer")
        ) { [weak forms] in forms?.fileImport.ask() },
        Choice(
          label: tr("_Register an App"),
          explanation: tr(
            "With a work or school account, or an Azure subscription; not with a personal account"
              + " alone")
        ) { setUp(.register) },
        Choice(
          label: tr("_Ask My Administrator"),
          explanation: tr("With a message that says what to register")
        ) { setUp(.ask) },
        Choice(
          label: tr("Try the _Demo"),
          explanation: tr("Needs no account and no network"), action: tryDemo),
      ])
    forms.fileImport.takeDrops(on: page.widget)
    return page
  }

  /// `apps.json` is invalid, or has no such connection.
  ///
  /// - Parameter edit: opens the form that can correct it; nil when there is none.
  static func badConnection(
    _ reason: String, path: String, edit: (@MainActor () -> Void)?,
    tryAgain: @escaping @MainActor () -> Void, openFile: @escaping @MainActor () -> Void,
    tryDemo: @escaping @MainActor () -> Void
  ) -> ConnectionPage {
    let ways = [
      Choice(label: tr("Try _Again"), action: tryAgain),
      Choice(label: tr("Open _File"), action: openFile),
    ]
    let choices =
      edit.map { [Choice(label: tr("_Edit App…"), action: $0)] + ways }
      ?? ways + [Choice(label: tr("Try the _Demo"), action: tryDemo)]
    return ConnectionPage(
      icon: "dialog-warning-symbolic",
      title: tr("The App Cannot Be Used"),
      description: path == EntranceIdentity.connectionsPath && ConnectionFile.isEditable(path)
        ? tr("Correct it, then try again.")
        : tr("Ask your administrator to correct it, then try again."),
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
  ) -> ConnectionPage {
    ConnectionPage(
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
