import CurlHTTP
import Glibc

/// What becomes of the signals that ask this program to end.
enum Signals {
  private static let all = [SIGINT, SIGTERM, SIGHUP]

  /// Those that the program was started with as ignored, for example by nohup(1) or as a shell's
  /// background job; they stay ignored, here and in a program that runs in this one's place.
  static let ignored = all.filter { number in
    var action = sigaction()
    sigaction(number, nil, &action)
    return unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self)
      == unsafeBitCast(SIG_IGN, to: Int.self)
  }

  /// Those that end the program.
  ///
  /// It must be read before any of them is handled.
  static let handled = all.filter { !ignored.contains($0) }

  /// Takes them while another program runs in this one's place; nil otherwise.
  static let receiver = LockedValue<(@Sendable (Int32) -> Void)?>(nil)

  /// Passes a signal on to a program in this one's process group.
  ///
  /// An interrupt from the terminal has come to both.
  static func pass(_ signal: Int32, to process: pid_t) {
    if signal == SIGINT, isInForeground { return }
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
