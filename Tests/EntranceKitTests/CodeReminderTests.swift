import EntranceKit
import Testing

@Suite("How long a code can still be entered, for those who hear it")
struct CodeReminderTests {
  private let lastMinute = "The code expires in 1 minute."

  /// What is said while the time runs, and when: in seconds before the end.
  private func said(
    from start: Int, isHeard: (Int) -> Bool = { _ in true }
  ) -> [Int: String] {
    var reminder = CodeReminder(secondsLeft: start)
    var said: [Int: String] = [:]
    for seconds in stride(from: start, through: 0, by: -1) {
      said[seconds] = reminder.text(secondsLeft: seconds, isHeard: isHeard(seconds))
    }
    return said
  }

  @Test("Five minutes and one minute before the end are said once")
  func times() {
    let expected = [300: "The code expires in 5 minutes.", 60: lastMinute]
    // Microsoft's codes have 15 minutes.
    #expect(said(from: 900) == expected)
  }

  @Test("How long a code can be entered, in minutes that have begun")
  func lifetime() {
    #expect(CodeReminder.sentence(secondsLeft: 900) == "The code expires in 15 minutes.")
    #expect(CodeReminder.sentence(secondsLeft: 841) == "The code expires in 15 minutes.")
    #expect(CodeReminder.sentence(secondsLeft: 60) == lastMinute)
  }

  @Test("Of a code that has less time from the beginning, only what is to come is said")
  func shortTime() {
    let expected = [60: lastMinute]
    #expect(said(from: 300) == expected)
    #expect(said(from: 60).isEmpty)
    #expect(said(from: 0).isEmpty)
  }

  @Test("What nobody hears is said later, with the time that is left by then")
  func otherWindow() {
    let both = [130: "The code expires in 3 minutes.", 60: lastMinute]
    #expect(said(from: 900) { $0 <= 130 } == both)
    // Both at once are one.
    let last = [20: lastMinute]
    #expect(said(from: 900) { $0 <= 20 } == last)
    #expect(said(from: 900) { _ in false }.isEmpty)
  }

  @Test("A computer that slept says what is left when it wakes up")
  func sleep() {
    var reminder = CodeReminder(secondsLeft: 900)
    let texts = [500, 200, 0].map { reminder.text(secondsLeft: $0, isHeard: true) }
    // What is shown in the end says it.
    #expect(texts == [nil, "The code expires in 4 minutes.", nil])
  }
}
