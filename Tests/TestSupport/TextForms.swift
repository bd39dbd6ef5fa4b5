import AuthCore
import FoundationEssentials

/// The forms in which a text could be in a file.
public enum TextForms {
  /// As it is, with the escapes of URLs and of JSON, and in Base64.
  public static func all(of text: String) -> [String] {
    let bytes = Array(text.utf8)
    var forms = [
      text, FormEncoding.percentEncoded(text), FormEncoding.percentEncoded(text).lowercased(),
      JSON.string(text).compactText.dropFirst().dropLast().description,
      text.replacing("/", with: "\\/"),
      text.utf16.map { unit in
        "\\u" + String(repeating: "0", count: 4 - String(unit, radix: 16).count)
          + String(unit, radix: 16)
      }.joined(),
    ]
    // Base64 of a text within another one: what does not depend on its neighbors.
    for offset in 0..<3 {
      let encoded = Data([UInt8](repeating: 0, count: offset) + bytes).base64EncodedString()
        .filter { $0 != "=" }
      let middle = String(encoded.dropFirst(offset == 0 ? 0 : offset + 1).dropLast(2))
      forms.append(middle)
      forms.append(middle.replacing("+", with: "-").replacing("/", with: "_"))
    }
    return forms
  }
}
