import HTTPTypes
import MicrosoftGraph
import Testing

/// RFC 9110, sections 5.1 and 5.5.
@Suite("A header field that a person writes")
struct HTTPFieldValidationTests {
  private func value(_ line: String) -> String? {
    (try? HTTPField.validated(line).get()).map { "\($0.name.rawName)=\($0.value)" }
  }

  private func refusal(_ line: String) -> HTTPField.Refusal? {
    if case .failure(let refusal) = HTTPField.validated(line) { refusal } else { nil }
  }

  @Test("Blanks around the name and the value are not part of them")
  func blanks() {
    #expect(value("Prefer: return=minimal") == "Prefer=return=minimal")
    #expect(value("  Prefer :return=minimal\t ") == "Prefer=return=minimal")
    #expect(value("X-Time: 10:30") == "X-Time=10:30")
    #expect(value("X-Empty:") == "X-Empty=")
  }

  @Test("Each field that cannot be sent has the reason")
  func refusals() throws {
    let name = try #require(HTTPField.Name("X-A"))
    for line in ["nonsense", ": x", "A B: x", ""] {
      #expect(refusal(line) == .notAField(line))
    }
    for name in ["Authorization", "host", "Content-Length", "client-request-id", "Connection"] {
      #expect(refusal("\(name): x") == HTTPField.Name(name).map(HTTPField.Refusal.isSetHere))
    }
    for value in ["a\r\nB: c", "a\u{0}", "a\u{1}b"] {
      #expect(refusal("X-A: \(value)") == .invalidValue(name))
    }
  }
}
