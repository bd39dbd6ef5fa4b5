import CGtk
import Gtk

/// What the checks found.
enum Expectations {
  static var failed = 0
}

/// Says so when `condition` does not hold.
func expect(_ condition: Bool, _ what: String, line: Int = #line) {
  guard !condition else { return }
  Expectations.failed += 1
  print("failed, line \(line): \(what)")
}

/// Waits until `condition` holds, for ten seconds at most.
func expectSoon(_ what: String, line: Int = #line, _ condition: () -> Bool) async {
  let end = ContinuousClock.now + .seconds(10)
  while !condition(), ContinuousClock.now < end {
    try? await Task.sleep(for: .milliseconds(10))
  }
  expect(condition(), what, line: line)
}

/// Something of Swift's that a handler or a window holds.
final class Probe {
  static var alive = 0

  init() { Self.alive += 1 }

  isolated deinit { Self.alive -= 1 }

  func touch() {}
}

/// Counts GObjects until the last reference to each is gone.
enum Living {
  static var count = 0

  static func watch(_ object: Object) {
    count += 1
    // What is attached to an object goes when it is finalized; weak references go before that.
    g_object_set_data_full(object.ptr(), "living", object.raw) { _ in
      MainActor.assumeIsolated { Living.count -= 1 }
    }
  }
}
