import AuthCore
import FoundationEssentials
import Testing

@testable import EntranceKit

/// Lists in each other.
private func nested(_ levels: Int) -> String {
  String(repeating: "[", count: levels) + String(repeating: "]", count: levels)
}

/// The members of an object, more than are compared without hashes.
private let members = (0..<20).map { "\"\($0)\":\($0)" }.joined(separator: ",")

/// The log and the auth core read the same JSON (RFC 8259).
@Suite("JSON for the log")
struct JSONWriterTests {
  @Test(
    "What the grammar allows is written as the parser reads it",
    arguments: [
      // Section 2: whitespace, and a text of any value; section 3: literals.
      "\t\r\n null \t\r\n", "true", "false", "\"\"", "0", "[\n]", "{\r}", "[ 1 , 2 ]",
      "{ \"a\" : 1 , \"b\" : 2 }",
      // Section 6: numbers of any size and precision.
      "-0", "-0.0e-00", "1E+400", "1e0099", "0.10", "123456789012345678901234567890",
      // Section 7: escapes, and what needs none.
      #""\"\\\/\b\f\n\r\t""#, #""\u0000\u001F\uFfFf\ud7ff\uE000""#, "\"/\u{7f}\u{10FFFF}\"",
      #""\ud834\udd1e\uDBFF\uDFFF""#, #""\\ud800""#, "\"\u{FEFF}\"",
      // Section 4: a name can be any string.
      #"{"":0,"\u0000":1,"a":2,"A":3,"\\u0061":4}"#, #"{"a":{"a":[{"a":1}]}}"#,
      "{\(members)}", nested(64), "[\(nested(63))]",
    ] as [String])
  func valid(_ text: String) throws {
    let json = try JSON(parsing: text.utf8)
    let body = Data(text.utf8)
    #expect(try ResponseDocument.line(of: body) == json.compactText)
    #expect(try ResponseDocument(body)?.folded.whole == json.prettyText)
  }

  @Test(
    "What the grammar does not allow is refused by both",
    arguments: [
      // Section 2: other whitespace, and something after the value; section 3: literals.
      "", " ", "\u{B}1", "\u{C}1", "1\u{A0}", "1\u{0}", "1,", "1 2", "{}{}", "[]]", "\"a\"\"b\"",
      "// c\n1", "/**/1", "True", "nul", "nulll", "undefined", "\u{FEFF}1", "1\u{FEFF}",
      // Sections 4 and 5: objects and arrays.
      "[", "]", "[1", "[1,]", "[,1]", "[,]", "[1 2]", "[1}", "{", "}", "{,}", "{\"a\"}", "{\"a\":}",
      "{\"a\":1,}", "{\"a\":1]", "{\"a\",1}", "{a:1}", "{1:1}", "{'a':1}", "{\"a\":1 \"b\":2}",
      // Section 6: leading zeros, and parts without digits.
      "00", "01", "-01", "-", "--1", "+1", ".5", "-.5", "1.", "1.e1", "1e", "1e+", "1E-", "1.5.5",
      "0x1", "1_0", "NaN", "Infinity", "-Infinity", "١",
      // Section 7: control characters, unknown and unfinished escapes.
      "\"", "\"a", "\"\\", "\"\\\"", "\"\u{0}\"", "\"\t\"", "\"\n\"", "\"\u{1f}\"", #""\a""#,
      #""\'""#, #""\U0041""#, #""\u""#, #""\u123""#, #""\u12g4""#, #""\u+123""#, #""\u 123""#,
      #""\u００４１""#, #"{"\x":1}"#, "'a'", "“a”",
      // Section 8.2: half a surrogate pair is no character.
      #""\ud800""#, #""\udc00""#, #""\ud800x""#, #""\ud800\n""#, #""\ud800\u0041""#,
      #""\ud800\ud800""#, #""\udc00\ud800""#, #""\ud800\""#, #""\ud800\u""#, #"{"\udfff":1}"#,
      // Stricter than the grammar: names twice, and more than 64 levels.
      #"{"a":1,"a":2}"#, #"{"a":1,"\u0061":2}"#, #"{"\u00e9":1,"é":2}"#, #"{"é":1,"e\u0301":2}"#,
      #"{"/":1,"\/":2}"#, "{\(members),\"\\u0031\":1}",
      nested(65), "{\"a\":\(nested(64))}", String(repeating: "[{\"a\":", count: 10_000),
    ] as [String])
  func invalid(_ text: String) throws {
    #expect(throws: JSONError.self) { try JSON(parsing: text.utf8) }
    #expect(try ResponseDocument.line(of: Data(text.utf8)) == nil)
    #expect(try ResponseDocument(Data(text.utf8)) == nil)
  }
}
