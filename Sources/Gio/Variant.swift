import CGio

/// A `GVariant`: a value that is sent over D-Bus.
///
/// It can be used on any thread: it never changes, and counts its references atomically.
public final class Variant: @unchecked Sendable {
  /// The object for a C function.
  public let pointer: OpaquePointer

  /// Takes ownership of the caller's reference, or of a floating one.
  public init(owning pointer: OpaquePointer) {
    self.pointer = g_variant_take_ref(pointer)
  }

  /// The variant of a value.
  public convenience init(_ value: some VariantValue) {
    self.init(owning: value.makeVariant())
  }

  /// A tuple, such as a method's arguments.
  public convenience init(tuple members: [Variant]) {
    let pointers = members.map { Optional($0.pointer) }
    // The members would be released after their last use, which is before this.
    defer { withExtendedLifetime(members) {} }
    self.init(owning: g_variant_new_tuple(pointers, gsize(pointers.count)))
  }

  /// An array of the paths of D-Bus objects.
  public convenience init(objectPaths paths: [String]) {
    let items: [OpaquePointer?] = paths.map { g_variant_new_object_path($0) }
    let type = g_variant_type_new("o")
    defer { g_variant_type_free(type) }
    self.init(owning: g_variant_new_array(type, items, gsize(items.count)))
  }

  /// An array of texts.
  public convenience init(texts: [String]) {
    let items: [OpaquePointer?] = texts.map { $0.makeVariant() }
    let type = g_variant_type_new("s")
    defer { g_variant_type_free(type) }
    self.init(owning: g_variant_new_array(type, items, gsize(items.count)))
  }

  /// Options by their names, of which there are none: `a{sv}`.
  public static var noOptions: Variant {
    let type = g_variant_type_new("{sv}")
    defer { g_variant_type_free(type) }
    return Variant(owning: g_variant_new_array(type, nil, 0))
  }

  deinit {
    g_variant_unref(pointer)
  }

  /// A member of a tuple or an array; nil when there is none.
  public subscript(index: Int) -> Variant? {
    guard g_variant_is_container(pointer) != 0, index >= 0,
      index < Int(g_variant_n_children(pointer)),
      let child = g_variant_get_child_value(pointer, gsize(index))
    else { return nil }
    return Variant(owning: child)
  }

  /// The value; nil when the variant has another type.
  public func value<Value: VariantValue>(as _: Value.Type = Value.self) -> Value? {
    Value(checking: pointer)
  }

  /// A text or the path of an object with `limit` bytes at most; nil for another value.
  public func text(upTo limit: Int = .max) -> String? {
    let types = [G_VARIANT_CLASS_STRING, G_VARIANT_CLASS_OBJECT_PATH]
    guard types.contains(g_variant_classify(pointer)) else { return nil }
    var length: gsize = 0
    guard let bytes = g_variant_get_string(pointer, &length), length <= limit else { return nil }
    return String(
      decoding: UnsafeRawBufferPointer(start: bytes, count: Int(length)), as: UTF8.self)
  }

  /// The texts of an array; empty for another value.
  public var texts: [String] {
    guard g_variant_classify(pointer) == G_VARIANT_CLASS_ARRAY else { return [] }
    return (0..<Int(g_variant_n_children(pointer))).compactMap { self[$0]?.text() }
  }
}
