import CGtk

/// Makes the labels of a list's items, each of one line that ends in an ellipsis where there is no
/// room for it.
///
/// - Parameter text: returns the text for an item of the list's model.
@MainActor
func makeLabelFactory(
  text: @escaping @MainActor (_ item: UnsafeMutableRawPointer) -> String
) -> Object {
  let factory = Object(owning: gtk_signal_list_item_factory_new())
  factory.connect("setup") { (arguments: SignalArguments) in
    guard let item = arguments.object(0) else { return }
    let label = Label("")
    label.alignToStart()
    label.ellipsize()
    gtk_list_item_set_child(item.opaque, label.widget)
  }
  factory.connect("bind") { (arguments: SignalArguments) in
    guard let item = arguments.object(0), let child = gtk_list_item_get_child(item.opaque),
      let value = gtk_list_item_get_item(item.opaque)
    else { return }
    Label(borrowing: child).text = text(UnsafeMutableRawPointer(value))
  }
  return factory
}
