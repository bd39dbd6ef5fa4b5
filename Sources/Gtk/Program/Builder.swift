import CGtk
public import Gio

/// The objects of a `.ui` file.
@MainActor
public final class Builder {
  private let builder: Object
  private let path: String

  /// Builds the user interface of this name from the loaded resources.
  ///
  /// The file is part of the program, so one that cannot be built is a programming error.
  public init(interface name: String) {
    path = "/io/github/entrance/Entrance/ui/\(name).ui"
    builder = Object(owning: gtk_builder_new())
    mustSucceed { gtk_builder_add_from_resource(builder.opaque, path, &$0) }
    completeWidgets()
  }

  /// Builds the user interface that `description` describes, as a file would.
  init(description: String) {
    path = "a description"
    builder = Object(owning: gtk_builder_new())
    mustSucceed { gtk_builder_add_from_string(builder.opaque, description, -1, &$0) }
  }

  private func mustSucceed(_ build: (inout UnsafeMutablePointer<GError>?) -> gboolean) {
    do throws(GLibError) {
      _ = try GLibError.check(build)
    } catch {
      fatalError("'\(path)' cannot be built: \(error.message)")
    }
  }

  /// The object with the given ID, of the class that the caller expects.
  ///
  /// A missing ID or another class is a programming error, too.
  public func object<T: Object>(_ id: String) -> T {
    guard let object = gtk_builder_get_object(builder.opaque, id),
      let typed = Object(borrowing: object).cast(to: T.self)
    else {
      fatalError("'\(path)' has no \(T.self) '\(id)'")
    }
    return typed
  }

  /// The window with the ID `window`, which Escape closes.
  public func dialog() -> Window {
    let window: Window = object("window")
    _ = ShortcutController(on: window, ["Escape": "window.close"])
    return window
  }

  /// Gives widgets what a file cannot, or not once for all: accessible names, lines without hyphens,
  /// no tooltips on open menus, what stays in sight, and how texts are copied.
  private func completeWidgets() {
    guard let objects = gtk_builder_get_objects(builder.opaque) else { return }
    defer { g_slist_free(objects) }
    for object in pointers(in: objects).map({ Object(borrowing: $0) }) {
      object.cast(to: Button.self)?.correctAccessibleName()
      object.cast(to: Widget.self)?.nameParts()
      object.cast(to: MenuButton.self)?.nameItems()
      object.cast(to: MenuButton.self)?.hideTooltipWhileOpen()
      object.cast(to: Window.self)?.announceEntryRows()
      object.cast(to: Spinner.self)?.turnWhileInUse()
      object.cast(to: Label.self)?.breakWithoutHyphens()
      object.cast(to: ActionRow.self)?.breakWithoutHyphens()
      object.cast(to: TextView.self)?.copyAsBytes()
      object.cast(to: TextView.self)?.writeWithoutHyphens()
      object.cast(to: TextView.self)?.keepCursorInSight()
      object.cast(to: Expander.self)?.takeFocusWhenClosed()
    }
  }
}

/// A sign that something takes a while.
private final class Spinner: Widget {
  override class var type: GType { gtk_spinner_get_type() }

  /// Lets it turn while its window is in use: it wakes the program for each frame.
  func turnWhileInUse() {
    let root = gtk_property_expression_new(gtk_widget_get_type(), nil, "root")
    let isInUse = gtk_property_expression_new(gtk_window_get_type(), root, "is-active")
    gtk_expression_bind(isInUse, raw, "spinning", raw)
  }
}

/// A program's resource bundles.
public enum Resources {
  /// Loads the bundle at `path` and makes its resources available to GTK.
  public static func load(_ path: String) throws(GLibError) {
    let resource = try GLibError.check { g_resource_load(path, &$0) }
    g_resources_register(resource)
    g_resource_unref(resource)
  }
}
