public import Gio
import CGtk

/// A program's resource bundles.
public enum Resources {
  /// Loads the bundle at `path` and makes its resources available to GTK.
  public static func load(_ path: String) throws(GLibError) {
    let resource = try GLibError.check { g_resource_load(path, &$0) }
    g_resources_register(resource)
    g_resource_unref(resource)
  }
}
