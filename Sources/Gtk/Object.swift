import CGtk

/// A counted reference to a `GObject`.
///
/// Swift sees about half of GTK's classes as `OpaquePointer` and the other half as typed pointers, so
/// an object is kept as a raw pointer and handed to C as whichever a function asks for: ``opaque`` or
/// ``ptr()``. A handle is a view, not an identity: two handles of one object are equal. State lives
/// in the classes that hold handles, never in handles. For each class that is used there is a
/// subclass, with its members by name.
@MainActor
open class Object {
  /// The object itself.
  public let raw: UnsafeMutableRawPointer

  /// Takes over the caller's reference: for what a C function returns "transfer full" or floating.
  public required init(owning pointer: UnsafeMutableRawPointer) {
    raw = g_object_take_ref(pointer)
  }

  /// Takes over the caller's reference to an object of a class that C hides.
  public convenience init(owning pointer: OpaquePointer) {
    self.init(owning: UnsafeMutableRawPointer(pointer))
  }

  /// Adds a reference: for what a C function returns "transfer none".
  public required init(borrowing pointer: UnsafeMutableRawPointer) {
    raw = g_object_ref(pointer)
  }

  /// Adds a reference to an object of a class that C hides.
  public convenience init(borrowing pointer: OpaquePointer) {
    self.init(borrowing: UnsafeMutableRawPointer(pointer))
  }

  isolated deinit {
    g_object_unref(raw)
  }

  /// The object for a C function that hides its class.
  public var opaque: OpaquePointer { OpaquePointer(raw) }

  /// The object for a C function that shows its class, such as `GtkWidget`.
  public func ptr<T>() -> UnsafeMutablePointer<T> { raw.assumingMemoryBound(to: T.self) }

  /// The class, as GObject knows it.
  class var type: GType { ENTRANCE_TYPE_OBJECT }

  /// The object as one of class `T`; nil when it is of another class.
  public func cast<T: Object>(to _: T.Type = T.self) -> T? {
    entrance_is_a(raw, T.type) != 0 ? T(borrowing: raw) : nil
  }
}

extension Object: @MainActor Equatable {
  /// Whether both are the same object.
  public static func == (left: Object, right: Object) -> Bool { left.raw == right.raw }
}
