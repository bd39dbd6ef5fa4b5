public import AuthCore

/// The items of a collection as rows.
///
/// A column is a member that any of the items has, in the order in which they come; annotations
/// such as `@odata.etag` have none.
public struct GraphTable: Sendable, Equatable {
  /// The names of the columns.
  public private(set) var columns: [String] = []
  private var places: [String: Int] = [:]
  /// The texts of each row; a short row has none in the last columns.
  private var rows: [[String]] = []

  /// Creates a table without rows.
  public init() {}

  /// Creates the table of `items`.
  public init(_ items: [JSON]) {
    for item in items { add(item) }
  }

  /// Adds an item; one that is no object has a column called `value`.
  public mutating func add(_ item: JSON) {
    var row = Array(repeating: "", count: columns.count)
    for member in item.object ?? [JSON.Member("value", item)]
    where !member.name.hasPrefix("@odata.") {
      let place = places[member.name] ?? columns.count
      if place == columns.count {
        places[member.name] = place
        columns.append(member.name)
        row.append("")
      }
      row[place] = Self.text(member.value)
    }
    rows.append(row)
  }

  /// How many columns are shown of a table; a file has all.
  public static let shownColumns = 40
  /// How many rows are shown of a table; a file has all.
  public static let shownRows = 10_000

  /// How many rows there are.
  public var count: Int { rows.count }

  /// The text in a row and a column; empty where there is none.
  public func text(row: Int, column: Int) -> String {
    rows.indices.contains(row) && rows[row].indices.contains(column) ? rows[row][column] : ""
  }

  private static func text(_ value: JSON) -> String {
    value == .null ? "" : value.string ?? value.compactText
  }

  /// The rows, below the names of the columns.
  public var cells: [[String]] {
    columns.isEmpty
      ? [] : [columns] + rows.map { $0 + Array(repeating: "", count: columns.count - $0.count) }
  }

  /// Comma-separated values, whole (RFC 4180).
  public var csv: String {
    cells.map { row in
      row.map { text in
        let isQuoted = text.unicodeScalars.contains { ",\"\r\n".unicodeScalars.contains($0) }
        return isQuoted ? "\"\(text.replacing("\"", with: "\"\""))\"" : text
      }.joined(separator: ",") + "\r\n"
    }.joined()
  }

  /// Whether a row comes before another when they are sorted by a column: numbers by their value,
  /// texts as people read them, and nothing at the end.
  public func precedes(_ one: Int, _ other: Int, by column: Int) -> Bool {
    let (one, other) = (text(row: one, column: column), text(row: other, column: column))
    if one.isEmpty || other.isEmpty { return !one.isEmpty }
    if let one = Double(one), let other = Double(other) { return one < other }
    return one.lowercased() < other.lowercased()
  }
}
