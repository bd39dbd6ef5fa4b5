import AuthCore

/// A page, as far as a user can interact with it.
struct Page: Sendable {
  /// The ID of its `main` element.
  let name: String
  private let html: String

  init(html: String) {
    self.html = html
    name = Self.attribute("id", of: Self.text(in: html, from: "<main", to: ">") ?? "") ?? ""
  }

  /// The text of the element with `id`, if it contains no other element.
  func text(of id: String) -> String? {
    guard let start = html.firstRange(of: "id=\"\(id)\"") else { return nil }
    let behind = html[start.upperBound...].drop { $0 != ">" }.dropFirst()
    return Self.unescaped(String(behind.prefix { $0 != "<" }))
  }

  /// The target and the fields of the form with a button; nil when there is no such button.
  func form(of button: String) -> (action: String, fields: [String: String])? {
    for part in html.split(separator: "<form ").dropFirst() {
      let form = part.firstRange(of: "</form>").map { part[..<$0.lowerBound] } ?? part
      guard form.contains("id=\"\(button)\""),
        let action = Self.attribute("action", of: String(form))
      else { continue }
      var fields: [String: String] = [:]
      for tag in form.split(separator: "<").map({ String($0.prefix { $0 != ">" }) }) {
        let isPressed = tag.hasPrefix("button") && Self.attribute("id", of: tag) == button
        guard tag.hasPrefix("input") || isPressed, let name = Self.attribute("name", of: tag)
        else { continue }
        fields[name] = Self.attribute("value", of: tag) ?? ""
      }
      return (action, fields)
    }
    return nil
  }

  private static func attribute(_ name: String, of tag: String) -> String? {
    text(in: " " + tag, from: " \(name)=\"", to: "\"").map(unescaped)
  }

  private static func text(in text: String, from start: String, to end: String) -> String? {
    guard let start = text.firstRange(of: start) else { return nil }
    let rest = text[start.upperBound...]
    return rest.firstRange(of: end).map { String(rest[..<$0.lowerBound]) }
  }

  private static func unescaped(_ text: String) -> String {
    [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&#39;", "'"), ("&amp;", "&")]
      .reduce(text) { $0.replacing($1.0, with: $1.1) }
  }
}
