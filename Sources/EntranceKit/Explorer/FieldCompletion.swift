import CurlHTTP
import MicrosoftGraph

/// What can be written at the cursor of header fields, by Microsoft Graph's documentation.
public enum FieldCompletion {
  private typealias Proposal = TextCompletion.Proposal

  /// Finds what can be written.
  ///
  /// - Parameters:
  ///   - head: the header fields before the cursor, `Name: value`, one in each line.
  ///   - method: what is done with the resource.
  /// - Returns: nil when nothing is known, and at the start of a line.
  public static func find(
    after head: String, for method: ExplorerRequest.Method
  ) -> TextCompletion? {
    guard head.utf8.count <= TextCompletion.longestText else { return nil }
    let lines = head.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
    guard let line = lines.last else { return nil }
    let fields = GraphHeaderField.all.filter { !$0.isOfBody || method.hasBody }
    guard let colon = line.firstIndex(of: ":") else {
      return name(line.drop(while: \.isWhitespace), after: lines.dropLast(), of: fields)
    }
    let name = name(of: line)
    return fields.first { $0.name.lowercased() == name }
      .flatMap { value(line[line.index(after: colon)...], of: $0) }
  }

  private static func name(
    _ begun: Substring, after lines: some Sequence<Substring>, of fields: [GraphHeaderField]
  ) -> TextCompletion? {
    guard !begun.isEmpty else { return nil }
    let given = Set(lines.map(name))
    return TextCompletion(
      begun,
      fields.filter { $0.isList || !given.contains($0.name.lowercased()) }
        .map { Proposal("\($0.name): ", .other) })
  }

  /// The name in a line, or what is there of it, in small letters.
  private static func name(of line: Substring) -> String {
    line.prefix { $0 != ":" }.trimmed.lowercased()
  }

  private static func value(_ written: Substring, of field: GraphHeaderField) -> TextCompletion? {
    var parts = [written]
    if field.isList { parts = written.split(separator: ",", omittingEmptySubsequences: false) }
    guard let begun = parts.popLast()?.drop(while: \.isWhitespace) else { return nil }
    let given = Set(parts.map(key))
    return TextCompletion(
      begun,
      field.values.filter { !field.isList || !given.contains(key(of: $0[...])) }
        .map { Proposal($0, .other) })
  }

  /// What a preference is about, which only one value says.
  private static func key(of value: Substring) -> String {
    value.prefix { $0 != "=" }.trimmed.lowercased()
  }
}
