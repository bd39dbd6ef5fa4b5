import CGtk

/// The objects of a `.ui` file.
@MainActor
public final class Builder {
  private let builder: Object
  private let path: String

  /// Builds the interface at `path` of the loaded resources.
  public init(resource path: String) throws(GLibError) {
    self.path = path
    builder = Object(owning: gtk_builder_new())
    gtk_builder_set_translation_domain(builder.opaque, textDomain)
    _ = try GLibError.check { gtk_builder_add_from_resource(builder.opaque, path, &$0) }
    nameButtonsByTheirText()
  }

  /// The object with the given ID.
  ///
  /// The file is part of the program, so a missing ID is a defect in the program.
  public func object(_ id: String) -> Object {
    guard let object = gtk_builder_get_object(builder.opaque, id) else {
      preconditionFailure("'\(path)' has no object '\(id)'")
    }
    return Object(borrowing: UnsafeMutableRawPointer(object))
  }

  /// Leaves the mnemonics out of the accessible names of buttons.
  ///
  /// GTK 4.8 names a button by its label as it was written and by the text that is shown, so that a
  /// screen reader would say "_Cancel Cancel".
  private func nameButtonsByTheirText() {
    guard let objects = gtk_builder_get_objects(builder.opaque) else { return }
    defer { g_slist_free(objects) }
    var rest: UnsafeMutablePointer<GSList>? = objects
    while let node = rest {
      if let object = node.pointee.data, entrance_is_a(object, gtk_button_get_type()) != 0,
        gtk_button_get_use_underline(object.assumingMemoryBound(to: GtkButton.self)) != 0
      {
        gtk_accessible_reset_property(OpaquePointer(object), GTK_ACCESSIBLE_PROPERTY_LABEL)
      }
      rest = node.pointee.next
    }
  }
}
