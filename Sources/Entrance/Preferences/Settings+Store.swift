public import EntranceKit
public import Gio
import Gtk

/// Preferences in GSettings, where an administrator can lock them.
extension Settings: SettingsStore {
  /// The value of `key`; `standard` when there is none of its type.
  public func value(of key: String, or standard: SettingValue) -> SettingValue {
    switch standard {
    case .text(let text): .text(value(of: key, default: text))
    case .number(let number): .number(value(of: key, default: number))
    case .flag(let flag): .flag(value(of: key, default: flag))
    case .texts(let texts): .texts(value(of: key, default: texts))
    }
  }

  /// Keeps a value that the schema allows, unless `key` is locked.
  public func keep(_ value: SettingValue, for key: String) {
    switch value {
    case .text(let text): set(key, to: text)
    case .number(let number): set(key, to: number)
    case .flag(let flag): set(key, to: flag)
    case .texts(let texts): set(key, to: texts)
    }
  }
}
