/// A window of the app, by the name that the display server knows it by.
///
/// An identity broker keeps its own windows in front of it.
///
/// Later versions may add display servers: a `switch` needs a `default`.
public struct ParentWindow: Sendable, Hashable {
  /// The kinds of this version, for a `switch` that must handle each.
  package enum Known: Hashable {
    case x11(UInt32)
    case wayland(String)
  }
  package let known: Known

  /// A window of X11, by its ID.
  public static func x11(_ window: UInt32) -> ParentWindow { ParentWindow(known: .x11(window)) }

  /// A window of Wayland, by the handle that the compositor gave for it (xdg-foreign).
  ///
  /// The handle is valid until the app withdraws it.
  public static func wayland(exportedHandle: String) -> ParentWindow {
    ParentWindow(known: .wayland(exportedHandle))
  }
}
