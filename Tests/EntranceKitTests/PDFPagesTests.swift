import EntranceKit
import Testing

@Suite("The pages of a document")
struct PDFPagesTests {
  @Test("Pages are turned from the first to the last one")
  func turning() {
    var pages = PDFPages(report: "Creator: Writer\nPages:           3\nEncrypted: no\n")
    #expect(pages.count == 3 && pages.text == "Page 1 of 3")
    #expect(!pages.canTurn(by: -1) && pages.canTurn(by: 1))
    pages.turn(by: -1)
    #expect(pages.number == 1)
    pages.turn(by: 1)
    pages.turn(by: 1)
    #expect(pages.text == "Page 3 of 3" && !pages.canTurn(by: 1))
    pages.turn(by: .max)
    #expect(pages.number == 3)
  }

  @Test("A page that cannot be shown says so, until another one is")
  func brokenPage() {
    var pages = PDFPages(report: "Pages: 2")
    pages.turn(by: 1)
    #expect(pages.problem == nil)
    pages.isBroken = true
    #expect(pages.problem == "Page 2 of the document cannot be shown.")
    pages.turn(by: -1)
    #expect(pages.problem == nil)
  }

  @Test(
    "A document that tells no number of pages has one",
    arguments: [
      "", "Pages:", "Pages: -3", "Pages: 0", "Pages: many", "Pages: 99999999999999999999",
      "Title: a\nPages: 7\nPages:  x",
    ])
  func noCount(report: String) {
    #expect(PDFPages(report: report).count == 1)
  }

  @Test("A title that looks like a number of pages does not count")
  func title() {
    #expect(PDFPages(report: "Title: a\nPages: 7\nPages: 2\n").count == 2)
  }
}
