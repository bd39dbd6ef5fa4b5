import Testing

@testable import EntranceKit

@Suite("One thing at a time")
@MainActor
struct OneAtATimeTests {
  /// Work that runs until it is canceled, and records its end in `ended`.
  func untilCancelled(_ name: String, _ ended: Ended) -> @MainActor () async -> Void {
    {
      while !Task.isCancelled { await Task.yield() }
      ended.names.append(name)
    }
  }

  final class Ended {
    var names: [String] = []
  }

  @Test("Requested work prevents everything else until it is canceled")
  func refusal() async {
    let work = OneAtATime()
    let ended = Ended()
    let first = work.start(untilCancelled("first", ended)) { ended.names.append("idle") }
    #expect(first != nil)
    #expect(work.start(untilCancelled("second", ended)) == nil)
    #expect(work.start(isUserInitiated: false, untilCancelled("third", ended)) == nil)
    work.cancel()
    await first?.value
    #expect(ended.names == ["first", "idle"])
    let next = work.start { ended.names.append("next") }
    await work.finish()
    #expect(next != nil)
    #expect(ended.names.last == "next")
  }

  @Test("Requested work waits for other work; canceling ends both")
  func waiting() async {
    let work = OneAtATime()
    let ended = Ended()
    work.start(isUserInitiated: false, untilCancelled("first", ended)) {
      ended.names.append("too early")
    }
    let second = work.start(untilCancelled("second", ended)) { ended.names.append("idle") }
    #expect(second != nil)
    work.cancel()
    await work.finish()
    #expect(ended.names == ["first", "second", "idle"])
  }

  @Test("Releasing the object cancels its work, and nothing is leaked")
  func lifetimes() async {
    let ended = Ended()
    var work: OneAtATime? = OneAtATime()
    weak let kept = work
    let task = work?.start(untilCancelled("first", ended))
    work = nil
    #expect(kept == nil)
    await task?.value
    #expect(ended.names == ["first"])
  }
}
