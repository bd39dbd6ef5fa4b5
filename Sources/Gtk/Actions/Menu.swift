import CGtk
import Gio

/// A part of a menu whose items are known only while the program runs.
@MainActor
public final class Menu: Object {
  override class var type: GType { g_menu_get_type() }

  /// Whether it has no items.
  public var isEmpty: Bool { g_menu_model_get_n_items(ptr()) == 0 }

  /// Replaces its items, which have no mnemonics.
  ///
  /// - Parameters:
  ///   - labels: the texts of the items.
  ///   - action: the action of all items, such as `explorer.compare-account`, whose parameter is the
  ///     index of the item as a text.
  public func replace(_ labels: [String], action: String) {
    g_menu_remove_all(opaque)
    for (index, label) in labels.enumerated() {
      let item = Object(owning: g_menu_item_new(label.replacing("_", with: "__"), nil))
      g_menu_item_set_action_and_target_value(item.opaque, action, String(index).makeVariant())
      g_menu_append_item(opaque, item.opaque)
    }
  }
}
