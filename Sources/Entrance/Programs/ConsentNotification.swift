import EntranceKit
import Gtk
import Localization

/// Asks by a notification whether a program may have a token.
///
/// The desktop sends an answer as an action of the application with the question's ID.
@MainActor
final class ConsentNotification: ConsentPresenter {
  private let preferences: Preferences
  private let application: Application

  /// A click on the notification itself.
  private static let showing = "show-program"

  init(_ preferences: Preferences, of application: Application) {
    self.preferences = preferences
    self.application = application
  }

  /// Adds the actions.
  ///
  /// - Parameters:
  ///   - answer: takes an answer to the question with this ID, which may be no longer open.
  ///   - show: shows the question with this ID in a window.
  func addActions(
    answer: @escaping @MainActor (String, ProgramConsent.Reply) -> Void,
    show: @escaping @MainActor (String) -> Void
  ) {
    application.add(
      [Action(Self.showing, parameter: String.self, show)]
        + ProgramConsent.Reply.allCases.compactMap { reply in
          Self.action(reply).map { name in
            Action(name, parameter: String.self) { answer($0, reply) }
          }
        })
  }

  /// Whether something shows notifications.
  var isAvailable: Bool {
    get async { await DesktopNotification.isAvailable }
  }

  func show(_ question: ConsentQuestion) -> Bool {
    let text = ConsentText(question.request, preferences)
    let notification = DesktopNotification(
      title: text.title, body: text.body, icon: Program.id, isUrgent: true)
    notification.setDefaultAction("app.\(Self.showing)", target: question.id)
    for (reply, label) in [
      (ProgramConsent.Reply.once, tr("Allow Once")), (.always, tr("Always Allow")),
      (.deny, tr("Deny")),
    ] {
      guard let action = Self.action(reply) else { continue }
      notification.addButton(label, action: "app.\(action)", target: question.id)
    }
    application.send(notification, id: question.id)
    return true
  }

  func withdraw(_ question: ConsentQuestion) { application.withdrawNotification(question.id) }

  /// The name of the action for an answer; nil when the notification has no button for it.
  private static func action(_ reply: ProgramConsent.Reply) -> String? {
    switch reply {
    case .once: "allow-program-once"
    case .always: "always-allow-program"
    case .deny: "deny-program"
    case .closed: nil
    }
  }
}
