import Gio

/// Looks up names on the session bus, without activating anything.
public enum SessionBus {
  /// Whether a name can be reached.
  ///
  /// An enum, because no other value is possible: there is a bus or none, and the name is on it or
  /// not.
  public enum Presence: String, Sendable {
    /// There is no session bus.
    case noBus
    /// Nobody owns the name, and it cannot be activated.
    case absent
    /// The name is owned, or can be activated.
    case present
  }

  /// Looks for `name`, such as `org.freedesktop.secrets`.
  public static func presence(of name: String) async -> Presence {
    guard let address = DBusConnection.sessionAddress,
      let bus = try? await DBusConnection.connect(to: address)
    else { return .noBus }
    return (try? await bus.knows(name)) == true ? .present : .absent
  }
}
