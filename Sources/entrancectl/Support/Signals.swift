import CurlHTTP
import Dispatch
import Glibc

/// What becomes of the signals that are sent to this program.
enum Signals {
  /// Those that the program was started with as ignored, for example by nohup(1) or as a shell's
  /// background job; they stay ignored, here and in a program that runs in this one's place.
  ///
  /// It must be read before any signal is handled.
  static let ignored = (1...lastNumber).filter { number in
    var action = sigaction()
    sigaction(number, nil, &action)
    return unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self)
      == unsafeBitCast(SIG_IGN, to: Int.self)
  }

  /// `SIGRTMAX`, which Swift does not import.
  private static let lastNumber: Int32 = 64

  /// Those that ask the program to end.
  private static let ending = [SIGINT, SIGTERM, SIGHUP].filter { !ignored.contains($0) }

  /// Those that are passed on, too, to a program that runs in this one's place.
  static let passed = [SIGQUIT, SIGUSR1, SIGUSR2, SIGWINCH].filter { !ignored.contains($0) }

  private struct State {
    /// The program that runs in this one's place; nil without one.
    var process: pid_t?
    /// The first signal that asked this program to end, and when it came; nil when none did.
    var interruption: (signal: Int32, time: ContinuousClock.Instant)?
  }

  /// Under one lock, so that a signal is for the one or the other.
  private static let state = LockedValue(State())

  /// The signal that interrupted the work; nil when none did.
  static var interruption: Int32? { state.withLock { $0.interruption?.signal } }

  /// How long after the first signal another one is the same request: timeout(1) sends its signal to
  /// the program and then to the program's group, and systemd sends SIGHUP right after SIGTERM.
  private static let sameRequest = Duration.seconds(1)

  /// Passes a signal on to the program that runs in this one's place.
  static func passOn(_ signal: Int32) { _ = state.withLock { passOn(signal, $0) } }

  /// - Returns: whether there is another program.
  private static func passOn(_ signal: Int32, _ state: State) -> Bool {
    guard let process = state.process else { return false }
    pass(signal, to: process)
    return true
  }

  /// Has another program, which was started in this one's place, take the signals: also the one
  /// that has come since its start was decided.
  static func begin(_ process: pid_t) {
    state.withLock { state in
      state.process = process
      if let signal = state.interruption?.signal { kill(process, signal) }
      state.interruption = nil
    }
  }

  /// Takes the signals again, before the other program's identifier is free for another.
  static func end() { state.withLock { $0.process = nil } }

  /// Has signals that ask the program to end interrupt its work, while the result exists.
  ///
  /// The first one ends the work, which clears up after itself and completes what cannot be done
  /// twice; another one, a moment later, ends the program. One that runs in this one's place gets them
  /// instead.
  static func interrupt(_ work: Task<ExitStatus, Never>) -> [any DispatchSourceSignal] {
    handle(ending) { number in
      let isFirst = state.withLock { state in
        if passOn(number, state) { return false }
        guard let first = state.interruption else {
          state.interruption = (signal: number, time: ContinuousClock.now)
          return true
        }
        if ContinuousClock.now - first.time > sameRequest { ExitStatus.interrupted(number).end() }
        return false
      }
      // Not under the lock: what the work does about it may ask for the signal.
      if isFirst { work.cancel() }
    }
  }

  /// Calls `handler` for each signal instead of what the system does, while the result exists.
  ///
  /// Returns when no signal can be missed: on a busy computer, it takes Dispatch a while to listen.
  static func handle(
    _ numbers: [Int32], _ handler: @escaping @Sendable (Int32) -> Void
  ) -> [any DispatchSourceSignal] {
    let registrations = DispatchGroup()
    let sources = numbers.map { number in
      signal(number, SIG_IGN)
      let source = DispatchSource.makeSignalSource(signal: number)
      source.setEventHandler { @Sendable in handler(number) }
      registrations.enter()
      source.setRegistrationHandler { @Sendable in registrations.leave() }
      source.resume()
      return source
    }
    registrations.wait()
    return sources
  }

  /// Passes a signal on to a program in this one's process group.
  ///
  /// What the terminal sends has come to both.
  private static func pass(_ signal: Int32, to process: pid_t) {
    if [SIGINT, SIGQUIT, SIGWINCH].contains(signal), isInForeground { return }
    kill(process, signal)
  }

  /// Whether the terminal that this program was started from sends its signals to this program.
  private static var isInForeground: Bool {
    let terminal = open("/dev/tty", O_RDONLY | O_CLOEXEC | O_NOCTTY)
    guard terminal >= 0 else { return false }
    defer { close(terminal) }
    return tcgetpgrp(terminal) == getpgrp()
  }
}
