import CGio

extension String {
  /// Takes ownership of a text from GLib; nil for none.
  package init?(owning text: UnsafeMutablePointer<CChar>?) {
    guard let text else { return nil }
    defer { g_free(text) }
    self.init(cString: text)
  }
}
