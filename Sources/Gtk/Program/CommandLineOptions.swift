import CGtk
import Gio

/// The command-line options of a process.
@MainActor
public final class CommandLineOptions {
  /// GLib's name for the arguments that are not options.
  static let arguments = ""

  private let dictionary: UnsafeMutablePointer<GVariantDict>

  /// Adds a reference to a `GVariantDict`.
  init(borrowing dictionary: OpaquePointer) {
    self.dictionary = g_variant_dict_ref(UnsafeMutablePointer(dictionary))
  }

  isolated deinit {
    g_variant_dict_unref(dictionary)
  }

  /// Whether the option was given.
  public func contains(_ name: String) -> Bool { g_variant_dict_contains(dictionary, name) != 0 }

  /// The value of an option; nil when it was not given.
  public func value(of name: String) -> String? {
    guard let value = g_variant_dict_lookup_value(dictionary, name, nil) else { return nil }
    defer { g_variant_unref(value) }
    return String(checking: value)
  }

  /// The arguments that are not options.
  public var arguments: [String] {
    guard let list = g_variant_dict_lookup_value(dictionary, Self.arguments, nil) else { return [] }
    defer { g_variant_unref(list) }
    var count: gsize = 0
    guard let strings = g_variant_get_strv(list, &count) else { return [] }
    defer { g_free(strings) }
    return (0..<Int(count)).compactMap { strings[$0].map { String(cString: $0) } }
  }
}
