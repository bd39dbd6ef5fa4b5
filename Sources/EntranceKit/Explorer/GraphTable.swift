public import AuthCore
import Localization
public import Sentences

/// The items of a collection as rows.
///
/// A column is a member that any of the items has, in the order in which they come; annotations
/// such as `@odata.etag` have none. Each member of a nested object has a column of its own, named by
/// its path, such as `from.emailAddress.name`; other values than texts are JSON.
public struct GraphTable: Sendable, Equatable {
  /// The names of the columns.
  public private(set) var columns: [String] = []
  /// Whether items have more members than there can be columns.
  private var lacksColumns = false
  /// The columns by their paths: a name can have a dot itself.
  private var places: [[String]: Int] = [:]
  /// The columns in which any of the items has something.
  private var filled: Set<Int> = []
  private var rows: [[Cell]] = []

  /// A text of a row: items can have few of the columns, so only what they have is kept.
  private struct Cell: Equatable {
    let column: Int
    let text: String
    /// The elements of a list of texts and numbers; nil for another value.
    let list: String?

    init(column: Int, _ value: JSON) {
      self.column = column
      text = value == .null ? "" : value.string ?? value.compactText
      list = Self.list(value)
    }

    private static func list(_ value: JSON) -> String? {
      guard let elements = value.array, !elements.isEmpty else { return nil }
      var texts: [String] = []
      for element in elements {
        switch element {
        case .string(let text), .number(let text): texts.append(text)
        default: return nil
        }
      }
      return texts.joined(separator: ", ")
    }
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
    add(item.object ?? [JSON.Member("value", item)], below: [], to: &row)
    rows.append(row)
  }

  private mutating func add(_ members: [JSON.Member], below path: [String], to row: inout [Cell]) {
    for member in members where !Self.isAnnotation(member) {
      let place = path + [member.name]
      if place.count < Self.mostNames, let inner = Self.columns(of: member) {
        add(inner, below: place, to: &row)
      } else if let column = column(at: place) {
        let cell = Cell(column: column, member.value)
        row.append(cell)
        // An empty list says nothing either.
        if !["", "[]", "{}"].contains(cell.text) { filled.insert(column) }
      } else {
        lacksColumns = true
      }
    }
  }

  /// The most names in the path of a column; an object that is deeper stays JSON.
  private static let mostNames = 3
  /// The longest name, in bytes, that can be followed by others: all of them repeat it.
  private static let longestName = 200

  private static func isAnnotation(_ member: JSON.Member) -> Bool {
    member.name.hasPrefix("@odata.")
  }

  /// What has columns in place of a member; nil for other values than objects, and for an object
  /// without anything but annotations.
  private static func columns(of member: JSON.Member) -> [JSON.Member]? {
    guard let members = member.value.object, member.name.utf8.count <= longestName,
      members.contains(where: { !isAnnotation($0) })
    else { return nil }
    return members
  }

  /// The column of a path, which is new if none has had it; nil when there are too many.
  private mutating func column(at path: [String]) -> Int? {
    if let place = places[path] { return place }
    guard columns.count < Self.mostColumns else { return nil }
    places[path] = columns.count
    columns.append(path.joined(separator: "."))
    return columns.count - 1
  }

  /// The columns that are shown, in this order: `id`, which is long and says little, comes after the
  /// others that have something, and those that have nothing in any row are the last.
  public var shownOrder: [Int] {
    let last = filled.filter { columns[$0] == "id" }
    let others = filled.subtracting(last).sorted().prefix(Self.shownColumns - last.count)
    let empty = columns.indices.filter { !filled.contains($0) }
    return Array((Array(others) + last.sorted() + empty).prefix(Self.shownColumns))
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
    cell(row, column)?.text ?? ""
  }

  private func cell(_ row: Int, _ column: Int) -> Cell? {
    rows.indices.contains(row) ? rows[row].first { $0.column == column } : nil
  }

  /// How many characters of a text are shown in a table, and compared to sort it.
  private static let shownOfText = 200

  /// The beginning of a text as a table shows it, on one line; a list of texts and numbers as they
  /// are, with commas.
  public func shownText(row: Int, column: Int) -> String {
    String(start(row, column).map { $0.isNewline ? " " : $0 })
  }

  /// The texts of a row in the columns that are shown, whole, with a tab between each other.
  ///
  /// A spreadsheet would take tabs and line ends in a text for the ends of cells, so they are spaces.
  public func copiedText(row: Int) -> String {
    shownOrder.map { column in
      let found = cell(row, column)
      let text = found?.list ?? found?.text ?? ""
      return String(text.map { $0.isNewline || $0 == "\t" ? " " : $0 })
    }.joined(separator: "\t")
  }

  private func start(_ row: Int, _ column: Int) -> String {
    let found = cell(row, column)
    return String((found?.list ?? found?.text ?? "").unicodeScalars.prefix(Self.shownOfText))
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
