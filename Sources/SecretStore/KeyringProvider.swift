import CSecret
import Glibc

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
    var error: UnsafeMutablePointer<GError>?
    let reply = g_dbus_connection_call_sync(
      bus, "org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus",
      "GetConnectionUnixProcessID",
      g_variant_new_tuple([g_variant_new_string("org.freedesktop.secrets")], 1), nil,
      G_DBUS_CALL_FLAGS_NONE, -1, cancellable, &error)
    if let error { throw SecretServiceFailure(error) }
    defer { g_variant_unref(reply) }
    let child = g_variant_get_child_value(reply, 0)
    defer { g_variant_unref(child) }
    return KeyringProvider(process: Self.name(ofProcess: g_variant_get_uint32(child)))
  }

  private static func name(ofProcess process: UInt32) -> String {
    let file = Glibc.open("/proc/\(process)/comm", O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return "" }
    defer { Glibc.close(file) }
    var name = [UInt8](repeating: 0, count: 16)
    let count = Glibc.read(file, &name, name.count)
    return String(decoding: name.prefix(max(count, 0)).prefix { $0 != 0x0A }, as: UTF8.self)
  }
}
