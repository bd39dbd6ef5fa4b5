import CurlHTTP

/// The way from a message ID to the person's language.
///
/// The catalogue belongs to the desktop; the app hands a look-up in at its start. Without one, as in
/// tests and on the command line, the message IDs themselves are shown.
public enum Localization {
  private static let lookUp = LockedValue<@Sendable (String) -> String>({ $0 })

  /// Translates by `lookUp` from now on.
  public static func use(_ lookUp: @escaping @Sendable (String) -> String) {
    self.lookUp.withLock { $0 = lookUp }
  }

  fileprivate static func translate(_ id: String) -> String {
    lookUp.withLock { $0 }(id)
  }
}

/// The translation of `id`, with each `{name}` in it replaced by its value.
package func tr(_ id: String, _ values: (name: String, value: String)...) -> String {
  var text = Localization.translate(id)
  for (name, value) in values {
    guard let place = text.firstRange(of: "{\(name)}") else { continue }
    text.replaceSubrange(place, with: value)
  }
  return text
}
