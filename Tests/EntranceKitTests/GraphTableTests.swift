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
        "id", "mail", "displayName", "businessPhones", "givenName", "extra",
      ])
    #expect(table.csv.hasPrefix("businessPhones,givenName,id,mail,displayName,extra\r\n[],,1,"))
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
