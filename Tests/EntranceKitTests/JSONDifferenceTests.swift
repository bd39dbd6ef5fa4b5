import AuthCore
import Testing

@testable import EntranceKit

@Suite("Differences of JSON documents")
struct JSONDifferenceTests {
  private func differences(
    _ before: String, _ after: String, upTo limit: Int = .max
  ) throws -> [String] {
    let (before, after) = (try JSON(parsing: before.utf8), try JSON(parsing: after.utf8))
    let found = try #require(JSONDifference.differences(before, after, upTo: limit))
    return found.map {
      "\($0.kind) \($0.path) \($0.before?.compactText ?? "-") \($0.after?.compactText ?? "-")"
    }
  }

  @Test("Members are added, removed and changed, whatever their order")
  func members() throws {
    #expect(try differences(#"{"a":1,"b":[1]}"#, #"{"b":[1],"a":1}"#).isEmpty)
    #expect(
      try differences(#"{"a":1,"b":2,"c":{"d":null}}"#, #"{"e":5,"c":{"d":"x"},"a":1}"#)
        == ["added $.e - 5", #"changed $.c.d null "x""#, "removed $.b 2 -"])
    #expect(try differences("1", #"{"a":1}"#) == [#"changed $ 1 {"a":1}"#])
    // The text of a number is what the service sent.
    #expect(try differences(#"{"a":1}"#, #"{"a":1.0}"#) == ["changed $.a 1 1.0"])
  }

  @Test("Very many places inside one with a very long name are compared", .timeLimit(.minutes(1)))
  func longName() throws {
    let name = String(repeating: "n", count: 2_000_000)
    let items = String(repeating: "0,", count: 500_000)
    #expect(
      try differences("{\"\(name)\":[\(items)1]}", "{\"\(name)\":[\(items)2]}").map(\.utf8.count)
        == ["changed $.[500000] 1 2".utf8.count + name.utf8.count])
  }

  @Test("Items with unique IDs are compared by them, and others by their index")
  func items() throws {
    #expect(
      try differences(
        #"{"value":[{"id":"1","n":1},{"id":"2","n":2}]}"#,
        #"{"value":[{"id":"0"},{"id":"1","n":3}]}"#)
        == [
          #"added $.value[?@.id == '0'] - {"id":"0"}"#, "changed $.value[?@.id == '1'].n 1 3",
          #"removed $.value[?@.id == '2'] {"id":"2","n":2} -"#,
        ])
    #expect(
      try differences(#"[{"id":"1"},{"id":"2"}]"#, #"[{"id":"2"},{"id":"1"}]"#)
        == [#"reordered $ ["1","2"] ["2","1"]"#])
    #expect(
      try differences(#"[{"id":"1","n":1},{"id":"1","n":2}]"#, #"[{"id":"1","n":1}]"#)
        == [#"removed $[1] {"id":"1","n":2} -"#])
    #expect(try differences("[1,2]", "[1,3,4]") == ["changed $[1] 2 3", "added $[2] - 4"])
    #expect(try differences("[]", #"[{"id":"1"}]"#) == [#"added $[?@.id == '1'] - {"id":"1"}"#])
  }

  @Test("A path is a JSONPath that selects the place")
  func paths() throws {
    let name = "@odata.id 'x'\\\n\""
    let after = JSON.object([
      JSON.Member(name, .array([.object([.init("id", .string("a'b")), .init("9", .null)])]))
    ])
    let before = JSON.object([
      JSON.Member(name, .array([.object([.init("id", .string("a'b"))])]))
    ])
    let path = try #require(JSONDifference.differences(before, after)?.first?.path)
    #expect(path == #"$['@odata.id \'x\'\\\n"'][?@.id == 'a\'b']['9']"#)
    #expect(try JSONPath(path).select(after) == [.null])
  }

  @Test("No more than the limit is found")
  func limit() throws {
    #expect(try differences("[1,2,3]", "[4,5,6]", upTo: 2).count == 2)
  }

  @Test("What is canceled finds nothing")
  func canceled() async throws {
    let list = JSON.array((0..<1000).map { .number("\($0)") })
    let other = JSON.array((0..<1000).map { .number("\($0 + 1)") })
    let isNil = await Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return JSONDifference.differences(list, other) == nil
    }.value
    #expect(isNil)
  }
}
