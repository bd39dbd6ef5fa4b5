import CGtk
public import Gio

/// A row of the desktop's search: of `org.gnome.Shell.SearchProvider2`.
public struct SearchResult {
  /// What the desktop passes back.
  public var identifier: String
  /// The first line.
  public var name: String
  /// The second line.
  public var details: String
  /// An encoded image; nil for the icon.
  public var picture: [UInt8]?
  /// The name of an icon.
  public var icon: String

  /// Creates a row.
  public init(identifier: String, name: String, details: String, picture: [UInt8]?, icon: String) {
    self.identifier = identifier
    self.name = name
    self.details = details
    self.picture = picture
    self.icon = icon
  }

  private func makeIcon() -> Object {
    guard let picture else { return Object(owning: g_themed_icon_new(icon)) }
    let bytes = g_bytes_new(picture, gsize(picture.count))
    defer { g_bytes_unref(bytes) }
    return Object(owning: g_bytes_icon_new(bytes))
  }

  /// The row in an answer.
  fileprivate func makeVariant() -> OpaquePointer? {
    let row = g_variant_dict_new(nil)
    defer { g_variant_dict_unref(row) }
    g_variant_dict_insert_value(row, "id", identifier.makeVariant())
    g_variant_dict_insert_value(row, "name", name.makeVariant())
    g_variant_dict_insert_value(row, "description", details.makeVariant())
    let icon = makeIcon()
    let serialized = g_icon_serialize(icon.opaque)
    // The reference is not floating, so the dictionary adds its own.
    defer { if let serialized { g_variant_unref(serialized) } }
    g_variant_dict_insert_value(row, "icon", serialized)
    return g_variant_dict_end(row)
  }
}

extension Variant {
  /// The rows of the desktop's search.
  public convenience init(_ results: [SearchResult]) {
    let type = g_variant_type_new("a{sv}")
    defer { g_variant_type_free(type) }
    let rows = results.map { $0.makeVariant() }
    self.init(owning: g_variant_new_array(type, rows, gsize(rows.count)))
  }
}
