import AuthCore
import EntranceKit
import Testing

@Suite("The table of a list's items")
struct GraphTableTests {
  private func table(_ texts: [String]) -> GraphTable {
    GraphTable(texts.map { JSON.object([JSON.Member("t", .string($0))]) })
  }

  @Test("A cell is shown on one line, and up to a length")
  func cells() {
    let start = String(repeating: "x", count: 200)
    let table = table([start + "y", "a\nb\r\nc"])
    #expect(table.shownText(row: 0, column: 0) == start)
    #expect(table.shownText(row: 1, column: 0) == "a b c")
    // A file has all of it.
    #expect(table.text(row: 0, column: 0) == start + "y")
    #expect(table.csv == "t\r\n\(start)y\r\n\"a\nb\r\nc\"\r\n")
  }

  @Test("Columns without anything are shown last, and a file has all in their own order")
  func emptyColumns() throws {
    let items = try JSON(
      parsing: #"""
        [{"businessPhones": [], "givenName": null, "id": "1", "mail": "", "displayName": "A"},
        {"businessPhones": [], "givenName": null, "id": "2", "mail": "b@example", "extra": {}}]
        """#.utf8)
    let table = GraphTable(try #require(items.array))
    #expect(
      table.shownOrder.map { table.columns[$0] } == [
        "mail", "displayName", "id", "businessPhones", "givenName", "extra",
      ])
    #expect(table.csv.hasPrefix("businessPhones,givenName,id,mail,displayName,extra\r\n[],,1,"))
  }

  private func table(parsing items: String) throws -> GraphTable {
    let items = try JSON(parsing: items.utf8)
    return GraphTable(try #require(items.array))
  }

  @Test("Each member of a nested object has a column named by its path, up to three names")
  func nestedObjects() throws {
    let table = try table(
      parsing: #"""
        [{"subject": "Hi", "from": {"emailAddress": {"name": "Adele", "address": "a@b.example"}},
        "start": {"dateTime": "2026-01-02T03:04:05", "timeZone": "UTC"},
        "a": {"b": {"c": {"d": {"e": 1}}, "f": [1, {"g": 2}]}}},
        {"from": {"emailAddress": {"name": "Grace"}}, "end": {"timeZone": "CET"}}]
        """#)
    #expect(
      table.columns == [
        "subject", "from.emailAddress.name", "from.emailAddress.address", "start.dateTime",
        "start.timeZone", "a.b.c", "a.b.f", "end.timeZone",
      ])
    #expect(
      Array(table.cells.dropFirst()) == [
        [
          "Hi", "Adele", "a@b.example", "2026-01-02T03:04:05", "UTC", #"{"d":{"e":1}}"#,
          #"[1,{"g":2}]"#, "",
        ],
        ["", "Grace", "", "", "", "", "", "CET"],
      ])
  }

  @Test("An object with nothing to show, and one in place of a text, have their own column")
  func objectsWithoutColumns() throws {
    let table = try table(
      parsing: #"""
        [{"a": {}, "b": null, "c": {"@odata.type": "#t"}, "d": {"@odata.etag": "x", "e": 1}},
        {"a": "text", "b": {"f": true}, "c": {"g": {"@odata.type": "#u", "h": 2}}, "d": [{}]}]
        """#)
    #expect(table.columns == ["a", "b", "c", "d.e", "b.f", "c.g.h", "d"])
    #expect(
      Array(table.cells.dropFirst()) == [
        ["{}", "", ##"{"@odata.type":"#t"}"##, "1", "", "", ""],
        ["text", "", "", "", "true", "2", "[{}]"],
      ])
    #expect(table.shownOrder.map { table.columns[$0] }.last == "b")
  }

  @Test("A name with a dot is not a path")
  func dots() throws {
    let table = try table(
      parsing: #"[{"a.b": 1, "a": {"b": 2, "": 3}, "": {"": 4}, ".": 5}]"#)
    #expect(table.columns == ["a.b", "a.b", "a.", ".", "."])
    #expect(Array(table.cells.dropFirst()) == [["1", "2", "3", "4", "5"]])
  }

  @Test("Members of nested objects count as columns, and a long name is not repeated in theirs")
  func nestedLimits() {
    let many = (0..<300).map { JSON.Member("m\($0)", .number("1")) }
    let table = GraphTable([
      ["outer": .object(many)], ["outer": .object([many[299]]), "last": "x"],
    ])
    #expect(table.columns.count == 256 && table.columns.last == "outer.m255")
    #expect(table.columnsHint != nil)
    #expect(table.text(row: 0, column: 255) == "1" && table.text(row: 1, column: 255).isEmpty)
    let name = String(repeating: "n", count: 201)
    let long = GraphTable([.object([JSON.Member(name, .object([many[0]]))])])
    #expect(long.columns == [name] && long.text(row: 0, column: 0) == #"{"m0":1}"#)
  }

  @Test("A list of texts and numbers is shown without the signs of JSON, and a file has them")
  func lists() throws {
    let table = try table(
      parsing: #"[{"a": ["x", 1.50], "b": [true], "c": ["y", null], "d": []}]"#)
    let shown = (0..<4).map { table.shownText(row: 0, column: $0) }
    #expect(shown == ["x, 1.50", "[true]", #"["y",null]"#, "[]"])
    #expect(table.text(row: 0, column: 0) == #"["x",1.50]"#)
  }

  @Test("A row is copied whole as it is shown, and stays one row of a spreadsheet")
  func copiedRow() throws {
    let long = String(repeating: "x", count: 300)
    let table = GraphTable([
      ["id": "1", "note": "a\tb\r\nc", "none": .null, "tags": ["x", 2], "long": .string(long)]
    ])
    #expect(table.copiedText(row: 0) == "a b c\tx, 2\t\(long)\t1\t")
    #expect(table.copiedText(row: 9) == "\t\t\t\t")
  }

  @Test("The ID is shown after the columns that have something, and is never left out")
  func identifiers() {
    let full = (0..<60).map { JSON.Member("f\($0)", .string("x")) }
    let table = GraphTable([.object([JSON.Member("id", .string("1"))] + full)])
    #expect(table.shownOrder.map { table.columns[$0] } == (0..<39).map { "f\($0)" } + ["id"])
    #expect(table.columns.first == "id")
    // An ID of something else is a column like others.
    let inner = GraphTable([["owner": ["id": "2"], "name": "n"]])
    #expect(inner.shownOrder == [0, 1])
    #expect(GraphTable([["id": "", "name": "n"]]).shownOrder == [1, 0])
  }

  @Test("Of very many columns, those with nothing give way first")
  func manyColumns() {
    let empty = (0..<60).map { JSON.Member("e\($0)", .null) }
    let table = GraphTable([.object(empty + [JSON.Member("id", .string("1"))])])
    #expect(table.shownOrder.count == 40)
    #expect(table.columns[table.shownOrder[0]] == "id")
    #expect(table.text(row: 0, column: table.shownOrder[0]) == "1")
  }

  @Test("Numbers come before texts, so that the order has no cycle")
  func mixedOrder() {
    let sorted = ["9", "10", "1A", "nan", "W"]
    let table = table(sorted)
    for (one, other) in [(0, 1), (1, 2), (0, 2), (2, 3), (1, 3), (3, 4), (0, 4)] {
      #expect(table.precedes(one, other, by: 0), "\(sorted[one]) before \(sorted[other])")
      #expect(!table.precedes(other, one, by: 0), "\(sorted[other]) before \(sorted[one])")
    }
  }

  @Test("Rows are sorted by what is shown of them")
  func order() {
    let start = String(repeating: "x", count: 200)
    let table = table([start + "b", start + "a", "W"])
    #expect(!table.precedes(0, 1, by: 0) && !table.precedes(1, 0, by: 0))
    #expect(table.precedes(2, 0, by: 0) && !table.precedes(0, 2, by: 0))
  }
}
