import CGio

/// A type that GLib's variants support: for parameters and states of actions, and for settings.
public protocol VariantValue {
  /// The GLib type string.
  static var variantType: String { get }

  /// Reads a `GVariant` of that type.
  init(readingVariant variant: OpaquePointer)

  /// Makes a `GVariant` with a floating reference.
  func makeVariant() -> OpaquePointer
}

extension VariantValue {
  /// Reads `variant`; nil when it has another type.
  public init?(checking variant: OpaquePointer) {
    let type = String(cString: g_variant_get_type_string(variant))
    guard type == Self.variantType else { return nil }
    self.init(readingVariant: variant)
  }
}

extension Bool: VariantValue {
  /// A boolean.
  public static var variantType: String { "b" }

  /// Reads a boolean.
  public init(readingVariant variant: OpaquePointer) {
    self = g_variant_get_boolean(variant) != 0
  }

  /// Makes a boolean.
  public func makeVariant() -> OpaquePointer { g_variant_new_boolean(self ? 1 : 0) }
}

extension Int: VariantValue {
  /// A 32-bit integer.
  public static var variantType: String { "i" }

  /// Reads a number.
  public init(readingVariant variant: OpaquePointer) {
    self = Int(g_variant_get_int32(variant))
  }

  /// Makes an integer; one that is too large becomes the largest.
  public func makeVariant() -> OpaquePointer { g_variant_new_int32(gint32(clamping: self)) }
}

extension Int64: VariantValue {
  /// A 64-bit integer.
  public static var variantType: String { "x" }

  /// Reads a number.
  public init(readingVariant variant: OpaquePointer) {
    self = Int64(g_variant_get_int64(variant))
  }

  /// Makes an integer.
  public func makeVariant() -> OpaquePointer { g_variant_new_int64(gint64(self)) }
}

extension UInt32: VariantValue {
  /// An unsigned 32-bit integer.
  public static var variantType: String { "u" }

  /// Reads a number.
  public init(readingVariant variant: OpaquePointer) {
    self = g_variant_get_uint32(variant)
  }

  /// Makes an integer.
  public func makeVariant() -> OpaquePointer { g_variant_new_uint32(self) }
}

extension String: VariantValue {
  /// A text.
  public static var variantType: String { "s" }

  /// Reads a text.
  public init(readingVariant variant: OpaquePointer) {
    self = g_variant_get_string(variant, nil).map { String(cString: $0) } ?? ""
  }

  /// Makes a string, which ends at the first NUL.
  public func makeVariant() -> OpaquePointer { g_variant_new_string(self) }
}

extension Array: VariantValue where Element == String {
  /// A list of texts.
  public static var variantType: String { "as" }

  /// Reads a list of texts.
  public init(readingVariant variant: OpaquePointer) {
    self = (0..<g_variant_n_children(variant)).compactMap { index in
      guard let child = g_variant_get_child_value(variant, index) else { return nil }
      defer { g_variant_unref(child) }
      return String(readingVariant: child)
    }
  }

  /// Makes a list of strings.
  public func makeVariant() -> OpaquePointer {
    let type = g_variant_type_new(String.variantType)
    defer { g_variant_type_free(type) }
    let children: [OpaquePointer?] = map { $0.makeVariant() }
    return g_variant_new_array(type, children, gsize(count))
  }
}
