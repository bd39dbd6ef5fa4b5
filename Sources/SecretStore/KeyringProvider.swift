import Gio

/// The program that provides the Secret Service in this session.
package enum KeyringProvider: Sendable, Equatable {
  case gnomeKeyring
  case kwallet
  case keePassXC
  /// Another program.
  case other

  /// Recognizes the provider by its process name in `/proc`, which is cut off after 15 bytes.
  init(process: String) {
    self =
      switch process {
      case "gnome-keyring-d": .gnomeKeyring
      case "ksecretd", "kwalletd5", "kwalletd6": .kwallet
      case "keepassxc": .keePassXC
      default: .other
      }
  }
}

extension SecretServiceSession {
  /// The program that provides the service.
  func provider() throws(SecretServiceFailure) -> KeyringProvider {
    guard let bus else { throw .noBus }
    let reply: Variant
    do throws(GLibError) {
      reply = try DBusConnection(borrowing: bus).call(
        .bus("GetConnectionUnixProcessID"), [Variant("org.freedesktop.secrets")], reply: "(u)",
        limit: nil, cancellable)
    } catch {
      throw SecretServiceFailure(error)
    }
    guard let process = reply[0]?.value(as: UInt32.self) else { return .other }
    return KeyringProvider(process: DBusConnection.name(ofProcess: process) ?? "")
  }
}
