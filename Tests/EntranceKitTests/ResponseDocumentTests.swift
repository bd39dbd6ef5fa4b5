import AuthCore
import FoundationEssentials
import Testing

@testable import EntranceKit

@Suite("The text of a response")
struct ResponseDocumentTests {
  private func text(_ body: String) throws -> String? {
    try ResponseDocument(Data(body.utf8))?.folded.whole
  }

  @Test("JSON is indented like json.dumps(indent=2), with its numbers unchanged")
  func indented() throws {
    // Python: json.dumps(value, indent=2, ensure_ascii=False); it keeps neither 1.10 nor 1E400.
    let body =
      #" {"a":[1,1.10,-0,1E400],"b":{"c":null,"d":[],"e":{}},"f":"é\u00e9\/\n\"","g":true} "#
    let indented = #"""
      {
        "a": [
          1,
          1.10,
          -0,
          1E400
        ],
        "b": {
          "c": null,
          "d": [],
          "e": {}
        },
        "f": "éé/\n\"",
        "g": true
      }
      """#
    #expect(try text(body) == indented)
    #expect(try text("[ ]") == "[]")
    #expect(try text(" 12 ") == "12")
    #expect(try text(#""\ud83d\ude00""#) == "\"😀\"")
  }

  @Test("Characters that a log would obey are visible")
  func hostile() throws {
    #expect(try text("\"a\u{202E}b\u{7f}\"") == #""a\u202eb\u007f""#)
    #expect(try text(#""\u001b[31m\u2028\udb40\udc01""#) == #""\u001b[31m\u2028\udb40\udc01""#)
  }

  @Test(
    "What is not JSON has no text",
    arguments: [
      "", " ", "{", "[1", "[1,]", "{\"a\"}", "{\"a\":}", "{1:2}", "01", "1.", "1e", "-", "tru",
      "nul",
      "\"", "\"\\", "\"\\u12", "\"\\x\"", "\"\\ud800\"", "\"\\ud800\\u0041\"", "\"\\udc00\"",
      "\"a\nb\"",
      "[1] 2", "<html>", #"{"a":1,"a":2}"#, #"{"a":1,"\u0061":2}"#, "{\"a\":1", "\u{FEFF}1", "[1}",
    ])
  func notJSON(_ body: String) throws {
    #expect(try text(body) == nil)
    #expect((try? JSON(parsing: body.utf8)) == nil)
  }

  @Test(
    "Bytes that are not UTF-8 are not JSON",
    arguments: [
      [0xFF], [0xC3], [0xC3, 0x28], [0xED, 0xA0, 0x80], [0xF5, 0x80, 0x80, 0x80], [0xC0, 0x80],
      Array(repeating: 0x80, count: 40_000),
    ] as [[UInt8]])
  func notUTF8(_ bytes: [UInt8]) throws {
    #expect(try ResponseDocument(Data([0x22] + bytes + [0x22])) == nil)
  }

  @Test("64 levels are shown, more are refused, on any stack")
  func nested() throws {
    func nested(_ depth: Int) -> String {
      String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
    }
    #expect(try text(nested(64))?.split(separator: "\n").count == 127)
    #expect(try text(nested(65)) == nil)
    #expect(try text(String(repeating: "[", count: 1_000_000)) == nil)
    #expect(try text(String(repeating: "{\"a\":", count: 1_000_000)) == nil)
  }

  @Test("Indentation that would make it many times longer is left out")
  func expanding() throws {
    let list = Array(repeating: "1", count: 300_000).joined(separator: ",")
    let body = String(repeating: "[", count: 60) + list + String(repeating: "]", count: 60)
    #expect(try text(body) == body)
  }

  @Test("A text of 10 MB is complete, wherever its characters lie")
  func longText() throws {
    let long = String(repeating: "x", count: 10_000_000)
    let texts = ["", "x", "xy", "xyz"].map { $0 + String(repeating: "aé漢😀", count: 30_000) }
    for content in [long] + texts {
      let body = "\"" + content + "\""
      let isAll = try text(body) == body
      #expect(isAll)
    }
  }

  @Test("10 MB of items are complete")
  func manyItems() throws {
    let count = 185_000
    let item = #"{"id":123456,"displayName":"Adele Vance","isRead":true}"#
    let body = "[" + Array(repeating: item, count: count).joined(separator: ",") + "]"
    let shown =
      "  {\n    \"id\": 123456,\n    \"displayName\": \"Adele Vance\",\n    \"isRead\": true\n  }"
    let all = "[\n" + Array(repeating: shown, count: count).joined(separator: ",\n") + "\n]"
    let isAll = try text(body) == all
    #expect(isAll)
  }

  @Test("A task that was canceled gets none")
  func canceled() async throws {
    let body = Data(("\"" + String(repeating: "a", count: 1_000_000) + "\"").utf8)
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return try await ResponseDocument.make(of: body, heading: [])
    }
    await #expect(throws: CancellationError.self) { try await task.value }
  }

  @Test("A name twice is found, also where the name is long")
  func longNames() throws {
    let name = "\"" + String(repeating: "n", count: 100_000) + "\""
    #expect(try text("{\(name):1,\(name):2}") == nil)
    #expect(try text("{\(name):1,\"a\":2}")?.utf8.count == 100_021)
  }

  @Test("Its heading is one line for each line, whatever it contains")
  func heading() throws {
    let document = try #require(try ResponseDocument(Data("1".utf8), heading: ["a\nb", "c: "]))
    #expect(document.folded.whole == "a\\u{a}b\nc: 1")
  }
}
