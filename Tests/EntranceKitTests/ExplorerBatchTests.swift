import EntranceKit
import FoundationEssentials
import TestSupport
import Testing

@MainActor @Suite("Answers to batches on the Explorer page")
struct ExplorerBatchTests {
  /// The answer to a `POST`, which has these statuses.
  private func answer(_ address: String, _ statuses: [String]) async throws -> ExplorerAnswer {
    let page = try Page()
    await page.model.callGraph()?.value
    let model = ExplorerModel(page.window)
    model.request = ExplorerRequest(.post, address, body: #"{"requests":[]}"#)
    let parts = statuses.map { #"{"id":"1","status":\#($0),"body":{}}"# }.joined(separator: ",")
    page.authority.next(.api, status: 200, #"{"responses":[\#(parts)]}"#)
    await model.send()?.value
    return try #require(model.answer)
  }

  @Test("The status says how many requests of a batch failed, and is no success")
  func failed() async throws {
    for address in ["$batch", "/v1.0/$batch", "/beta/%24batch?x=1"] {
      let answer = try await answer(address, ["200", "403", "302"])
      #expect(answer.statusText == "200 OK · Failed requests: 1 of 3")
      #expect(!answer.isSuccess && !answer.isFailure && answer.failsInPart)
    }
  }

  @Test("Nothing is said of a batch without failures, and of another answer")
  func succeeded() async throws {
    for (address, statuses) in [
      ("/v1.0/$batch", ["200", "204"]), ("/v1.0/$batch", []), ("/v1.0/me/sendMail", ["403"]),
    ] {
      let answer = try await answer(address, statuses)
      #expect(answer.statusText == "200 OK" && answer.isSuccess && !answer.failsInPart)
    }
  }
}
