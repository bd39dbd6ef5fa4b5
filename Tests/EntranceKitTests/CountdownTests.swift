import AuthCore
import Testing

@testable import EntranceKit

@MainActor @Suite("Counting down", .timeLimit(.minutes(5)))
struct CountdownTests {
  @Test("After it was stopped, nothing is shown")
  func stopped() async {
    let countdown = Countdown()
    var shown: [Int] = []
    countdown.start(60) {
      shown.append($0)
    } end: {
    }
    countdown.stop()
    for _ in 0..<100 { await Task.yield() }
    #expect(shown.isEmpty)
  }

  @Test("A failure during the countdown of another one stays in sight")
  func otherFailure() async throws {
    let page = try Page()
    let pause = ServicePause(
      service: "A service", length: .seconds(60), kind: .tooManyRequests, isRequested: true)
    page.window.status.wait(pause, canSendNow: false, tryAgain: nil)
    // That of a call which was sent before, for example.
    page.window.status.put(failure: .otherAccount("Another failure."), tryAgain: nil)
    for _ in 0..<100 { await Task.yield() }
    #expect(page.model.state.notices.map(\.title) == ["Another Account Signed In"])
  }
}
