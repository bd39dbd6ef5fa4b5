import Dispatch
import Glibc

/// Waits for what ends the program.
///
/// `SIGTERM`, `SIGINT` and `SIGHUP` end it always. Standard input is only looked at where that was
/// asked for: a parent process that dies closes the pipe, and takes the emulator with it.
struct EndOfRun {
  private let events: AsyncStream<Void>
  private let signals: [any DispatchSourceSignal]

  init(withStandardInput: Bool) {
    let (events, continuation) = AsyncStream<Void>.makeStream()
    self.events = events
    // Nobody may be reading the log any more; that must not end the run before it is cleared up.
    signal(SIGPIPE, SIG_IGN)
    signals = [SIGTERM, SIGINT, SIGHUP].map { number in
      // The default action would end the process before the source is told.
      signal(number, SIG_IGN)
      let source = DispatchSource.makeSignalSource(signal: number)
      source.setEventHandler { continuation.yield() }
      source.resume()
      return source
    }
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

  /// Returns when the first of the events has come.
  func wait() async {
    for await _ in events { return }
  }
}
