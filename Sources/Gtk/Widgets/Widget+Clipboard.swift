import CGtk

extension Widget {
  /// Copies `text` to the clipboard of this widget's display.
  ///
  /// - Parameter isSecret: asks clipboard managers not to keep the text.
  public func copyToClipboard(_ text: String, isSecret: Bool) {
    let clipboard = gtk_widget_get_clipboard(widget)
    guard isSecret else {
      gdk_clipboard_set_text(clipboard, text)
      return
    }
    let plain = Self.bytes(text)
    let hint = Self.bytes("secret")
    defer {
      g_bytes_unref(plain)
      g_bytes_unref(hint)
    }
    var providers = [
      gdk_content_provider_new_for_bytes("text/plain;charset=utf-8", plain),
      gdk_content_provider_new_for_bytes("x-kde-passwordManagerHint", hint),
    ]
    guard let both = gdk_content_provider_new_union(&providers, gsize(providers.count)) else {
      return
    }
    gdk_clipboard_set_content(clipboard, both)
    g_object_unref(both)
  }

  private static func bytes(_ text: String) -> OpaquePointer? {
    Array(text.utf8).withUnsafeBytes { g_bytes_new($0.baseAddress, gsize($0.count)) }
  }
}
