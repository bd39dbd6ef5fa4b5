import CGtk
import Gio

/// A row of the desktop's search.
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
}

/// Answers the desktop's search.
@MainActor
public protocol SearchSource: AnyObject {
  /// Finds what has all `terms`.
  func identifiers(_ terms: [String]) async -> [String]
  /// Finds what has all `terms`, in an earlier answer.
  func identifiers(_ terms: [String], among identifiers: [String]) async -> [String]
  /// The rows of what was found.
  func results(_ identifiers: [String]) async -> [SearchResult]
  /// Opens what was found.
  ///
  /// - Parameter time: the time of the user's action, for the window manager.
  func activate(_ identifier: String, at time: UInt32)
  /// Opens the program.
  func launch(at time: UInt32)
}

/// A search provider on the session bus: `org.gnome.Shell.SearchProvider2`.
///
/// While it answers, and without a window for some seconds after that, it keeps the program running:
/// the desktop calls it after each letter.
@MainActor
public final class SearchProvider {
  private weak var source: (any SearchSource)?
  private weak var application: Application?

  private static let lingering = 10  // seconds

  /// Exports `source` at `path` of the session bus, if there is one.
  public init(_ source: any SearchSource, at path: String, of application: Application) {
    self.source = source
    self.application = application
    guard let bus = g_bus_get_sync(G_BUS_TYPE_SESSION, nil, nil),
      let node = g_dbus_node_info_new_for_xml(Self.interface, nil)
    else { return }
    var table = GDBusInterfaceVTable()
    table.method_call = handleCall
    // Exported as long as the program runs.
    g_dbus_connection_register_object(
      bus, path, node.pointee.interfaces[0], &table, Unmanaged.passRetained(self).toOpaque(), nil,
      nil)
  }

  /// Answers a call, whose arguments GLib has checked.
  fileprivate func handle(_ method: String, _ arguments: OpaquePointer, _ call: OpaquePointer) {
    let arguments = Arguments(arguments)
    if let application {
      application.setInactivityLimit(seconds: application.hasWindows ? 0 : Self.lingering)
      application.hold()
    }
    switch method {
    case "GetInitialResultSet":
      let terms = arguments.strings(0)
      answer(call) { Self.variant(await $0.identifiers(terms)) }
    case "GetSubsearchResultSet":
      let (before, terms) = (arguments.strings(0), arguments.strings(1))
      answer(call) { Self.variant(await $0.identifiers(terms, among: before)) }
    case "GetResultMetas":
      let identifiers = arguments.strings(0)
      answer(call) { Self.variant(await $0.results(identifiers)) }
    case "ActivateResult":
      let (identifier, time) = (arguments.strings(0).first ?? "", arguments.number(2))
      answer(call) {
        $0.activate(identifier, at: time)
        return nil
      }
    default:
      let time = arguments.number(1)
      answer(call) {
        $0.launch(at: time)
        return nil
      }
    }
  }

  private func answer(
    _ call: OpaquePointer,
    _ body: @escaping @MainActor (any SearchSource) async -> OpaquePointer?
  ) {
    Task {
      var answer: OpaquePointer?
      if let source { answer = await body(source) }
      g_dbus_method_invocation_return_value(call, answer.map { g_variant_new_tuple([$0], 1) })
      application?.release()
    }
  }

  // MARK: - Variants

  /// The arguments of a call.
  private struct Arguments {
    private let variant: OpaquePointer

    init(_ variant: OpaquePointer) {
      self.variant = variant
    }

    /// The longest text that is looked at, in bytes, and the most texts: any program of the user can
    /// call this, and no search has more.
    private static let limit = (bytes: 4096, texts: 1000)

    /// A list of texts, or a text as a list.
    func strings(_ index: Int) -> [String] {
      guard let child = g_variant_get_child_value(variant, gsize(index)) else { return [] }
      defer { g_variant_unref(child) }
      if let text = String(checking: child) { return [Self.start(of: text)] }
      var count: gsize = 0
      guard let strings = g_variant_get_strv(child, &count) else { return [] }
      defer { g_free(strings) }
      return (0..<min(Int(count), Self.limit.texts)).compactMap { index in
        strings[index].map { Self.start(of: String(cString: $0)) }
      }
    }

    private static func start(of text: String) -> String {
      String(decoding: text.utf8.prefix(limit.bytes), as: UTF8.self)
    }

    /// A number without sign.
    func number(_ index: Int) -> UInt32 {
      guard let child = g_variant_get_child_value(variant, gsize(index)) else { return 0 }
      defer { g_variant_unref(child) }
      return g_variant_get_uint32(child)
    }
  }

  private static func variant(_ texts: [String]) -> OpaquePointer? {
    CStringArray(texts).withPointer { g_variant_new_strv($0, texts.count) }
  }

  private static func variant(_ results: [SearchResult]) -> OpaquePointer? {
    let type = g_variant_type_new("aa{sv}")
    defer { g_variant_type_free(type) }
    let list = g_variant_builder_new(type)
    defer { g_variant_builder_unref(list) }
    for result in results {
      let row = g_variant_dict_new(nil)
      defer { g_variant_dict_unref(row) }
      g_variant_dict_insert_value(row, "id", result.identifier.makeVariant())
      g_variant_dict_insert_value(row, "name", result.name.makeVariant())
      g_variant_dict_insert_value(row, "description", result.details.makeVariant())
      let icon = serializedIcon(of: result)
      // The reference is not floating, so the dictionary adds its own.
      defer { if let icon { g_variant_unref(icon) } }
      g_variant_dict_insert_value(row, "icon", icon)
      g_variant_builder_add_value(list, g_variant_dict_end(row))
    }
    return g_variant_builder_end(list)
  }

  private static func serializedIcon(of result: SearchResult) -> OpaquePointer? {
    let icon: Object
    if let picture = result.picture {
      let bytes = g_bytes_new(picture, gsize(picture.count))
      defer { g_bytes_unref(bytes) }
      icon = Object(owning: g_bytes_icon_new(bytes))
    } else {
      icon = Object(owning: g_themed_icon_new(result.icon))
    }
    return g_icon_serialize(icon.opaque)
  }

  private static let interface = """
    <node><interface name="org.gnome.Shell.SearchProvider2">
      <method name="GetInitialResultSet">
        <arg type="as" direction="in"/><arg type="as" direction="out"/>
      </method>
      <method name="GetSubsearchResultSet">
        <arg type="as" direction="in"/><arg type="as" direction="in"/>
        <arg type="as" direction="out"/>
      </method>
      <method name="GetResultMetas">
        <arg type="as" direction="in"/><arg type="aa{sv}" direction="out"/>
      </method>
      <method name="ActivateResult">
        <arg type="s" direction="in"/><arg type="as" direction="in"/>
        <arg type="u" direction="in"/>
      </method>
      <method name="LaunchSearch">
        <arg type="as" direction="in"/><arg type="u" direction="in"/>
      </method>
    </interface></node>
    """
}

private nonisolated let handleCall: GDBusInterfaceMethodCallFunc = {
  _, _, _, _, method, arguments, call, data in
  nonisolated(unsafe) let (method, arguments, call, data) = (method, arguments, call, data)
  MainActor.assumeIsolated {
    guard let method, let arguments, let call, let data else { return }
    Unmanaged<SearchProvider>.fromOpaque(data).takeUnretainedValue()
      .handle(String(cString: method), arguments, call)
  }
}
