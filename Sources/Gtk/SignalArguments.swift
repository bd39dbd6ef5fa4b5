import Gio
import CGtk

/// The arguments of a signal, valid while its handler runs.
///
/// Index 0 is the first one after the emitting object.
@MainActor
public struct SignalArguments {
  private let values: UnsafePointer<GValue>
  /// The number of arguments.
  public let count: Int

  init(values: UnsafePointer<GValue>, count: Int) {
    self.values = values
    self.count = count
  }

  /// An object argument, such as a policy decision; nil when it is null or missing.
  public func object(_ index: Int) -> Object? {
    guard let value = value(index),
      g_type_fundamental(entrance_value_type(value)) == ENTRANCE_TYPE_OBJECT,
      let pointer = g_value_get_object(value)
    else { return nil }
    return Object(borrowing: pointer)
  }

  /// A text argument.
  public func string(_ index: Int) -> String? {
    guard let value = value(index), entrance_value_type(value) == ENTRANCE_TYPE_STRING else {
      return nil
    }
    return g_value_get_string(value).map { String(cString: $0) }
  }

  /// A number, an enumeration or flags; 0 for another type.
  public func int(_ index: Int) -> Int {
    guard let value = value(index) else { return 0 }
    return switch g_type_fundamental(entrance_value_type(value)) {
    case ENTRANCE_TYPE_INT: Int(g_value_get_int(value))
    case ENTRANCE_TYPE_UINT: Int(g_value_get_uint(value))
    case ENTRANCE_TYPE_LONG: g_value_get_long(value)
    case ENTRANCE_TYPE_ULONG: Int(truncatingIfNeeded: g_value_get_ulong(value))
    case ENTRANCE_TYPE_INT64: Int(g_value_get_int64(value))
    case ENTRANCE_TYPE_UINT64: Int(truncatingIfNeeded: g_value_get_uint64(value))
    case ENTRANCE_TYPE_ENUM: Int(g_value_get_enum(value))
    case ENTRANCE_TYPE_FLAGS: Int(g_value_get_flags(value))
    default: 0
    }
  }

  /// A boxed or plain pointer, such as a `GError`, a `GVariant` or a string array.
  public func pointer(_ index: Int) -> UnsafeMutableRawPointer? {
    value(index).flatMap { g_value_peek_pointer($0) }
  }

  /// A `GVariant` with a `Value`; nil for another type.
  func variant<Value: VariantValue>(_ index: Int, as _: Value.Type) -> Value? {
    pointer(index).flatMap { Value(checking: OpaquePointer($0)) }
  }

  private func value(_ index: Int) -> UnsafePointer<GValue>? {
    index >= 0 && index < count ? values + index : nil
  }
}
