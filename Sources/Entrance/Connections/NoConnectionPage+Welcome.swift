import Connections
import Gtk
import Localization

// The first page that a person sees.
extension NoConnectionPage {
  /// There is no connection in `apps.json`, or no such file.
  ///
  /// - Parameter forms: opens the form of the first one.
  static func noConnection(
    _ forms: ConnectionForms, tryDemo: @escaping @MainActor () -> Void
  ) -> NoConnectionPage {
    let setUp: @MainActor (ConnectionDialog.Page) -> Void = { [weak forms] in forms?.add(at: $0) }
    let page = NoConnectionPage(
      icon: EntranceIdentity.applicationID,
      title: tr("Welcome to Entrance"),
      description: tr(
        "Sign in with Microsoft, call Microsoft Graph, and inspect tokens. To begin, add an app that"
          + " is registered with Microsoft, or try the demo."),
      choices: [
        Choice(
          label: tr("I Have a _Client ID"),
          explanation: tr("From your organization, or from your own app registration")
        ) { setUp(.form) },
        Choice(
          label: tr("I Have a Configuration _File"),
          explanation: tr("From another program, or from Entrance on another computer")
        ) { [weak forms] in forms?.fileImport.ask() },
        Choice(
          label: tr("_Register an App"),
          explanation: tr("Requires a work or school account, or an Azure subscription")
        ) { setUp(.register) },
        Choice(
          label: tr("_Ask My Administrator"),
          explanation: tr("With a message that says what to register")
        ) { setUp(.ask) },
      ],
      demo: Choice(
        label: tr("Try the _Demo"),
        explanation: tr("Needs no account and no network"), action: tryDemo))
    forms.fileImport.takeDrops(on: page.widget)
    page.widget.insert(
      ActionGroup([Action("paste") { [weak forms] in forms?.paste() }]), as: "connections")
    _ = ShortcutController(on: page.widget, ["<Control>v": "connections.paste"])
    return page
  }
}
