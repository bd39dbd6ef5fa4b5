import AuthCore
import Testing

@Suite("JSON (RFC 8259)")
struct JSONTests {
  @Test(
    "Valid JSON is parsed",
    arguments: [
      ("null", .null), (" true ", .bool(true)), ("\tfalse\r\n", .bool(false)),
      ("0", .number("0")), ("-0", .number("-0")), ("1.50", .number("1.50")),
      ("1E+400", .number("1E+400")), ("-1.5e-3", .number("-1.5e-3")),
      ("12345678901234567890", .number("12345678901234567890")),
      ("\"\"", .string("")), ("\"\\\"\\\\\\/\\b\\f\\n\\r\\t\"", .string("\"\\/\u{8}\u{c}\n\r\t")),
      ("\"\\u00e9\\u20AC\"", .string("é€")), ("\"\\uD834\\uDD1E\"", .string("𝄞")),
      ("\"\u{7f}é𝄞\"", .string("\u{7f}é𝄞")), ("[]", .array([])), ("{}", .object([])),
      ("[1, [2]]", .array([.number("1"), .array([.number("2")])])),
      ("{\"a\" : {\"a\": 1}}", .object([.init("a", .object([.init("a", .number("1"))]))])),
      ("\"\\u0000\"", .string("\u{0}")),
    ] as [(String, JSON)])
  func valid(text: String, value: JSON) throws {
    #expect(try JSON(parsing: text.utf8) == value)
  }

  @Test(
    "A letter with very many accents is refused at once",
    .timeLimit(.minutes(1)), arguments: ["{\"TEXT\": 1}", "[\"TEXT\"]"])
  func accents(form: String) throws {
    // Above and below the letter by turns, so that they have to be sorted.
    func text(_ pairs: Int) -> String { "a" + String(repeating: "\u{301}\u{316}", count: pairs) }
    let json = form.replacing("TEXT", with: text(200), maxReplacements: 1)
    #expect(throws: Never.self) { try JSON(parsing: json.utf8) }
    let refused = form.replacing("TEXT", with: text(100_000), maxReplacements: 1)
    let error = #expect(throws: JSONError.self) { try JSON(parsing: refused.utf8) }
    #expect(error?.description.contains("a letter has too many accents") == true)
  }

  @Test(
    "Invalid JSON is rejected",
    arguments: [
      "", " ", "nul", "True", "nullx", "01", "-", "+1", ".5", "1.", "1e", "1e+", "0x1", "NaN",
      "Infinity", "'a'", "\"", "\"\\\"", "\"\\x\"", "\"\\u12\"", "\"\\u12g4\"", "\"\\u+123\"",
      "\"\n\"", "\"\t\"", "\"\u{0}\"", "[", "]", "[1", "[1,]", "[,1]", "[1 2]", "{", "{\"a\"}",
      "{\"a\":}", "{\"a\":1,}", "{a:1}", "{\"a\":1 \"b\":2}", "1 2", "{} {}", "// c\n1",
      "\u{FEFF}1", "\u{A0}1", "\"\\ud800\"", "\"\\udc00\"", "\"\\ud800\\u0041\"", "\"\\ud800x\"",
      "\"\\ud834\\ud834\"",
    ])
  func invalid(text: String) {
    #expect(throws: JSONError.self) { try JSON(parsing: text.utf8) }
  }

  @Test(
    "Invalid UTF-8 is rejected",
    arguments: [
      [0xff], [0xc3], [0xc0, 0xaf], [0xed, 0xa0, 0x80], [0xf4, 0x90, 0x80, 0x80], [0x80],
    ] as [[UInt8]])
  func notUTF8(bytes: [UInt8]) {
    #expect(throws: JSONError.self) { try JSON(parsing: [0x22] + bytes + [0x22]) }
  }

  @Test(
    "A duplicate name is rejected, also when it is escaped",
    arguments: ["{\"a\":1,\"a\":2}", "{\"a\":1,\"\\u0061\":2}", "[{\"x\":{\"b\":1,\"b\":1}}]"])
  func duplicates(text: String) {
    #expect(throws: JSONError.self) { try JSON(parsing: text.utf8) }
  }

  @Test("The maximum depth is 64 levels")
  func depth() throws {
    func nested(_ levels: Int) -> String {
      String(repeating: "[", count: levels) + String(repeating: "]", count: levels)
    }
    #expect(JSON.maximumDepth == 64)
    _ = try JSON(parsing: nested(64).utf8)
    #expect(throws: JSONError.self) { try JSON(parsing: nested(65).utf8) }
    #expect(throws: JSONError.self) {
      try JSON(parsing: String(repeating: "{\"a\":", count: 100_000).utf8)
    }
  }

  @Test("The order and the text of numbers are preserved, on one line and on several")
  func roundTrip() throws {
    let text = #"{"z":1.0,"a":[1e2,-0,{"é\n\u0001":"𝄞\"\\"}],"m":{},"l":[],"b":[true,null]}"#
    let value = try JSON(parsing: text.utf8)
    #expect(value.compactText == text)
    #expect(try JSON(parsing: value.prettyText.utf8) == value)
    #expect(
      try JSON(parsing: #"{"b":[1,{}],"a":{"x":"y"}}"#.utf8).prettyText == """
        {
          "b": [
            1,
            {}
          ],
          "a": {
            "x": "y"
          }
        }
        """)
  }

  @Test("Accessors for members, elements and integers")
  func access() throws {
    let value = try JSON(parsing: #"{"n": 5, "s": "7", "t": "x", "f": 1.5, "a": [1]}"#.utf8)
    #expect(value["n"]?.integer == 5)
    #expect(value["s"]?.integer == 7)
    #expect(value["t"]?.integer == nil)
    #expect(value["f"]?.integer == nil)
    #expect(value["a"]?.array == [.number("1")])
    #expect(value["a"]?["x"] == nil)
    #expect(value.object?.map(\.name) == ["n", "s", "t", "f", "a"])
    #expect(JSON.string("9223372036854775808").integer == nil)
  }

  @Test("An error has its position")
  func place() {
    let error = #expect(throws: JSONError.self) {
      try JSON(parsing: "{\n  \"a\": 1,\n  \"b\" 2\n}".utf8)
    }
    #expect(error?.line == 3)
    #expect(error?.column == 7)
  }

  @Test("In a configuration, comments are skipped, and each value has its line")
  func configuration() throws {
    let text = """
      // A comment
      {
        "list": [ // here
          {"name": "one"},
          {
            "name": "http://two" // not a comment inside
          }
        ]
      }
      """
    let (value, places) = try JSON.parseEditable(Array(text.utf8))
    let lines = places.mapValues(\.line)
    #expect(value["list"]?.array?.last?["name"]?.string == "http://two")
    #expect(lines[""] == 2)
    #expect(lines["list"] == 3)
    #expect(lines["list[0].name"] == 4)
    #expect(lines["list[1]"] == 5)
    #expect(lines["list[1].name"] == 6)
  }

  @Test("The line of a value is right after comments and CR LF line ends")
  func lines() throws {
    let text = "// a\n{ \"a\": // b\r\n  [1,\n\n 2], \"b\":\n{\"c\": \"x\\ny\",\n\"d\": 3}}"
    let lines = try JSON.parseEditable(Array(text.utf8)).places.mapValues(\.line)
    #expect(
      lines == ["": 2, "a": 3, "a[0]": 3, "a[1]": 5, "b": 6, "b.c": 6, "b.d": 7])
  }
}
