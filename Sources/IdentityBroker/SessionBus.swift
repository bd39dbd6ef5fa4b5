/// What there is on the session bus; nothing is started by asking.
public enum SessionBus {
  /// How far a name can be reached.
  ///
  /// It is an enum because there is no fourth: there is a bus or none, and the name is on it or not.
  public enum Presence: String, Sendable {
    /// There is no session bus.
    case noBus
    /// Nobody has the name, nor would be started to have it.
    case absent
    /// Somebody has the name, or would be started to have it.
    case present
  }

  /// Looks for `name`, such as `org.freedesktop.secrets`.
  public static func presence(of name: String) async -> Presence {
    guard let address = Bus.address, let bus = try? await Bus.connect(to: address) else {
      return .noBus
    }
    return (try? await bus.knows(name)) == true ? .present : .absent
  }
}
