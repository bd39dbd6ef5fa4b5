import CGtk

/// The objects of a `.ui` file.
@MainActor
public final class Builder {
  private let builder: Object
  private let path: String

  /// Builds the user interface of this name from the loaded resources.
  public init(interface name: String) throws(GLibError) {
    path = "/io/github/entrance/Entrance/ui/\(name).ui"
    builder = Object(owning: gtk_builder_new())
    _ = try GLibError.check { gtk_builder_add_from_resource(builder.opaque, path, &$0) }
    nameButtonsByTheirText()
  }

  /// The object with the given ID, of the class that the caller expects.
  ///
  /// The file is part of the program, so a missing ID or another class is a programming error.
  public func object<T: Object>(_ id: String) -> T {
    guard let object = gtk_builder_get_object(builder.opaque, id),
      let typed = Object(borrowing: object).cast(to: T.self)
    else {
      preconditionFailure("'\(path)' has no \(T.self) '\(id)'")
    }
    return typed
  }

  /// Removes the mnemonics from the accessible names of buttons.
  private func nameButtonsByTheirText() {
    guard let objects = gtk_builder_get_objects(builder.opaque) else { return }
    defer { g_slist_free(objects) }
    var rest: UnsafeMutablePointer<GSList>? = objects
    while let node = rest {
      if let button = node.pointee.data.flatMap({ Object(borrowing: $0).cast(to: Button.self) }),
        button.usesMnemonic
      {
        button.nameByText()
      }
      rest = node.pointee.next
    }
  }
}
