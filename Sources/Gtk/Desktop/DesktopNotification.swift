import CGtk
import Gio
import Glibc

/// What the desktop tells the person while they use something else.
@MainActor
public final class DesktopNotification {
  fileprivate let object: Object

  /// Creates a notification, which is sent by ``Application/send(_:id:)``.
  ///
  /// - Parameters:
  ///   - body: the text. Some desktops read markup in it; its characters are replaced by similar ones.
  ///   - icon: the name of an icon.
  ///   - isUrgent: whether someone waits for an answer.
  public init(title: String, body: String, icon: String, isUrgent: Bool) {
    object = Object(owning: g_notification_new(title))
    g_notification_set_body(object.opaque, Self.withoutMarkup(body))
    let icon = Object(owning: g_themed_icon_new(icon))
    g_notification_set_icon(object.opaque, icon.opaque)
    g_notification_set_priority(
      object.opaque, isUrgent ? G_NOTIFICATION_PRIORITY_HIGH : G_NOTIFICATION_PRIORITY_NORMAL)
  }

  /// Whether something shows notifications.
  ///
  /// If nothing does, GLib complains about each.
  public static var isAvailable: Bool {
    get async {
      guard let address = DBusConnection.sessionAddress,
        let bus = try? await DBusConnection.connect(to: address)
      else { return false }
      // Those that GLib sends notifications to; in a sandbox it sends them to the portal.
      let names =
        access("/.flatpak-info", F_OK) == 0
        ? ["org.freedesktop.portal.Desktop"]
        : ["org.gtk.Notifications", "org.freedesktop.Notifications"]
      for name in names where (try? await bus.knows(name)) == true { return true }
      return false
    }
  }

  /// Adds a button, which activates an action of the application, such as `app.quit`, with `target`.
  public func addButton(_ label: String, action: String, target: String) {
    g_notification_add_button_with_target_value(
      object.opaque, label, action, target.makeVariant())
  }

  /// Sets the action for a click on the notification itself.
  public func setDefaultAction(_ action: String, target: String) {
    g_notification_set_default_action_and_target_value(
      object.opaque, action, target.makeVariant())
  }

  private static func withoutMarkup(_ text: String) -> String {
    text.replacing("&", with: "＆").replacing("<", with: "‹").replacing(">", with: "›")
  }
}

extension Application {
  /// Shows a notification, in place of an earlier one with the same ID.
  public func send(_ notification: DesktopNotification, id: String) {
    g_application_send_notification(ptr(), id, notification.object.opaque)
  }

  /// Takes a notification away; one that is gone already is left alone.
  public func withdrawNotification(_ id: String) {
    g_application_withdraw_notification(ptr(), id)
  }

  /// Whether one of its windows is in the foreground.
  public var isInForeground: Bool {
    pointers(in: gtk_application_get_windows(ptr())).contains { Window(borrowing: $0).isActive }
  }

  /// Calls `handler` before the program ends.
  public func onShutdown(_ handler: @escaping @MainActor () -> Void) {
    connect("shutdown", handler)
  }
}
