import CurlHTTP
import Glibc

/// What becomes of the signals that ask this program to end.
enum Signals {
  /// Takes them while another program runs in this one's place; nil otherwise.
  static let receiver = LockedValue<(@Sendable (Int32) -> Void)?>(nil)

  /// Passes a signal on to a program in this one's process group.
  ///
  /// An interrupt from the terminal has come to both.
  static func pass(_ signal: Int32, to process: pid_t) {
    if signal == SIGINT, tcgetpgrp(STDERR_FILENO) == getpgrp() { return }
    kill(process, signal)
  }
}
