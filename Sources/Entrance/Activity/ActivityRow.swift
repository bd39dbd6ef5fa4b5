import EntranceKit
import Gtk

/// A line of the Activity page.
@MainActor
final class ActivityRow: ListRow {
  let widget: Widget
  private(set) var accessibleLabel = ""

  private let icon = Image(icon: "dialog-information-symbolic")
  private let time = Label("")
  private let title = Label("")
  private let account = Label("")

  init() {
    let row = Box(row: [icon, time, title, account], spacing: 12)
    widget = row
    time.set(styleClass: "dim-label", to: true)
    time.set(styleClass: "numeric", to: true)
    title.ellipsize()
    title.alignToStart()
    title.expandHorizontally()
    account.set(styleClass: "dim-label", to: true)
    account.ellipsize()
    row.set(styleClass: "activity-row", to: true)
  }

  /// Shows an event, with its account if there are several.
  func show(_ event: ActivityEvent, at time: String, showsAccount: Bool) {
    icon.show(icon: event.kind.icon)
    icon.set(styleClass: "error", to: event.kind == .failure)
    self.time.text = time
    title.text = event.title
    account.text = event.account ?? ""
    account.isVisible = showsAccount && event.account != nil
    let parts = [event.kind.label, event.title, event.account, time]
    accessibleLabel = parts.compactMap(\.self).joined(separator: ", ")
  }
}

extension ActivityEvent.Kind {
  fileprivate var icon: String {
    switch self {
    case .information: "dialog-information-symbolic"
    case .signIn: "avatar-default-symbolic"
    case .token: "dialog-password-symbolic"
    case .request: "network-transmit-symbolic"
    case .response: "network-receive-symbolic"
    case .failure: "dialog-warning-symbolic"
    case .library: "utilities-terminal-symbolic"
    }
  }
}
