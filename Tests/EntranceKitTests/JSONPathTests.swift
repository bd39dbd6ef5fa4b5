import AuthCore
import Testing

@testable import EntranceKit

@Suite("JSONPath (RFC 9535)")
struct JSONPathTests {
  private func select(_ query: String, _ document: String) throws -> [String] {
    try JSONPath(query).select(JSON(parsing: document.utf8)).map(\.compactText)
  }

  /// The example of RFC 9535, section 1.5.
  private let store = """
    {"store": {"book": [
      {"category": "reference", "author": "Nigel Rees", "title": "Sayings of the Century",
       "price": 8.95},
      {"category": "fiction", "author": "Evelyn Waugh", "title": "Sword of Honour",
       "price": 12.99},
      {"category": "fiction", "author": "Herman Melville", "title": "Moby Dick",
       "isbn": "0-553-21311-3", "price": 8.99},
      {"category": "fiction", "author": "J. R. R. Tolkien", "title": "The Lord of the Rings",
       "isbn": "0-395-19395-8", "price": 22.99}],
     "bicycle": {"color": "red", "price": 399}}}
    """

  @Test("The queries of section 1.5")
  func example() throws {
    let authors = [
      #""Nigel Rees""#, #""Evelyn Waugh""#, #""Herman Melville""#, #""J. R. R. Tolkien""#,
    ]
    #expect(try select("$.store.book[*].author", store) == authors)
    #expect(try select("$..author", store) == authors)
    #expect(try select("$.store.*", store).count == 2)
    #expect(
      try select("$.store..price", store).sorted() == ["12.99", "22.99", "399", "8.95", "8.99"])
    #expect(try select("$..book[2].author", store) == [authors[2]])
    #expect(try select("$..book[2].publisher", store).isEmpty)
    #expect(try select("$..book[-1].author", store) == [authors[3]])
    for query in ["$..book[0,1].author", "$..book[:2].author"] {
      #expect(try select(query, store) == Array(authors[..<2]))
    }
    #expect(try select("$..book[?@.isbn].author", store) == Array(authors[2...]))
    #expect(
      try select("$..book[?@.price<10].title", store)
        == [#""Sayings of the Century""#, #""Moby Dick""#])
    #expect(try select("$..*", store).count == 27)
  }

  // Section 2.3: names, wildcards, indices, slices.
  @Test(
    "Selectors, as in the tables of section 2.3",
    arguments: [
      (#"$.o['j j']"#, #"{"o": {"j j": {"k.k": 3}}}"#, [#"{"k.k":3}"#]),
      (#"$.o['j j']['k.k']"#, #"{"o": {"j j": {"k.k": 3}}}"#, ["3"]),
      (#"$["'"]["@"]"#, #"{"'": {"@": 2}}"#, ["2"]),
      (#"$['\u263a\'']"#, "{\"\u{263a}'\": 1}", ["1"]),
      ("$[*]", #"{"o": {"j": 1}, "a": [5, 3]}"#, [#"{"j":1}"#, "[5,3]"]),
      ("$.o[*, *]", #"{"o": {"j": 1, "k": 2}}"#, ["1", "2", "1", "2"]),
      ("$[1]", #"["a", "b"]"#, [#""b""#]), ("$[-2]", #"["a", "b"]"#, [#""a""#]),
      ("$[2]", #"["a", "b"]"#, []), ("$[0]", #"{"0": 1}"#, []),
      ("$[1:3]", #"["a","b","c","d","e","f","g"]"#, [#""b""#, #""c""#]),
      ("$[5:]", #"["a","b","c","d","e","f","g"]"#, [#""f""#, #""g""#]),
      ("$[1:5:2]", #"["a","b","c","d","e","f","g"]"#, [#""b""#, #""d""#]),
      ("$[5:1:-2]", #"["a","b","c","d","e","f","g"]"#, [#""f""#, #""d""#]),
      ("$[::-1]", "[1,2,3]", ["3", "2", "1"]), ("$[::0]", "[1,2,3]", []),
      ("$[-9007199254740991:9007199254740991:9007199254740991]", "[1,2]", ["1"]),
      ("$ .a [ 0 ]", #"{"a": [1]}"#, ["1"]), ("$", "1", ["1"]),
      ("$..[0]", #"{"o": [1, [2]]}"#, ["1", "2"]),
    ])
  func selectors(query: String, document: String, values: [String]) throws {
    #expect(try select(query, document) == values)
  }

  // Section 2.3.5.3, with the comparisons of table 11.
  @Test(
    "Conditions",
    arguments: [
      ("$.a[?@.b == 'kilo']", [#"{"b":"kilo"}"#]), (#"$.a[?(@.b == "kilo")]"#, [#"{"b":"kilo"}"#]),
      ("$.a[?@>3.5]", ["5", "4", "6"]), ("$.a[?@.b]", Self.named),
      ("$.a[?@<2 || @.b == \"k\"]", ["1", #"{"b":"k"}"#]),
      ("$.a[?@>1 && @<4]", ["3", "2"]), ("$.a[?!@.b && !(@ >= 2)]", ["1"]),
      ("$.o[?@>1 && @<4]", ["2", "3"]), ("$.o[?@.u || @.x]", [#"{"u":6}"#]),
      ("$.a[?@.b == $.x]", ["3", "5", "1", "2", "4", "6"]), ("$.a[?@ == @.none]", []),
      ("$.a[?@ == 3.0]", ["3"]), ("$.a[?@ == null]", []),
      ("$.a[?$.absent != @.none]", []), ("$.o[?$.absent == @.none]", Self.all),
    ])
  func conditions(query: String, values: [String]) throws {
    let document = """
      {"a": [3, 5, 1, 2, 4, 6, {"b": "j"}, {"b": "k"}, {"b": {}}, {"b": "kilo"}],
       "o": {"p": 1, "q": 2, "r": 3, "s": 5, "t": {"u": 6}}, "e": "f"}
      """
    #expect(try select(query, document) == values)
  }

  private static let all = ["1", "2", "3", "5", #"{"u":6}"#]
  private static let named = [#"{"b":"j"}"#, #"{"b":"k"}"#, #"{"b":{}}"#, #"{"b":"kilo"}"#]

  @Test(
    "What is no query, or not supported, has a place",
    arguments: [
      ("", 1), ("a", 1), ("$.", 3), ("$.1", 3), ("$[", 3), ("$[01]", 3), ("$['a]", 3), ("$ ", 2),
      ("$[?length(@) > 1]", 4), ("$[?@.* == 1]", 4), ("$[?1]", 5), ("$.a b", 4), ("$[-0]", 3),
      ("$[9999999999999999999]", 3), ("$[?@ == {}]", 9), ("$.@odata", 3),
      ("$[-9223372036854775808]", 3),
    ])
  func failures(query: String, column: Int) {
    let failure = #expect(throws: JSONPath.Failure.self) { try JSONPath(query) }
    #expect(failure?.column == column)
  }

  @Test("Deep nesting ends")
  func depth() {
    for (open, close) in [("(", ")"), ("@[?", "]"), ("!(", ")")] {
      let text =
        "$[?" + String(repeating: open, count: 5000) + "@" + String(repeating: close, count: 5000)
      #expect(throws: JSONPath.Failure.self) { try JSONPath(text + "]") }
    }
  }

  @Test("A condition of many parts is not deep", arguments: ["&&", "||"])
  func manyParts(operation: String) throws {
    let parts = Array(repeating: "@.a == 1", count: 50_000).joined(separator: operation)
    #expect(try select("$[?\(parts)]", #"[{"a": 1}, {"a": 2}]"#) == [#"{"a":1}"#])
  }

  @Test("A search that is limited ends, and finds the same within its limit")
  func steps() throws {
    let document = try JSON(parsing: #"{"a":[1,2,{"b":3}]}"#.utf8)
    for query in ["$..b", "$.a[?@ > 1]", "$..[?@..b]"] {
      let path = try JSONPath(query)
      #expect(path.select(document, steps: 1000) == path.select(document))
      #expect(path.select(document, steps: 1) == nil)
    }
  }

  @Test("Objects are equal in any order of their members, and each compared value is a step")
  func equalObjects() throws {
    let members = (1...1000).map { "\"m\($0)\":[\($0)]" }
    let one = "{\(members.joined(separator: ","))}"
    let other = "{\(members.reversed().joined(separator: ","))}"
    let document = try JSON(parsing: "{\"list\":[{\"a\":\(one),\"b\":\(other)}]}".utf8)
    let path = try JSONPath("$.list[?@.a == @.b]")
    #expect(path.select(document, steps: 3000)?.count == 1)
    #expect(path.select(document, steps: 1000) == nil)
    #expect(try JSONPath("$.list[?@.a != @.b]").select(document).isEmpty)
    #expect(try select("$[?@.a == @.b]", #"[{"a":{"x":1},"b":{"y":1}}]"#).isEmpty)
  }
}
