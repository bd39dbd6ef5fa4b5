import AuthCore
import CurlHTTP
import EntranceKit
import FoundationEssentials
import HTTPTypes
import TestSupport
import Testing

@MainActor @Suite("JSON that is none", .timeLimit(.minutes(1)))
struct ExplorerJSONTests {
  private func answer(_ type: String, _ body: String, status: Int = 200) async throws
    -> ExplorerAnswer
  {
    let page = try Page()
    await page.model.callGraph()?.value
    let model = ExplorerModel(page.window)
    model.request.address = "/v1.0/me"
    page.authority.next(.api, status: status, type: type, body)
    await model.send()?.value
    return try #require(model.answer)
  }

  @Test(
    "Why an answer is shown only as it came is told",
    arguments: [
      (#"{"a":1,"a":2}"#, "line 1, column 8: the name “a” is used twice."),
      ("{\n  \"a\": 1", "line 2, column 9: a comma or “}” is missing."),
    ])
  func reason(body: String, reason: String) async throws {
    for type in ["application/json", "application/problem+json; charset=utf-8"] {
      let answer = try await answer(type, body)
      #expect(answer.pretty == nil && answer.raw?.whole == body)
      #expect(answer.hints == ["The response is not valid JSON, \(reason)"])
    }
    #expect(
      try await answer("application/json", body, status: 400).hints.last?.hasSuffix(reason) == true)
  }

  @Test("Nothing is told of JSON, of what need not be JSON, and of an empty answer")
  func nothing() async throws {
    for (type, body) in [
      ("application/json", "{}"), ("text/plain", "{"), ("application/json", ""),
    ] {
      #expect(try await answer(type, body).hints.isEmpty, "\(type), \(body)")
    }
  }
}
