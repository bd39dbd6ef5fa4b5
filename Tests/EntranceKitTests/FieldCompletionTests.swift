import Testing

@testable import EntranceKit

@Suite("What completes header fields")
struct FieldCompletionTests {
  private func texts(_ head: String, _ method: ExplorerRequest.Method = .get) -> [String] {
    FieldCompletion.find(after: head, for: method)?.proposals.map(\.text) ?? []
  }

  @Test("A name is completed in any case, with what stands before its value")
  func names() {
    #expect(texts("pref") == ["Prefer: "])
    #expect(texts("CONS") == ["ConsistencyLevel: "])
    #expect(texts("  if-") == ["If-Match: ", "If-None-Match: "])
    #expect(FieldCompletion.find(after: "Accept: a\n  if-", for: .get)?.begun == 3)
    #expect(texts("Accept: */*\r\ncons") == ["ConsistencyLevel: "])
  }

  @Test("A field that is there is not proposed, unless it may be there twice")
  func givenNames() {
    #expect(texts("If-Match: *\nif") == ["If-None-Match: "])
    #expect(texts("Prefer: respond-async\npre") == ["Prefer: "])
  }

  @Test("The type of the body is proposed for a request with a body")
  func fieldsOfBody() {
    #expect(texts("content") == [])
    #expect(texts("content", .patch) == ["Content-Type: "])
    #expect(texts("Content-Type:image", .put) == ["image/jpeg"])
    #expect(texts("Content-Type: image") == [])
  }

  @Test("Values are completed after the colon, and one by one in a list")
  func values() {
    #expect(texts("ConsistencyLevel:") == ["eventual"])
    #expect(texts("consistencylevel : ev") == ["eventual"])
    #expect(texts("Prefer: return") == ["return=minimal", "return=representation"])
    #expect(
      texts("Prefer: outlook.b")
        == ["outlook.body-content-type=\"html\"", "outlook.body-content-type=\"text\""])
    #expect(texts("Prefer: respond-async, IDT") == ["IdType=\"ImmutableId\""])
    #expect(texts("Prefer: return=minimal, r").contains("respond-async"))
    // It would contradict what is there.
    #expect(!texts("Prefer: return=minimal, r").contains("return=representation"))
    #expect(texts("Accept: application/json, text") == [])
  }

  @Test("What has to be continued says so, and leaves the cursor where that is written")
  func continuation() throws {
    func first(_ head: String) throws -> TextCompletion.Proposal {
      try #require(FieldCompletion.find(after: head, for: .get)?.proposals.first)
    }
    let (name, size) = (try first("pref"), try first("Prefer: odata"))
    #expect(name.isContinued && name.sizeBehindCursor == 0)
    #expect(size.isContinued && size.text == "odata.maxpagesize=")
    let zone = try first("Prefer: outlook.timez")
    #expect(!zone.isContinued && zone.sizeBehindCursor == 1)
    #expect(zone.text == "outlook.timezone=\"\"")
  }

  @Test("Every field and value that is proposed can be sent")
  func canBeSent() {
    let letters = "abcdefghijklmnopqrstuvwxyz".map(String.init)
    let names = Set(letters.flatMap { texts($0, .patch) })
    #expect(names.count == 9)
    for name in names {
      for value in texts(name, .patch) + ["a"] {
        #expect(ExplorerRequest(.patch, fields: name + value).fieldProblem == nil)
      }
    }
    for refused in ["Auth", "Host", "client-request", "Content-L"] {
      #expect(texts(refused, .patch) == [])
    }
  }

  @Test(
    "Nothing is proposed where nothing is known, and for what is already written",
    arguments: [
      "", " ", "\n", "Accept: text/csv\n", "Nothing", "Nothing: ", ":",
      "ConsistencyLevel: eventual",
      "Prefer: outlook.timezone=\"U", "Workbook-Session-Id: ", "\u{0}", "Pre\u{301}",
      String(repeating: "Accept: text/csv\n", count: 500) + "Pre",
    ])
  func nothing(head: String) {
    #expect(texts(head) == [])
  }
}
