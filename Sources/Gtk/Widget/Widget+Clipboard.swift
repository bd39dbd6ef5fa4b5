import CGtk
import Gio

extension Widget {
  /// Copies `text` to the clipboard of this widget's display.
  ///
  /// Other programs get its bytes. If GTK 4.8 converted a large text for them, it would wait for the
  /// other program in the main thread, and so for itself.
  ///
  /// - Parameter isSecret: asks clipboard managers not to keep the text.
  /// - Returns: what can remove a secret again; nil for other text.
  @discardableResult
  public func copyToClipboard(_ text: String, isSecret: Bool) -> CopiedSecret? {
    let plain = Self.bytes(text)
    let hint = Self.bytes("secret")
    defer {
      g_bytes_unref(plain)
      g_bytes_unref(hint)
    }
    var providers = [
      gdk_content_provider_new_for_bytes("text/plain;charset=utf-8", plain)
    ]
    if isSecret {
      providers.append(gdk_content_provider_new_for_bytes("x-kde-passwordManagerHint", hint))
    } else {
      providers.append(gdk_content_provider_new_for_bytes("text/plain", plain))
      // For this program's own menus.
      var value = GValue()
      g_value_init(&value, ENTRANCE_TYPE_STRING)
      g_value_set_string(&value, text)
      providers.append(gdk_content_provider_new_for_value(&value))
      g_value_unset(&value)
    }
    guard let clipboard = gtk_widget_get_clipboard(widget),
      let content = gdk_content_provider_new_union(&providers, gsize(providers.count))
    else { return nil }
    gdk_clipboard_set_content(clipboard, content)
    let copied = CopiedSecret(
      clipboard: Object(borrowing: clipboard), content: Object(owning: content))
    return isSecret ? copied : nil
  }

  /// The text on the clipboard of this widget's display; nil when there is none.
  public func clipboardText() async -> String? {
    let clipboard = gtk_widget_get_clipboard(widget)
    return try? await awaitOperation { cancellable, ready, data in
      gdk_clipboard_read_text_async(clipboard, cancellable, ready, data)
    } finish: { result, error in
      String(owning: gdk_clipboard_read_text_finish(clipboard, result, &error))
    }
  }

  private static func bytes(_ text: String) -> OpaquePointer? {
    Array(text.utf8).withUnsafeBytes { g_bytes_new($0.baseAddress, gsize($0.count)) }
  }
}

/// A secret on the clipboard.
@MainActor
public final class CopiedSecret {
  private let clipboard: Object
  private let content: Object

  fileprivate init(clipboard: Object, content: Object) {
    self.clipboard = clipboard
    self.content = content
  }

  /// Empties the clipboard, unless something else was copied since.
  public func clear() {
    guard gdk_clipboard_is_local(clipboard.opaque) != 0,
      gdk_clipboard_get_content(clipboard.opaque).map({ UnsafeMutableRawPointer($0) })
        == content.raw
    else { return }
    gdk_clipboard_set_content(clipboard.opaque, nil)
    // The program may end before it would be sent.
    gdk_display_flush(gdk_clipboard_get_display(clipboard.opaque))
  }
}
