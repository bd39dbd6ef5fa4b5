public import AuthCore
import Localization
public import Sentences

/// The items of a collection as rows.
///
/// A column is a member that any of the items has, in the order in which they come; annotations
/// such as `@odata.etag` have none.
public struct GraphTable: Sendable, Equatable {
  /// The names of the columns.
  public private(set) var columns: [String] = []
  /// Whether items have more members than there can be columns.
  private var lacksColumns = false
  private var places: [String: Int] = [:]
  /// The columns in which any of the items has something.
  private var filled: Set<Int> = []
  private var rows: [[Cell]] = []

  /// A text of a row: items can have few of the columns, so only what they have is kept.
  private struct Cell: Equatable {
    let column: Int
    let text: String
  }

  /// The most columns of a table, many times as many as the largest resource of Graph has.
  ///
  /// A table of items that all have other members would be as large as the square of their number.
  public static let mostColumns = 256

  /// Creates a table without rows.
  public init() {}

  /// Creates the table of `items`.
  public init(_ items: [JSON]) {
    for item in items { add(item) }
  }

  /// Adds an item; one that is no object has a column called `value`.
  public mutating func add(_ item: JSON) {
    var row: [Cell] = []
    for member in item.object ?? [JSON.Member("value", item)]
    where !member.name.hasPrefix("@odata.") {
      if let column = column(called: member.name) {
        let text = Self.text(member.value)
        row.append(Cell(column: column, text: text))
        // An empty list says nothing either.
        if !["", "[]", "{}"].contains(text) { filled.insert(column) }
      } else {
        lacksColumns = true
      }
    }
    rows.append(row)
  }

  /// The column of a member, which is new if none has had it; nil when there are too many.
  private mutating func column(called name: String) -> Int? {
    if let place = places[name] { return place }
    guard columns.count < Self.mostColumns else { return nil }
    places[name] = columns.count
    columns.append(name)
    return columns.count - 1
  }

  /// The columns that are shown, in this order: those that have nothing in any row are the last.
  public var shownOrder: [Int] {
    let empty = columns.indices.filter { !filled.contains($0) }
    return Array((filled.sorted() + empty).prefix(Self.shownColumns))
  }

  /// How many columns are shown of a table; a file has all.
  static let shownColumns = 40
  /// How many rows are shown of a table; a file has all.
  public static let shownRows = 10_000

  /// What the table lacks; nil when it has everything.
  public var columnsHint: Sentence? {
    !lacksColumns
      ? nil
      : Sentence(
        "The table has only the first {count} columns. Choose those that you need with $select.",
        ["count": Self.mostColumns])
  }

  /// What is not shown of the table; nil when all is.
  var hint: String? {
    if let columnsHint { return tr(columnsHint) }
    guard columns.count > Self.shownColumns || count > Self.shownRows else { return nil }
    return tr(
      "The table shows only the first {rows} rows and {columns} columns. To get all, save it as"
        + " CSV.", ["rows": Self.shownRows, "columns": Self.shownColumns])
  }

  /// How many rows there are.
  public var count: Int { rows.count }

  /// The text in a row and a column; empty where there is none.
  public func text(row: Int, column: Int) -> String {
    guard rows.indices.contains(row) else { return "" }
    return rows[row].first { $0.column == column }?.text ?? ""
  }

  /// How many characters of a text are shown in a table, and compared to sort it.
  private static let shownOfText = 200

  /// The beginning of a text as a table shows it, on one line.
  public func shownText(row: Int, column: Int) -> String {
    String(start(row, column).map { $0.isNewline ? " " : $0 })
  }

  private func start(_ row: Int, _ column: Int) -> String {
    String(text(row: row, column: column).unicodeScalars.prefix(Self.shownOfText))
  }

  private static func text(_ value: JSON) -> String {
    value == .null ? "" : value.string ?? value.compactText
  }

  /// The rows, below the names of the columns; empty without columns.
  ///
  /// Each is made when it is read: together they would be many times as large as the items.
  public var cells: LazyMapSequence<Range<Int>, [String]> {
    (columns.isEmpty ? 0..<0 : 0..<(rows.count + 1)).lazy.map {
      $0 == 0 ? columns : texts(ofRow: $0 - 1)
    }
  }

  private func texts(ofRow row: Int) -> [String] {
    var texts = Array(repeating: "", count: columns.count)
    for cell in rows[row] { texts[cell.column] = cell.text }
    return texts
  }

  /// Comma-separated values, whole (RFC 4180).
  public var csv: String {
    cells.reduce(into: "") { csv, row in
      csv += row.map(Self.quoted).joined(separator: ",") + "\r\n"
    }
  }

  private static func quoted(_ text: String) -> String {
    let isQuoted = text.unicodeScalars.contains { ",\"\r\n".unicodeScalars.contains($0) }
    return isQuoted ? "\"\(text.replacing("\"", with: "\"\""))\"" : text
  }

  /// Whether a row comes before another when they are sorted by a column: numbers by their value, then
  /// texts as people read their beginnings, and nothing at the end.
  public func precedes(_ one: Int, _ other: Int, by column: Int) -> Bool {
    let (one, other) = (start(one, column), start(other, column))
    if one.isEmpty || other.isEmpty { return !one.isEmpty }
    switch (Self.number(one), Self.number(other)) {
    case (let one?, let other?): return one < other
    case (nil, nil): return one.lowercased() < other.lowercased()
    case (let one, _): return one != nil
    }
  }

  private static func number(_ text: String) -> Double? {
    Double(text).flatMap { $0.isFinite ? $0 : nil }
  }
}
