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
}
