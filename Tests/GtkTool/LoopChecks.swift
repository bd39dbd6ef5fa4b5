import Gio
import CGtk
import Glibc
import Gtk

/// Counts calls from other threads to the main actor.
private enum Hops {
  static var numbers: [Int] = []
  static var onMainThread = 0
  static let mainThread = pthread_self()

  static func arrive(_ number: Int) {
    numbers.append(number)
    if pthread_equal(pthread_self(), mainThread) != 0 { onMainThread += 1 }
  }
}

/// Swift's main actor runs in GLib's main loop: on its thread, in order, and without explicit
/// iteration.
func checkMainLoop() async {
  _ = Hops.mainThread
  for number in 0..<1000 { await Task.detached { await Hops.arrive(number) }.value }
  expect(Hops.numbers == Array(0..<1000), "calls from other threads run in order")
  let crowd = (1000..<1200).map { number in Task.detached { await Hops.arrive(number) } }
  for task in crowd { await task.value }
  expect(Hops.numbers.count == 1200, "many concurrent calls run")
  expect(Hops.onMainThread == 1200, "all calls run on the main thread")

  // From a GLib source into a task and back.
  let probe = Probe()
  let value = await withCheckedContinuation { continuation in
    MainLoop.whenIdle { [probe] in
      probe.touch()
      Task { continuation.resume(returning: 7) }
    }
  }
  expect(value == 7, "a task started by an idle source")
  withExtendedLifetime(probe) {}
}

/// GIO's pairs of functions: result, error and cancellation.
func checkOperations() async throws {
  let missing = Object(owning: g_file_new_for_path("/nonexistent/file"))
  do {
    try await load(missing)
    expect(false, "a missing file was read")
  } catch {
    expect(error.domain == "g-io-error-quark", "the error's domain: \(error.domain)")
    expect(!error.isCancelled, "the error is not a cancellation")
    expect(!error.message.isEmpty, "the error has a message")
  }
  // `cat` prints nothing without input.
  let silent = try Subprocess(["/bin/cat"])
  let reading = Task { () async -> GLibError? in
    do throws(GLibError) {
      _ = try await silent.readLine()
      return nil
    } catch {
      return error
    }
  }
  await Task.yield()
  reading.cancel()
  let error = await reading.value
  expect(error?.isCancelled == true, "a canceled task: \(String(describing: error))")
}

private func load(_ file: Object) async throws(GLibError) {
  _ = try await awaitOperation { cancellable, ready, data in
    g_file_load_contents_async(file.opaque, cancellable, ready, data)
  } finish: { result, error in
    var contents: UnsafeMutablePointer<CChar>?
    defer { g_free(contents) }
    return g_file_load_contents_finish(file.opaque, result, &contents, nil, nil, &error)
  }
}

/// A process ends when its object is released, and immediately when it is killed.
func checkSubprocess() async throws {
  var process: Subprocess? = try Subprocess(["/bin/sh", "-c", "echo $$; exec cat"])
  guard let pid = try await process?.readLine().flatMap({ Int32($0) }) else {
    return expect(false, "no process")
  }
  expect(kill(pid, 0) == 0, "the process runs")
  process = nil
  await expectSoon("the process ends with its object") { kill(pid, 0) != 0 }

  let deaf = try Subprocess(["/bin/sh", "-c", "echo $$; exec sleep 1000"])
  let sleeper = try await deaf.readLine().flatMap { Int32($0) } ?? 0
  expect(sleeper > 0 && kill(sleeper, 0) == 0, "the other process runs")
  deaf.kill()
  expect(try await deaf.readLine() == nil, "its output ends")
  await expectSoon("the process has ended") { kill(sleeper, 0) != 0 }
}
