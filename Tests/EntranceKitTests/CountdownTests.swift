@testable import EntranceKit
import Testing

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
}
