import CGtk
import Gtk

/// The results of the checks.
enum Expectations {
  static var failed = 0
}

/// Prints a failure when `condition` is false.
func expect(_ condition: Bool, _ what: String, line: Int = #line) {
  guard !condition else { return }
  Expectations.failed += 1
  print("failed, line \(line): \(what)")
}

/// Waits until `condition` is true, for at most ten seconds.
func expectSoon(_ what: String, line: Int = #line, _ condition: () -> Bool) async {
  let end = ContinuousClock.now + .seconds(10)
  while !condition(), ContinuousClock.now < end {
    try? await Task.sleep(for: .milliseconds(10))
  }
  expect(condition(), what, line: line)
}

/// A Swift object that a handler or a window retains.
final class Probe {
  static var alive = 0

  init() { Self.alive += 1 }

  isolated deinit { Self.alive -= 1 }

  func touch() {}
}

/// Counts GObjects that have not been finalized.
enum LiveObjects {
  static var count = 0

  static func watch(_ object: Object) {
    count += 1
    // Attached data is released when an object is finalized; weak references are cleared earlier.
    g_object_set_data_full(object.ptr(), "living", object.raw) { _ in
      MainActor.assumeIsolated { LiveObjects.count -= 1 }
    }
  }
}
