import CGtk

/// A counted reference to a `GObject`.
///
/// Swift imports about half of GTK's classes as `OpaquePointer` and the other half as typed
/// pointers, so an object is kept as a raw pointer and converted to what a C function expects:
/// ``opaque`` or ``ptr()``. Handles have no identity: two handles of one object are equal. Handles
/// have no state; the classes that hold them do. Each GTK class in use has a subclass with its
/// members.
@MainActor
open class Object {
  /// The object itself.
  public let raw: UnsafeMutableRawPointer

  /// Takes ownership of the caller's reference: for a C function's result that is "transfer full"
  /// or floating.
  public required init(owning pointer: UnsafeMutableRawPointer) {
    raw = g_object_take_ref(pointer)
  }

  /// Takes ownership of the caller's reference to an object of an opaque class.
  public convenience init(owning pointer: OpaquePointer) {
    self.init(owning: UnsafeMutableRawPointer(pointer))
  }

  /// Adds a reference: for a C function's result that is "transfer none".
  public required init(borrowing pointer: UnsafeMutableRawPointer) {
    raw = g_object_ref(pointer)
  }

  /// Adds a reference to an object of an opaque class.
  public convenience init(borrowing pointer: OpaquePointer) {
    self.init(borrowing: UnsafeMutableRawPointer(pointer))
  }

  isolated deinit {
    g_object_unref(raw)
  }

  /// The object for a C function with an opaque class.
  public var opaque: OpaquePointer { OpaquePointer(raw) }

  /// The object for a C function with a typed class, such as `GtkWidget`.
  public func ptr<T>() -> UnsafeMutablePointer<T> { raw.assumingMemoryBound(to: T.self) }

  /// The class's `GType`.
  class var type: GType { ENTRANCE_TYPE_OBJECT }

  /// The object as class `T`; nil when it is of another class.
  public func cast<T: Object>(to _: T.Type = T.self) -> T? {
    entrance_is_a(raw, T.type) != 0 ? T(borrowing: raw) : nil
  }
}

extension Object: @MainActor Equatable {
  /// Whether both are the same object.
  public static func == (left: Object, right: Object) -> Bool { left.raw == right.raw }
}

// Properties by name, for those without a function of their own, or for several widgets of a kind.
extension Object {
  /// Sets a boolean property.
  public func set(_ property: String, to isOn: Bool) {
    set(property, of: ENTRANCE_TYPE_BOOLEAN) { g_value_set_boolean(&$0, isOn ? 1 : 0) }
  }

  /// Sets a property of this type to what `fill` puts into a value.
  func set(_ property: String, of type: GType, _ fill: (inout GValue) -> Void) {
    var value = GValue()
    g_value_init(&value, type)
    fill(&value)
    g_object_set_property(ptr(), property, &value)
    g_value_unset(&value)
  }
}
