/// Where preferences are kept: GSettings in the app, memory in tests.
@MainActor
public protocol SettingsStore: AnyObject {
  /// The value of `key`; `standard` when there is none of its type.
  func value(of key: String, or standard: SettingValue) -> SettingValue
  /// Keeps a value; does nothing when `key` is locked.
  func keep(_ value: SettingValue, for key: String)
  /// Whether `key` cannot be set, such as by an administrator's rule.
  func isLocked(_ key: String) -> Bool
  /// Calls `handler` whenever `key` changes, by this program or another.
  func whenChanged(_ key: String, _ handler: @escaping @MainActor () -> Void)
}

/// The value of a setting.
///
/// An enum, because a store must handle each type.
public enum SettingValue: Sendable, Equatable {
  /// Text.
  case text(String)
  /// A number.
  case number(Int)
  /// On or off.
  case flag(Bool)
  /// Several texts.
  case texts([String])
}

/// Settings that last as long as this object.
@MainActor
public final class MemorySettings: SettingsStore {
  private var values: [String: SettingValue]
  private let locked: Set<String>
  private var handlers: [(key: String, handler: @MainActor () -> Void)] = []

  /// Creates settings with `values`; the keys in `locked` cannot be set.
  public init(_ values: [String: SettingValue] = [:], locked: Set<String> = []) {
    self.values = values
    self.locked = locked
  }

  /// The value of `key`; `standard` when it was never set.
  public func value(of key: String, or standard: SettingValue) -> SettingValue {
    values[key] ?? standard
  }

  /// Keeps a value, unless `key` is locked.
  public func keep(_ value: SettingValue, for key: String) {
    guard !isLocked(key), values[key] != value else { return }
    values[key] = value
    for (changed, handler) in handlers where changed == key { handler() }
  }

  /// Whether `key` cannot be set.
  public func isLocked(_ key: String) -> Bool { locked.contains(key) }

  /// Calls `handler` whenever `key` changes.
  public func whenChanged(_ key: String, _ handler: @escaping @MainActor () -> Void) {
    handlers.append((key, handler))
  }
}
