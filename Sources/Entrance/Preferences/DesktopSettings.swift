import Gio
import EntranceKit
import Gtk

/// Preferences in GSettings, where an administrator can lock them.
@MainActor
final class DesktopSettings: SettingsStore {
  private let settings: Settings

  /// Keeps preferences in `settings`.
  init(_ settings: Settings) {
    self.settings = settings
  }

  /// The value of `key`; `standard` when there is none of its type.
  func value(of key: String, or standard: SettingValue) -> SettingValue {
    switch standard {
    case .text(let text): .text(settings.value(of: key, default: text))
    case .number(let number): .number(settings.value(of: key, default: number))
    case .flag(let flag): .flag(settings.value(of: key, default: flag))
    case .texts(let texts): .texts(settings.value(of: key, default: texts))
    }
  }

  /// Keeps a value that the schema allows, unless `key` is locked.
  func keep(_ value: SettingValue, for key: String) {
    switch value {
    case .text(let text): settings.set(key, to: text)
    case .number(let number): settings.set(key, to: number)
    case .flag(let flag): settings.set(key, to: flag)
    case .texts(let texts): settings.set(key, to: texts)
    }
  }

  /// Whether `key` cannot be set.
  func isLocked(_ key: String) -> Bool { settings.isLocked(key) }

  /// Calls `handler` whenever `key` changes.
  func whenChanged(_ key: String, _ handler: @escaping @MainActor () -> Void) {
    settings.onChange(of: key, handler)
  }
}
