import CGio
import Connections
import EntranceKit
import Gio
import Glibc

/// What the administrator of this computer has set, for the app and the command line alike.
enum Administration {
  /// Whether several people use this device: the key `shared-device` of the app's settings.
  static var isSharedDevice: Bool { settings.value(of: "shared-device", default: false) }

  /// Which programs get tokens: the key `program-access` of the app's settings.
  static var programPolicy: ProgramPolicy {
    let value = settings.value(of: ProgramPolicy.key, default: ProgramPolicy.allow.rawValue)
    return ProgramPolicy(rawValue: value) ?? .allow
  }

  private static var settings: Settings {
    Settings(schemaID: EntranceIdentity.applicationID, directory: DataDirectories().schemas)
  }

  /// Where it cannot keep a file, dconf says that it will not work properly; it does, for who only reads.
  ///
  /// GLib takes this once.
  static func silenceDconf() {
    g_log_set_writer_func(
      { level, fields, count, _ in
        for field in UnsafeBufferPointer(start: fields, count: Int(count))
        where strcmp(field.key, "GLIB_DOMAIN") == 0 {
          guard let domain = field.value?.assumingMemoryBound(to: CChar.self),
            strcmp(domain, "dconf") != 0
          else {
            return G_LOG_WRITER_HANDLED
          }
        }
        return g_log_writer_default(level, fields, count, nil)
      }, nil, nil)
  }
}
