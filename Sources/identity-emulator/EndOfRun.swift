import Dispatch
import Glibc

/// Waits for the events that end the program.
///
/// `SIGTERM`, `SIGINT` and `SIGHUP` always end it. Standard input is watched only on request: when
/// the parent process ends, its pipe is closed, and the emulator ends too.
struct EndOfRun {
  private let events: AsyncStream<Void>
  private let signals: [any DispatchSourceSignal]

  init(withStandardInput: Bool) {
    let (events, continuation) = AsyncStream<Void>.makeStream()
    self.events = events
    // When the log is no longer read, the run must not end before it has cleaned up.
    signal(SIGPIPE, SIG_IGN)
    let registrations = DispatchGroup()
    signals = [SIGTERM, SIGINT, SIGHUP].map { number in
      // The default action would end the process before the event source is called.
      signal(number, SIG_IGN)
      let source = DispatchSource.makeSignalSource(signal: number)
      source.setEventHandler { continuation.yield() }
      registrations.enter()
      source.setRegistrationHandler { @Sendable in registrations.leave() }
      source.resume()
      return source
    }
    // Until then, a signal would be ignored.
    registrations.wait()
    if withStandardInput {
      DispatchQueue(label: "standard-input").async {
        var byte: UInt8 = 0
        while true {
          let count = read(STDIN_FILENO, &byte, 1)
          if count == 0 || (count < 0 && errno != EINTR) { break }
        }
        continuation.yield()
      }
    }
  }

  /// Returns at the first event.
  func wait() async {
    for await _ in events { return }
  }
}
