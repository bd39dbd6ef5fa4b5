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
    /// The signal that asked this program to end; nil when none did.
    var interruption: Int32?
  }

  /// Under one lock, so that a signal is for the one or the other.
  private static let state = LockedValue(State())

  /// The signal that interrupted the work; nil when none did.
  static var interruption: Int32? { state.withLock { $0.interruption } }

  /// Passes a signal on to the program that runs in this one's place.
  ///
  /// - Parameter isEnding: whether it is for this program when there is no other.
  /// - Returns: whether there is another program.
  @discardableResult
  static func passOn(_ signal: Int32, isEnding: Bool = false) -> Bool {
    state.withLock { state in
      guard let process = state.process else {
        if isEnding { state.interruption = signal }
        return false
      }
      pass(signal, to: process)
      return true
    }
  }

  /// Has another program, which was started in this one's place, take the signals: also the one
  /// that has come since its start was decided.
  static func begin(_ process: pid_t) {
    state.withLock { state in
      state.process = process
      if let signal = state.interruption { kill(process, signal) }
      state.interruption = nil
    }
  }

  /// Takes the signals again, before the other program's identifier is free for another.
  static func end() { state.withLock { $0.process = nil } }

  /// Has signals that ask the program to end interrupt its work, while the result exists.
  ///
  /// The first one ends the work, which clears up after itself and completes what cannot be done
  /// twice; the second one ends the program. One that runs in this one's place gets them instead.
  static func interrupt(_ work: Task<ExitStatus, Never>) -> [any DispatchSourceSignal] {
    handle(ending) { number in
      if passOn(number, isEnding: true) { return }
      if work.isCancelled { ExitStatus.interrupted(number).end() }
      work.cancel()
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
