import CGtk

/// The bundles of files that a program comes with.
public enum Resources {
  /// Loads the bundle at `path`, for all that asks for resources.
  public static func load(_ path: String) throws(GLibError) {
    let resource = try GLibError.check { g_resource_load(path, &$0) }
    g_resources_register(resource)
    g_resource_unref(resource)
  }
}
